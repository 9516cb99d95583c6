// SPDX-License-Identifier: BSL-1.0
// archive/const_member.hpp: const members, which are read aside and must be what is stored (floor: archive).
#ifndef TIDEMARK_ARCHIVE_CONST_MEMBER_HPP
#define TIDEMARK_ARCHIVE_CONST_MEMBER_HPP

#include <tidemark/archive/names.hpp>
#include <tidemark/archive/pack.hpp>

#include <charconv>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace tidemark::detail {

/// A value on the heap: constants may be large.
template <class M>
struct aside {
  struct box {
    M value;
    box() : value() {}  // of arrays too
  };
  std::unique_ptr<box> held = std::make_unique<box>();
  M& operator*() noexcept { return held->value; }
};

/// A number as it is told in an error: of a kind that people do not write, its bytes, the highest first.
template <class E>
std::string leaf_text(const E& value) {
  if constexpr (AtomicLike<E>) {
    return leaf_text(value.load());
  } else if constexpr (TimePointLike<E>) {
    return leaf_text(value.time_since_epoch());
  } else if constexpr (DurationLike<E>) {
    return leaf_text(value.count());
  } else if constexpr (ComplexLike<E>) {
    return '(' + leaf_text(value.real()) + ", " + leaf_text(value.imag()) + ')';
  } else if constexpr (std::is_same_v<E, bool>) {
    return value ? "true" : "false";
  } else if constexpr (std::is_enum_v<E>) {
    return std::to_string(static_cast<std::underlying_type_t<E>>(value));
  } else if constexpr (std::is_floating_point_v<E>) {
    char digits[64];
    return {digits, std::to_chars(digits, digits + sizeof digits, value).ptr};
  } else if constexpr (std::is_integral_v<E> && sizeof(E) <= 8) {
    return std::to_string(value);
  } else {
    return {};
  }
}

template <class E>
std::string leaf_bytes_text(const E& value) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string bytes, text = "0x";
  append_leaf<E>(bytes, value);
  for (std::size_t i = bytes.size(); i-- > 0;) {
    const auto byte = static_cast<unsigned char>(bytes[i]);
    (text += digits[byte >> 4]) += digits[byte & 15];
  }
  return text;
}

/// Whether `stored` is another value than `here`, bit for bit; says which in `details`, whose `tensor` is the place inside.
template <class M>
bool differ(const M& here, const M& stored, error_details& details) {
  constexpr category is = category_of<M>;
  const auto say = [&](std::string expected, std::string found) {
    details.expected = std::move(expected);
    details.found = std::move(found);
    return true;
  };
  if constexpr (is == category::scalar) {
    std::string ours = leaf_bytes_text<M>(here), theirs = leaf_bytes_text<M>(stored);
    if (ours == theirs) return false;
    const std::string expected = leaf_text(here), found = leaf_text(stored);
    return expected == found ? say(std::move(ours), std::move(theirs)) : say(expected, found);  // two NaNs, two long doubles that round alike
  } else if constexpr (is == category::text) {
    const std::string_view ours(here.data(), here.size()), theirs(stored.data(), stored.size());
    return ours != theirs && say('"' + std::string(ours.substr(0, 256)) + '"', '"' + std::string(theirs.substr(0, 256)) + '"');
  } else if constexpr (is == category::array) {
    using E = element_of<M>;
    if (count_of(here) != count_of(stored)) return say(std::to_string(count_of(here)) + " elements", std::to_string(count_of(stored)));
    if constexpr (leaf_bytes<E> == 0) {
      return false;
    } else {
      std::string ours_made, theirs_made;
      const auto bytes_in = [](const M& all, std::string& made) -> const char* {
        if constexpr (is_contiguous<const M> && is_direct_leaf<E>) return reinterpret_cast<const char*>(contiguous(all));
        else for_each_element(all, [&](const E& e) { append_leaf<E>(made, e); });
        return made.data();
      };
      const char *ours = bytes_in(here, ours_made), *theirs = bytes_in(stored, theirs_made);
      for (std::uint64_t i = 0; i < count_of(here); ++i, ours += leaf_bytes<E>, theirs += leaf_bytes<E>) {
        if (std::memcmp(ours, theirs, leaf_bytes<E>) == 0) continue;
        const std::string place = "element " + std::to_string(i);
        if constexpr (Scalar<E>) {
          aside<E> ours_is, theirs_is;
          scalar_traits<E>::decode(reinterpret_cast<const std::byte*>(ours), *ours_is);
          scalar_traits<E>::decode(reinterpret_cast<const std::byte*>(theirs), *theirs_is);
          static_cast<void>(differ<E>(*ours_is, *theirs_is, details));
          details.expected += " in " + place;
          return true;
        } else {
          return say("the same " + place, "another");
        }
      }
      return false;
    }
  } else {
    bool found = false;
    for_each_child_type<M>([&]<std::size_t I, class C>(std::integral_constant<std::size_t, I>, std::type_identity<C>) {
      if (found || !differ<C>(child<I>(here), child<I>(stored), details)) return;
      details.tensor = std::string(child_name<M, I>()) + (details.tensor.empty() ? "" : ".") + details.tensor;
      found = true;
    });
    return found;
  }
}

/// Throws `error` (schema_mismatch, its `tensor` the place inside) where a const member is not the stored value.
template <class M>
void require_same_constant(const M& here, const M& stored) {
  error_details details{.code = errc::schema_mismatch, .problem = "it is const, and another value is stored",
                        .advice = "Build the state with the value that was saved, or drop the const, so that it is restored."};
  if (differ<M>(here, stored, details)) throw error(std::move(details));
}

/// Whether a value has const members: as a record, or in records and tuples that it is made of.
template <class T>
consteval bool holds_constants() {
  constexpr category is = category_of<T>;
  if constexpr (is != category::record && is != category::tuple) return false;
  else return []<std::size_t... I, class... C>(std::index_sequence<I...>, type_list<C...>) {
    return ((is_const_child<T, I>() || holds_constants<C>()) || ...);
  }(std::make_index_sequence<children_of<T>::size>{}, children_of<T>{});
}

/// Calls `fill(M&)` for member `I`; one that is const is filled aside, and compared. Where there are constants inside, an error has the names on the way.
template <std::size_t I, class M, class T, class Fill>
void fill_child(T& target, Fill&& fill) {
  if constexpr (is_const_child<T, I>()) {
    aside<M> stored;
    fill(*stored);
    at_place(child_name<T, I>(), [&] { require_same_constant<M>(child<I>(target), *stored); });
  } else if constexpr (holds_constants<M>()) {
    at_place(child_name<T, I>(), [&] { fill(child<I>(target)); });
  } else {
    fill(child<I>(target));
  }
}

/// Of an older version, where `migrate` would have to give the value, which it cannot.
[[noreturn]] void fail_unfit_constant(std::string_view name);

template <class T>
void require_same_constants(const T& state, const T& fresh) {
  if constexpr (holds_constants<T>()) {
    for_each_child_type<T>([&]<std::size_t I, class M>(std::integral_constant<std::size_t, I>, std::type_identity<M>) {
      at_place(child_name<T, I>(), [&] {
        if constexpr (is_const_child<T, I>()) {
          error_details details{.code = errc::unsupported, .problem = "the file is read into a fresh object first, whose constant is another than that of the state",
                                .advice = "Build the state with the defaults of its type, or restore it without an older version and without a check of your own."};
          if (differ<M>(child<I>(state), child<I>(fresh), details)) throw error(std::move(details));
        } else {
          require_same_constants<M>(child<I>(state), child<I>(fresh));
        }
      });
    });
  }
}

}  // namespace tidemark::detail

#ifndef TIDEMARK_COMPILED
#include <tidemark/archive/const_member.ipp>
#endif
#endif
