// SPDX-License-Identifier: BSL-1.0
// archive/unpack.hpp: packed bytes into a value, of the type that wrote them or of a newer version of it (floor: archive).
#ifndef TIDEMARK_ARCHIVE_UNPACK_HPP
#define TIDEMARK_ARCHIVE_UNPACK_HPP

#include <tidemark/archive/const_member.hpp>
#include <tidemark/archive/keyed.hpp>
#include <tidemark/archive/number.hpp>
#include <tidemark/archive/pack.hpp>
#include <tidemark/archive/repack.hpp>
#include <tidemark/archive/schema_layout.hpp>
#include <tidemark/archive/stored_record.hpp>
#include <tidemark/model/evolve_plan.hpp>
#include <tidemark/model/schema_of.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tidemark::detail {

/// Two schemas side by side, of the bytes and of the type, and the packed types around each, to which `^0` refers.
struct unpack_point {
  const schema* file;
  const schema* here;
  const packed_frame* file_around = nullptr;
  const packed_frame* here_around = nullptr;

  unpack_point child(std::size_t of_file, std::size_t of_here) const;
};

template <class T>
void unpack(packed_bytes& in, unpack_point at, T& out, int depth = 0);

/// No more elements of schema `file` than bytes, in all containers together, or than may take none.
template <class E>
std::size_t require_count(packed_bytes& in, const schema& file, std::uint64_t count) {
  const bool is_sane = takes_nothing(file) ? are_few_empty<E>(count) : count <= (std::min<std::uint64_t>)(in.left.size(), in.elements);
  if (!is_sane) packed_bytes::fail("it asks for more elements than it has bytes", {}, std::to_string(count), errc::limit);
  if (!takes_nothing(file)) in.elements -= count;
  return static_cast<std::size_t>(count);
}

/// A number that was stored as another type.
template <class T>
void unpack_number(packed_bytes& in, const number_type& number, const schema& here, T& out) {
  if constexpr (AtomicLike<T>) {
    typename T::value_type value{};
    unpack_number(in, number, here, value);
    return out.store(value);
  } else {
  const std::byte* from = in.take(number.bytes);
  const auto lossy = [&] {
    throw error({.code = errc::invalid_value, .problem = "the stored number " + number_text(number, from) + " does not fit " + here.code,
                 .advice = "Keep the wider type, or convert it in a migrate function."});
  };
  using N = typename std::conditional_t<std::is_enum_v<T>, std::underlying_type<T>, std::type_identity<T>>::type;
  if constexpr (std::is_arithmetic_v<N> && has_dtype<N>) {
    N value{};
    if (!read_number(number, from, value)) lossy();
    std::byte encoded[sizeof(N)];
    std::memcpy(encoded, &value, sizeof(N));
    if (!scalar_traits<T>::decode(encoded, out)) lossy();
  } else {
    lossy();
  }
  }
}

template <class T>
void unpack_scalar(packed_bytes& in, const unpack_point& at, T& out) {
  using traits = scalar_traits<T>;
  if (at.file->code == at.here->code) {
    if (!traits::decode(in.take(traits::file_bytes), out)) packed_bytes::fail("it holds a value that its type cannot have", traits::code(), {}, errc::invalid_value);
    return;
  }
  const auto number = number_of(*at.file);
  if (!number) packed_bytes::fail("it holds another type", at.here->code, at.file->code);
  unpack_number(in, *number, *at.here, out);
}

bucket_state unpack_buckets(packed_bytes& in);

void require_buckets(const packed_bytes& in, const bucket_state& state, std::uint64_t elements);

inline constexpr auto fail_packed_key = [](std::string problem) { packed_bytes::fail(std::move(problem), {}, {}, errc::invalid_value); };

/// Keys first, values after them: each pair's bytes are passed twice.
template <class T>
void unpack_keyed(packed_bytes& in, const unpack_point& at, T& out, int depth) {
  using K = typename structure<T>::key;
  bucket_state had;
  if constexpr (Unordered<T>) had = unpack_buckets(in);
  const std::size_t count = require_count<K>(in, at.file->children[0], in.count());
  if constexpr (Unordered<T>) require_buckets(in, had, count);
  std::vector<stored_key<K>> keys(count);
  std::vector<packed_bytes> values;
  for (auto& key : keys) {
    unpack<K>(in, at.child(0, 0), key.value, depth + 1);
    if constexpr (category_of<T> == category::map) {
      const packed_bytes start = in;
      skip_packed(in, {&at.file->children[1], at.file_around}, depth + 1);
      values.push_back({.left = start.left.first(start.left.size() - in.left.size()), .spare_buckets = in.spare_buckets});
    }
  }
  const auto elements = assign_keys<T>(fail_packed_key, &out, keys, 0, count, had);
  if constexpr (category_of<T> == category::map) {
    auto next = out.begin();
    for (std::size_t i = 0; i < count; ++i) {
      auto& element = [&]() -> auto& {
        if constexpr (Unordered<T>) return *elements[i];
        else return *next++;
      }();
      unpack<typename structure<T>::mapped>(values[i], at.child(1, 1), element.second, depth + 1);
    }
  }
}

template <class T>
void unpack_list(packed_bytes& in, const unpack_point& at, T& out, int depth) {
  using E = element_of<T>;
  std::uint64_t count = at.file->extent;
  if (count == schema::any_size) count = in.count();
  if constexpr (is_fixed_size<T>) {
    if (count != structure<T>::extent) packed_bytes::fail("an array has another size", std::to_string(structure<T>::extent), std::to_string(count), errc::invalid_value);
  } else {
    resize_to(out, require_count<E>(in, at.file->children[0], count));
  }
  if constexpr (fixed_leaf<T>::is_leaf) {
    if constexpr (fixed_leaf<T>::count == 0) return;  // an array of no elements has no address to copy to
  }
  if constexpr (is_contiguous<T> && fixed_leaf<E>::is_leaf) {
    if constexpr (is_direct_leaf<E> && !leaf_traits<E>::is_checked) {
      if (at.file->children[0] == at.here->children[0]) {
        const std::uint64_t bytes = count * leaf_bytes<E>;
        const std::byte* from = in.take(bytes);
        if (bytes != 0) std::memcpy(static_cast<void*>(contiguous(out)), from, static_cast<std::size_t>(bytes));
        return;
      }
    }
  }
  if constexpr (std::is_arithmetic_v<E> && has_dtype<E>) {
    if (const auto number = number_of(at.file->children[0]); number && at.file->children[0] != at.here->children[0]) {
      return for_each_slot(out, [&](E& e) { unpack_number(in, *number, at.here->children[0], e); });
    }
  }
  for_each_slot(out, [&](E& e) { unpack<E>(in, at.child(0, 0), e, depth + 1); });
}

/// The members of `out`, which lies at `prefix` in the record `top`, from the bytes of the stored record.
template <class T>
void unpack_members(const stored_record& stored, std::uint64_t* spare_buckets, const unpack_point& top, const schema& here, const std::string& prefix, bool is_older,
                    T& out, int depth) {
  for_each_child_type<T>([&]<std::size_t I, class M>(std::integral_constant<std::size_t, I>, std::type_identity<M>) {
    const std::string at = prefix + here.names[I];
    std::string from;
    const schema* type = evolution_planner::source_of(*top.here, *top.file, at, is_older, from);
    if (type == nullptr) {
      if constexpr (category_of<M> == category::record) {
        if (evolution_planner::is_renamed_into(*top.here, *top.file, at)) {
          fill_child<I, M>(out, [&](M& member) { unpack_members(stored, spare_buckets, top, here.children[I], at + '.', is_older, member, depth); });
        }
      }
      return;
    }
    if (is_older && top.here->migrates && !evolution_planner::fits(here.children[I], *type)) {
      if constexpr (is_const_child<T, I>()) fail_unfit_constant(here.names[I]);
      return;
    }
    std::string storage;
    packed_bytes bytes{.left = stored.bytes_of_member(from, storage), .spare_buckets = spare_buckets};
    fill_child<I, M>(out, [&](M& member) { unpack<M>(bytes, {type, &here.children[I], top.file_around, top.here_around}, member, depth + 1); });
  });
}

template <class T>
void unpack_record(packed_bytes& in, const unpack_point& at, T& out, int depth) {
  if (*at.file == *at.here) {
    for (const std::size_t next : members_by_name<T>()) {
      for_each_child_type<T>([&]<std::size_t I, class M>(std::integral_constant<std::size_t, I>, std::type_identity<M>) {
        if (I == next) fill_child<I, M>(out, [&](M& member) { unpack<M>(in, at.child(I, I), member, depth + 1); });
      });
    }
    return;
  }
  const stored_record stored(*at.file, at.file_around, in, depth);
  const bool is_older = at.file->version < at.here->version;
  unpack_members(stored, in.spare_buckets, at, *at.here, {}, is_older, out, depth);
  if constexpr (Migrates<T>) {
    if (is_older) evolution_of<T>::migrate(out, stored);
  }
}

/// Reads a `T` from `in`. `at` must be a pair that `plan_evolution` did not refuse. Throws `error`: corrupt, invalid_value, limit.
template <class T>
void unpack(packed_bytes& in, unpack_point at, T& out, int depth) {
  constexpr category is = category_of<T>;
  if (depth > max_packed_depth) fail_packed_depth();
  if constexpr (is == category::represented) {
    using V = typename representation<T>::type;
    V value = V();
    unpack<V>(in, at, value, depth + 1);
    representation<T>::restore(out, std::move(value));
  } else if constexpr (is == category::packed) {
    const packed_frame *file_frame, *here_frame;
    packed_frame own_file{}, own_here{};
    const auto enter = [](const schema* s, const packed_frame* around, packed_frame& own) {
      if (s->kind != kind::opaque) return enclosing(*s, around);
      own = {&s->children[0], around};
      return static_cast<const packed_frame*>(&own);
    };
    file_frame = enter(at.file, at.file_around, own_file);
    here_frame = enter(at.here, at.here_around, own_here);
    unpack_record(in, {file_frame->record, here_frame->record, file_frame, here_frame}, out, depth);
  } else if constexpr (is == category::scalar) {
    unpack_scalar(in, at, out);
  } else if constexpr (is == category::text) {
    const std::uint64_t size = in.count();
    const std::byte* from = in.take(size);
    out.assign(reinterpret_cast<const char*>(from), static_cast<std::size_t>(size));
  } else if constexpr (is == category::array || is == category::sequence) {
    unpack_list(in, at, out, depth);
  } else if constexpr (is == category::set || is == category::map) {
    unpack_keyed(in, at, out, depth);
  } else if constexpr (is == category::optional) {
    if (at.file->kind != kind::optional) {  // it became one
      if (!out) make_value(out);
      return unpack<element_of<T>>(in, {at.file, &at.here->children[0], at.file_around, at.here_around}, *out, depth + 1);
    }
    const auto has = std::to_integer<unsigned>(*in.take(1));
    if (has > 1) packed_bytes::fail("it holds a value that its type cannot have", "bool", std::to_string(has), errc::invalid_value);
    if (has == 0) return out.reset();
    if (!out) make_value(out);
    unpack<element_of<T>>(in, at.child(0, 0), *out, depth + 1);
  } else if constexpr (is == category::variant) {
    const auto index = load_as<std::uint32_t>(in.take(4));
    if (index >= at.file->children.size() || index >= children_of<T>::size) packed_bytes::fail("a variant has no such alternative", {}, std::to_string(index), errc::invalid_value);
    for_each_child_type<T>([&]<std::size_t I, class A>(std::integral_constant<std::size_t, I>, std::type_identity<A>) {
      if (index != I) return;
      activate<I>(out);
      unpack<A>(in, at.child(I, I), alternative<I>(out), depth + 1);
    });
  } else if constexpr (is == category::tensors) {
    named_tensors made;
    for (std::uint64_t left = in.count(); left > 0; --left) {
      const std::string name(in.text());
      const any_tensor tensor = take_any_tensor(in);
      if (made.contains(name)) packed_bytes::fail("a tensor is there twice", {}, name, errc::invalid_value);
      auto& e = made.add(name, tensor.type, tensor.shape);
      if (!tensor.bytes.empty()) std::memcpy(e.bytes().data(), tensor.bytes.data(), tensor.bytes.size());
    }
    out = std::move(made);
  } else if constexpr (is == category::tuple) {
    for_each_child_type<T>([&]<std::size_t I, class M>(std::integral_constant<std::size_t, I>, std::type_identity<M>) {
      fill_child<I, M>(out, [&](M& member) { unpack<M>(in, at.child(I, I), member, depth + 1); });
    });
  } else {
    unpack_record(in, at, out, depth);
  }
}

}  // namespace tidemark::detail

namespace tidemark {

template <class U>
U stored_record::read(std::string_view path) const {
  static const schema here = detail::make_schema<U>();
  const schema* stored = detail::member_at(*record_, path);
  if (stored == nullptr) throw error({.code = errc::not_found, .tensor = std::string(path), .problem = "the stored version has no such member"});
  if (!detail::evolution_planner::fits(here, *stored)) {
    throw error({.code = errc::schema_mismatch, .tensor = std::string(path), .problem = "the stored member is of another type", .expected = to_text(here), .found = to_text(*stored)});
  }
  U value = U();
  std::string storage;
  std::uint64_t spare = detail::shared_buckets;
  detail::packed_bytes in{.left = bytes_of_member(path, storage), .spare_buckets = fetch_ ? &spare : nullptr};
  detail::unpack<U>(in, {stored, &here, around_, nullptr}, value);
  return value;
}

}  // namespace tidemark

#ifndef TIDEMARK_COMPILED
#include <tidemark/archive/unpack.ipp>
#endif
#endif
