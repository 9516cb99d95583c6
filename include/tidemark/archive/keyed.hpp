// SPDX-License-Identifier: BSL-1.0
// archive/keyed.hpp: maps and sets made to hold stored keys, in the stored order, what stays keeping its address (floor: archive).
#ifndef TIDEMARK_ARCHIVE_KEYED_HPP
#define TIDEMARK_ARCHIVE_KEYED_HPP

#include <tidemark/archive/decoder.hpp>
#include <tidemark/archive/layout.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace tidemark::detail {

/// What an unordered container had besides its elements.
struct bucket_state {
  std::uint64_t buckets = 0;
  float load = 1;
};

/// Keys as they are read, before their container has them; of bool too, which a vector does not hold.
template <class K>
struct stored_key {
  K value = K();
};

/// Whether a key is the very one that is stored. Keys that a comparator takes for equal need not be: "W" and "w", 0.0 and -0.0.
template <class K>
bool is_identical_key(const K& a, const K& b) {
  if constexpr (category_of<K> == category::text) {
    return a == b;
  } else if constexpr (Scalar<K>) {
    std::byte bytes_a[scalar_traits<K>::file_bytes], bytes_b[scalar_traits<K>::file_bytes];
    scalar_traits<K>::encode(a, bytes_a);
    scalar_traits<K>::encode(b, bytes_b);
    return std::equal(std::begin(bytes_a), std::end(bytes_a), std::begin(bytes_b));
  } else {
    return false;  // a class's own == may leave out what is stored
  }
}

/// An empty one of the same allocator, so that nodes may go from one to the other.
template <class T>
T empty_like(const T& container) {
  if constexpr (requires { T(container.get_allocator()); }) return T(container.get_allocator());
  else return T();
}

/// What `container` held; it is empty then, and keeps its allocator.
template <class T>
T taken_out_of(T& container) {
  T all = empty_like(container);
  all.swap(container);
  return all;
}

/// The node of an element with this key, taken out of `old` so that it keeps its address; empty where there is none.
template <class T>
typename T::node_type take_node(T& old, const typename T::key_type& key) {
  const auto found = old.find(key);
  return found == old.end() ? typename T::node_type{} : old.extract(found);
}

template <class T>
void set_key(typename T::node_type& node, typename T::key_type&& key) {
  if constexpr (category_of<T> == category::map) node.key() = std::move(key);
  else node.value() = std::move(key);
}

template <class T>
auto insert_key(T& into, typename T::node_type node, typename T::key_type&& key) {
  if (node) {
    set_key<T>(node, std::move(key));
    if constexpr (Multiple<T>) return into.insert(std::move(node));
    else return into.insert(std::move(node)).position;
  } else if constexpr (category_of<T> == category::map) {
    auto made = into.emplace(std::piecewise_construct, std::forward_as_tuple(std::move(key)), std::forward_as_tuple());
    if constexpr (Multiple<T>) return made;
    else return made.first;
  } else {
    auto made = into.emplace(std::move(key));
    if constexpr (Multiple<T>) return made;
    else return made.first;
  }
}

/// Gives an ordered `container` the keys from `first` to `last`, which must rise.
template <class T, class Key>
void assign_ordered(T& container, std::vector<stored_key<Key>>& keys, std::size_t first, std::size_t last) {
  if constexpr (Multiple<T>) {
    T old = taken_out_of(container);
    for (std::size_t i = first; i < last; ++i) {
      auto node = take_node(old, keys[i].value);
      if (node) {
        set_key<T>(node, std::move(keys[i].value));
        container.insert(container.end(), std::move(node));
      } else if constexpr (category_of<T> == category::map) {
        container.emplace_hint(container.end(), std::piecewise_construct, std::forward_as_tuple(std::move(keys[i].value)), std::forward_as_tuple());
      } else {
        container.emplace_hint(container.end(), std::move(keys[i].value));
      }
    }
  } else {
    const auto key_at = [](auto at) -> const Key& {
      if constexpr (category_of<T> == category::map) return at->first;
      else return *at;
    };
    auto at = container.begin();
    for (std::size_t i = first; i < last; ++i) {
      Key& key = keys[i].value;
      while (at != container.end() && container.key_comp()(key_at(at), key)) at = container.erase(at);
      if (at != container.end() && !container.key_comp()(key, key_at(at))) {
        if (is_identical_key<Key>(key_at(at), key)) {
          ++at;
        } else {
          const auto next = std::next(at);
          auto node = container.extract(at);  // keeps the value where it is
          set_key<T>(node, std::move(key));
          container.insert(next, std::move(node));
          at = next;
        }
      } else if constexpr (category_of<T> == category::map) {
        container.emplace_hint(at, std::piecewise_construct, std::forward_as_tuple(std::move(key)), std::forward_as_tuple());
      } else {
        container.emplace_hint(at, std::move(key));
      }
    }
    container.erase(at, container.end());
  }
}

template <class T>
const typename T::key_type& key_of(const typename T::value_type& element) {
  if constexpr (category_of<T> == category::map) return element.first;
  else return element;
}

/// Puts `nodes` into an empty unordered multimap or multiset, so that it iterates over them in their order. Where a key goes in its bucket
/// depends on the library: before those that are there (libstdc++), or behind its equals or all of them (libc++); it is tried.
template <class T>
std::vector<typename T::iterator> insert_multiple(T& container, std::vector<typename T::node_type>& nodes) {
  std::vector<typename T::iterator> at(nodes.size());
  const auto is_in_order = [&] {
    auto next = container.begin();
    for (const auto& expected : at) {
      if (std::addressof(*next++) != std::addressof(*expected)) return false;
    }
    return true;
  };
  for (std::size_t i = nodes.size(); i-- > 0;) at[i] = container.insert(std::move(nodes[i]));
  if (is_in_order()) return at;
  std::vector<std::size_t> starts{0};
  for (std::size_t i = 1; i < at.size(); ++i) {
    if (container.bucket(key_of<T>(*at[i - 1])) != container.bucket(key_of<T>(*at[i]))) starts.push_back(i);
  }
  nodes.clear();  // libc++ assigns no nodes of a std::pmr container
  for (const auto& each : at) nodes.push_back(container.extract(each));
  for (std::size_t end = at.size(); !starts.empty(); end = starts.back(), starts.pop_back()) {
    for (std::size_t i = starts.back(); i < end; ++i) at[i] = container.insert(std::move(nodes[i]));
  }
  return at;
}

/// Gives an unordered `container` the keys from `first` to `last`, so that it iterates over them in this order: it gets as many
/// buckets as it had, then the keys last to first, since each new one is put before those of its bucket, and a new bucket before all
/// others. That is so in libstdc++ and libc++. Returns the elements in the order of the keys; false in `is_unique` where one came twice.
template <class T, class Key>
std::vector<typename T::value_type*> assign_unordered(T& container, std::vector<stored_key<Key>>& keys, std::size_t first, std::size_t last,
                                                      const bucket_state& had, bool& is_unique) {
  T old = taken_out_of(container);
  const std::size_t count = last - first;
  if (static_cast<double>(count) <= static_cast<double>(had.buckets) * static_cast<double>(had.load)) container.max_load_factor(had.load);
  if (container.bucket_count() != had.buckets) container.rehash(static_cast<std::size_t>(had.buckets));
  std::vector<typename T::value_type*> elements(count);
  const auto element = [](const typename T::iterator& at) { return const_cast<typename T::value_type*>(std::addressof(*at)); };  // a set's are const
  if constexpr (Multiple<T>) {
    std::vector<typename T::node_type> nodes;
    nodes.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      auto node = take_node(old, keys[first + i].value);
      T maker = empty_like(container);
      nodes.push_back(maker.extract(insert_key(maker, std::move(node), std::move(keys[first + i].value))));
    }
    const auto at = insert_multiple(container, nodes);
    for (std::size_t i = 0; i < count; ++i) elements[i] = element(at[i]);
  } else {
    for (std::size_t i = count; i-- > 0;) {
      const std::size_t before = container.size();
      auto node = take_node(old, keys[first + i].value);
      elements[i] = element(insert_key(container, std::move(node), std::move(keys[first + i].value)));
      if (container.size() == before) is_unique = false;
    }
  }
  if (container.max_load_factor() != had.load) container.max_load_factor(had.load);  // it forgets when to grow, so not without need
  return elements;
}

/// Reads `#buckets` and `#load`, for one container or for each of many.
template <class T>
std::vector<bucket_state> decode_buckets(decoder& at, const extents& prefix, std::uint64_t elements) {
  std::vector<bucket_state> all;
  std::uint64_t total = 0;
  {
    const auto scope = at.name.side("buckets");
    input_stream stream = at.in.open(at.require(dtype::u64, prefix));
    all.resize(static_cast<std::size_t>(prefix.count()));
    const std::uint64_t most = proportional_buckets(prefix.count(), elements) + at.spare;
    for (auto& state : all) {
      state.buckets = load_as<std::uint64_t>(stream.take(8));
      if (state.buckets > most - total) at.fail_value(stream, "at most " + std::to_string(most) + " buckets for " + std::to_string(elements) + " elements", std::to_string(state.buckets));
      total += state.buckets;
    }
    take_buckets(at.spare, total, prefix.count(), elements);
    stream.finish();
  }
  const auto scope = at.name.side("load");
  input_stream stream = at.in.open(at.require(dtype::f32, prefix));
  for (auto& state : all) {
    state.load = load_as<float>(stream.take(4));
    if (!(state.load >= min_load_factor && state.load <= 1e18F)) at.fail_value(stream, "a load factor from 1/1024");
  }
  stream.finish();
  return all;
}

/// Calls `fail(problem)` where the keys from `first` to `last` are not such as `T` can hold in this order.
template <class T, class Fail, class Key>
void require_keys(Fail&& fail, const std::vector<stored_key<Key>>& keys, std::size_t first, std::size_t last) {
  for (std::size_t i = first; i < last; ++i) {
    bool has_order = is_ordered_key(keys[i].value);
    if constexpr (!Unordered<T>) has_order = has_order && !typename T::key_compare{}(keys[i].value, keys[i].value);
    if (!has_order) fail("key " + std::to_string(i) + " has no place in an order: it is not a number");
  }
  if constexpr (!Unordered<T>) {
    const typename T::key_compare less{};
    for (std::size_t i = first + 1; i < last; ++i) {
      const bool rises = Multiple<T> ? !less(keys[i].value, keys[i - 1].value) : less(keys[i - 1].value, keys[i].value);
      if (!rises) fail("key " + std::to_string(i) + " is not above the one before it: the keys of a map or set rise");
    }
  }
}

/// Gives `target`, or without one a fresh container, the keys from `first` to `last`; calls `fail(problem)`, which throws, where it
/// cannot have them. Returns its elements in the order of the keys; of an ordered one nothing, as it iterates in that order itself.
template <class T, class Fail, class Key>
std::vector<typename T::value_type*> assign_keys(Fail&& fail, T* target, std::vector<stored_key<Key>>& keys, std::size_t first, std::size_t last,
                                                 const bucket_state& had) {
  require_keys<T>(fail, keys, first, last);
  if constexpr (Unordered<T>) {
    bool is_unique = true;
    T probe;
    auto elements = assign_unordered(target != nullptr ? *target : probe, keys, first, last, had, is_unique);
    if (!is_unique) fail("a key is there twice");
    if (target == nullptr) elements.clear();
    return elements;
  } else {
    if (target != nullptr) assign_ordered(*target, keys, first, last);
    return {};
  }
}

/// The same for the container called `name`: an error names the tensor of its keys.
template <class T, class Key>
std::vector<typename T::value_type*> assign_stored_keys(std::string_view name, T* target, std::vector<stored_key<Key>>& keys, std::size_t first,
                                                        std::size_t last, const bucket_state& had) {
  return assign_keys<T>([&](std::string problem) {
    throw error({.code = errc::invalid_value, .tensor = std::string(name) + (category_of<T> == category::map ? "#keys" : ""), .problem = std::move(problem)});
  }, target, keys, first, last, had);
}

}  // namespace tidemark::detail
#endif
