// SPDX-License-Identifier: BSL-1.0
// core/stream.test.cpp: bytes one by one become pieces, none lost, none twice.
#include <tidemark/core/stream.hpp>

#include <doctest/doctest.h>

#include <array>
#include <string>

using namespace tidemark::detail;

TEST_CASE("what is written arrives whole and in order for every size of buffer and of piece") {
  for (const std::size_t capacity : {8u, 9u, 16u, 31u, 64u}) {
    for (std::size_t size = 0; size <= 70; ++size) {
      std::string arrived, sent;
      std::array<std::byte, 64> buffer{};
      output_stream out(bytes_span(buffer).first(capacity), [](void* to, bytes_view piece) { *static_cast<std::string*>(to) += text_of(piece); }, &arrived);
      for (char letter = 'a'; letter < 'g'; ++letter) {
        const std::string piece(size, letter);
        out.write(bytes_of(piece));
        out.put(letter);
        out.put(std::uint64_t{0x3131313131313131});
        sent += piece + letter + "11111111";
      }
      out.flush();
      out.flush();
      REQUIRE(arrived == sent);
    }
  }
}
