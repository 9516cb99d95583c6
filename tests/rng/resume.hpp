// SPDX-License-Identifier: BSL-1.0
// tests/rng/resume.hpp: saving into a value and restoring from it, refusals, and a global locale that breaks naive text.
#ifndef TIDEMARK_TESTS_RNG_RESUME_HPP
#define TIDEMARK_TESTS_RNG_RESUME_HPP

#include <tidemark/core/error.hpp>
#include <tidemark/model/represent.hpp>

#include <locale>
#include <string>

namespace resume {

template <class T>
auto saved(const T& object) {
  return tidemark::represent<T>::snapshot(object);
}

template <class T, class State>
void restore(T& object, const State& state) {
  tidemark::represent<T>::restore(object, State(state));
}

/// "position" when restoring `state` is refused because of that field and `object` stays equal to what it was, else why not.
template <class T, class State>
std::string refused_field(T& object, const State& state) {
  const T before = object;
  try {
    restore(object, state);
    return "accepted";
  } catch (const tidemark::error& e) {
    if (!(object == before)) return "changed";
    if (e.code() != tidemark::errc::invalid_value || e.expected().empty() || e.found().empty()) return "unclear";
    return e.tensor();
  }
}

/// "3.107.752.595" and "1,5" while it lives.
class hostile_locale {
  struct punctuation : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };

 public:
  hostile_locale() : before_(std::locale::global(std::locale(std::locale::classic(), new punctuation))) {}
  hostile_locale(const hostile_locale&) = delete;
  ~hostile_locale() { std::locale::global(before_); }

 private:
  std::locale before_;
};

}  // namespace resume
#endif
