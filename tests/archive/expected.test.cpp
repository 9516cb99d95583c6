// SPDX-License-Identifier: BSL-1.0
// archive/expected.test.cpp: std::expected comes back from every holder, as the variant of its value and its error; compiled as C++23.
#include "std_samples.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "repacked.hpp"

#if __has_include(<expected>)
#include <expected>
#endif

#if defined(__cpp_lib_expected)
namespace {

/// Contains itself, so it is packed.
struct attempt {
  std::expected<samples::row, std::string> result;
  std::vector<attempt> before;
  friend bool operator==(const attempt& a, const attempt& b) { return a.result == b.result && a.before == b.before; }
};

/// Each holder of `held_everywhere`, with these outcomes from the `first` on.
template <class T>
samples::held_everywhere<T> with(const std::vector<T>& outcomes, std::size_t first) {
  const auto next = [&] { return outcomes[first++ % outcomes.size()]; };
  samples::held_everywhere<T> s;
  s.alone = next();
  for (std::size_t n = first % 4; n-- > 0;) s.many.push_back(next());
  for (T& e : s.two) e = next();
  s.named = {{"a.b", next()}, {"c", next()}};
  s.table = {{next(), next()}, {}, {next()}};
  return s;
}

template <class T>
void come_back(const std::vector<T>& outcomes) {
  using state = samples::held_everywhere<T>;
  const std::string type = to_text(tidemark::schema_of<state>());
  CAPTURE(type);
  state target;
  for (std::size_t first = 0; first < 2 * outcomes.size(); ++first) {
    const state value = with(outcomes, first);
    const auto all = held::encode(value);
    held::decode(all, target);
    state fresh;
    held::decode(all, fresh);
    REQUIRE(is_same(value, target));
    REQUIRE(is_same(value, fresh));
    REQUIRE(held::encode(target) == all);
    REQUIRE(held::repacked<state>(all) == held::packed(value));
  }
}

}  // namespace

TEST_CASE("an expected comes back with its value or its error from every holder") {
  using std::unexpected;
  using words = std::vector<std::string>;
  come_back<std::expected<int, std::string>>({5, unexpected<std::string>("bad"), -1, unexpected<std::string>("")});
  come_back<std::expected<void, std::string>>({{}, unexpected<std::string>("bad")});
  come_back<std::expected<void, samples::mode>>({{}, unexpected(samples::mode::b), unexpected(samples::mode::c)});
  come_back<std::expected<words, samples::row>>({words{"a", ""}, unexpected(samples::row{}), words{}});
  come_back<std::expected<samples::module_, int>>({samples::module_{{1, 2}, {}, {}}, unexpected(3)});
  come_back<std::expected<std::expected<int, bool>, std::string>>({std::expected<int, bool>(4), std::expected<int, bool>(unexpected(true)), unexpected<std::string>("out")});
  come_back<std::expected<std::deque<int>, std::string>>({std::deque<int>{1, 2}, unexpected<std::string>("bad")});  // a move of a deque may throw
  come_back<attempt>({{samples::row{}, {}}, {unexpected<std::string>("bad"), {{samples::row{}, {}}, {unexpected<std::string>("worse"), {}}}}});
}
#endif
