// SPDX-License-Identifier: BSL-1.0
// archive/input.test.cpp: bytes taken in any steps from pieces of any size.
#include <tidemark/archive/input.hpp>

#include <doctest/doctest.h>

#include <random>
#include <string>

using namespace tidemark::detail;

namespace {

struct pieces {
  std::string all;
  std::size_t size, done = 0;

  static bytes_view next(void* self) {
    auto& p = *static_cast<pieces*>(self);
    REQUIRE(p.done < p.all.size());
    const auto piece = bytes_of(p.all).subspan(p.done).first(std::min(p.size, p.all.size() - p.done));
    p.done += piece.size();
    return piece;
  }
};

}  // namespace

TEST_CASE("any mixture of take, copy, skip and some gives the bytes in order, and finish runs to the end") {
  std::mt19937 random{4};
  for (int round = 0; round < 2000; ++round) {
    pieces p{{}, 1 + random() % 9};
    for (std::size_t n = random() % 120; n-- > 0;) p.all += static_cast<char>(random());
    input_stream stream(p.all.size(), pieces::next, &p);
    std::size_t at = 0;
    while (at < p.all.size()) {
      const std::size_t n = std::min<std::size_t>(1 + random() % 16, p.all.size() - at);
      const auto expected = p.all.substr(at, n);
      switch (random() % 4) {
        case 0: REQUIRE(std::string(reinterpret_cast<const char*>(stream.take(n)), n) == expected); break;
        case 1: {
          std::string to(n, '\0');
          stream.copy({reinterpret_cast<std::byte*>(to.data()), n});
          REQUIRE(to == expected);
          break;
        }
        case 2: stream.skip(n); break;
        default: {
          const auto part = stream.some(n);
          REQUIRE(part.size() >= 1);
          REQUIRE(text_of(part) == expected.substr(0, part.size()));
          at += part.size();
          continue;
        }
      }
      at += n;
      if (random() % 40 == 0) break;
    }
    stream.finish();
    REQUIRE(p.done == p.all.size());
    stream.finish();
  }
}
