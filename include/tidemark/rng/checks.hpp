// SPDX-License-Identifier: BSL-1.0
// rng/checks.hpp: how restored parameters and words are judged and refused (floor: rng).
#ifndef TIDEMARK_RNG_CHECKS_HPP
#define TIDEMARK_RNG_CHECKS_HPP

#include <tidemark/core/error.hpp>
#include <tidemark/core/float_bits.hpp>

#include <limits>
#include <locale>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>

namespace tidemark::detail {

/// Throws `error` (`invalid_value`): `field` of a `name` is not what it must be.
[[noreturn]] void refuse_random_state(std::string_view name, std::string field, std::string problem, std::string expected,
                                      std::string found);

/// A number as messages and the text operators of <random> take it: exact, and the same under every global locale.
template <class T>
std::string number_text(T value) {
  if constexpr (std::is_integral_v<T>) {
    return std::to_string(value);
  } else {
    std::ostringstream text;
    text.imbue(std::locale::classic());
    text.precision(std::numeric_limits<T>::max_digits10);
    text << value;
    return text.str();
  }
}

}  // namespace tidemark::detail

#ifndef TIDEMARK_COMPILED
#include <tidemark/rng/checks.ipp>
#endif
#endif
