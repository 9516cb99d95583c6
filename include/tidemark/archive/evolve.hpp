// SPDX-License-Identifier: BSL-1.0
// archive/evolve.hpp: a state from tensors that an older version of its type stored (floor: archive).
#ifndef TIDEMARK_ARCHIVE_EVOLVE_HPP
#define TIDEMARK_ARCHIVE_EVOLVE_HPP

#include <tidemark/archive/decode.hpp>
#include <tidemark/archive/repack.hpp>
#include <tidemark/archive/schema_layout.hpp>
#include <tidemark/archive/unpack.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace tidemark::detail {

// What is as it was is read as ever, straight into its place. Only a part whose schema differs takes another way: records and
// sequences of modules member by member, anything else as packed bytes, which are then unpacked into the new type.

template <class T>
void evolve(decoder& at, const schema& here, const schema& file, T& target);

template <class T>
void evolve_members(decoder& at, const schema& top, const schema& here, const schema& file, const std::string& prefix, bool is_older, T& target) {
  for_each_child_type<T>([&]<std::size_t I, class M>(std::integral_constant<std::size_t, I>, std::type_identity<M>) {
    const std::string to = prefix + here.names[I];
    const auto fill = [&](auto&& read) {
      if constexpr (is_const_child<T, I>()) {
        aside<M> stored;
        ++at.aside;
        read(*stored);
        --at.aside;
        const auto scope = at.name.member(to);
        at_place(at.name.text(), [&] { require_same_constant<M>(child<I>(target), *stored); });
      } else {
        read(child<I>(target));
      }
    };
    std::string from;
    const schema* stored = evolution_planner::source_of(top, file, to, is_older, from);
    if (stored == nullptr) {
      if constexpr (category_of<M> == category::record) {
        if (evolution_planner::is_renamed_into(top, file, to)) fill([&](M& member) { evolve_members(at, top, here.children[I], file, to + '.', is_older, member); });
      }
      return;
    }
    if (is_older && top.migrates && !evolution_planner::fits(here.children[I], *stored)) {
      if constexpr (is_const_child<T, I>()) at_place(at.name.text(), [&] { fail_unfit_constant(to); });
      return;
    }
    fill([&](M& member) {
      const auto scope = at.name.member(from);
      evolve<M>(at, here.children[I], *stored, member);
    });
  });
}

template <class T>
void evolve_repacked(decoder& at, const schema& here, const schema& file, T& target) {
  std::string bytes;
  repacker(at).append(bytes, file);
  at_place(at.name.text(), [&] {
    packed_bytes in{.left = bytes_of(bytes), .spare_buckets = &at.spare};
    unpack<T>(in, {&file, &here}, target);
  });
}

/// Whether the elements of both are modules, stored one by one.
template <class T>
bool are_modules(const schema& file) {
  if constexpr (category_of<T> == category::sequence) return is_modular<element_of<T>>::value && is_list(file) && is_modular_schema(file.children[0]);
  else return false;
}

/// Reads the value of schema `file` at this name into `target`, a fresh object of schema `here`. `plan_evolution` must not refuse the
/// pair. Memory: that of the parts that differ, once more. Throws as `decode`.
template <class T>
void evolve(decoder& at, const schema& here, const schema& file, T& target) {
  if (is_as_it_was(here, file)) return decode<T>(at, std::addressof(target));
  if constexpr (category_of<T> == category::record) {
    if (file.kind != kind::record) return evolve_repacked(at, here, file, target);
    const bool is_older = file.version < here.version;
    evolve_members(at, here, here, file, {}, is_older, target);
    if constexpr (Migrates<T>) {
      if (!is_older) return;
      const stored_record old(file, [&](std::string_view path, std::string& storage) {
        const auto scope = at.name.member(path);
        repacker(at).append(storage, *member_at(file, path));
      });
      at_place(at.name.text(), [&] { evolution_of<T>::migrate(target, old); });
    }
  } else if constexpr (category_of<T> == category::sequence) {
    if (!are_modules<T>(file)) return evolve_repacked(at, here, file, target);
    if constexpr (!is_fixed_size<T>) {
      std::uint64_t count = file.extent;
      if (count == schema::any_size) {
        const auto scope = at.name.side("size");
        count = at.number();
      }
      if (count > at.in.tensor_count()) at.fail("it asks for more elements than the file has tensors", {}, std::to_string(count));
      resize_to(target, static_cast<std::size_t>(count));
    }
    std::uint64_t index = 0;
    for_each_slot(target, [&](element_of<T>& e) {
      const auto scope = at.name.element(index++);
      evolve<element_of<T>>(at, here.children[0], file.children[0], e);
    });
  } else {
    evolve_repacked(at, here, file, target);
  }
}

/// Gives `to` the state of `from`; constants, and what is no state, stay as they are. What cannot be assigned, as it holds atomics, gives it
/// part by part.
template <class T>
void move_state(T& to, T& from) {
  constexpr category is = category_of<T>;
  if constexpr (AtomicLike<T>) {
    to.store(from.load());
  } else if constexpr (is != category::record && !holds_constants<T>() && std::is_move_assignable_v<T>) {
    to = std::move(from);
  } else if constexpr (is == category::record || is == category::tuple || is == category::packed) {
    for_each_child_type<T>([&]<std::size_t I, class M>(std::integral_constant<std::size_t, I>, std::type_identity<M>) {
      if constexpr (!is_const_child<T, I>()) move_state<M>(child<I>(to), child<I>(from));
    });
  } else if constexpr (is == category::array || is == category::sequence) {
    auto next = std::begin(from);
    for (auto& e : to) move_state(e, *next++);
  } else if constexpr (is == category::optional) {
    if (!from) return to.reset();
    if (!to) make_value(to);
    move_state(*to, *from);
  } else if constexpr (is == category::variant) {
    for_each_child_type<T>([&]<std::size_t I, class A>(std::integral_constant<std::size_t, I>, std::type_identity<A>) {
      if (alternative_index(from) != I) return;
      activate<I>(to);
      move_state<A>(alternative<I>(to), alternative<I>(from));
    });
  } else {
    representation<T>::restore(to, representation<T>::snapshot(from));
  }
}

}  // namespace tidemark::detail
#endif
