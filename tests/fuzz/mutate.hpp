// SPDX-License-Identifier: BSL-1.0
// fuzz/mutate.hpp: changes an archive where it hurts, and seals it again, so that the change gets past the digests.
#ifndef TIDEMARK_TESTS_FUZZ_MUTATE_HPP
#define TIDEMARK_TESTS_FUZZ_MUTATE_HPP

#include "forge.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <utility>

namespace fuzz {

/// One source of chance for all; `below(n)` is not quite even, but the same from every standard library.
struct chance {
  std::mt19937_64 engine;
  explicit chance(std::uint64_t seed) : engine(seed) {}
  std::uint64_t below(std::uint64_t n) { return n == 0 ? 0 : engine() % n; }
  bool one_in(std::uint64_t n) { return below(n) == 0; }
  template <class C>
  auto& of(C& all) { return all[static_cast<std::size_t>(below(all.size()))]; }
  /// Numbers at the edges of what sizes, offsets and indices can be.
  std::uint64_t edge() {
    switch (below(6)) {
      case 0: return below(5);
      case 1: return std::uint64_t{1} << below(64);
      case 2: return (std::uint64_t{1} << below(64)) - 1;
      case 3: return ~below(4);
      case 4: return engine();
      default: return below(300);
    }
  }
};

/// Bytes as any fuzzer changes them: flipped bits, edges, pieces that are dropped, doubled or moved.
inline void mutate_bytes(bytes& content, chance& random, std::size_t longest) {
  const auto at = [&](std::size_t room) { return static_cast<std::size_t>(random.below(content.size() - room + 1)); };
  const auto iterator = [&](std::size_t i) { return content.begin() + static_cast<std::ptrdiff_t>(i); };
  if (content.empty()) {
    content.resize(std::min<std::size_t>(longest, static_cast<std::size_t>(random.below(9))));
    return;
  }
  switch (random.below(6)) {
    case 0: content[at(1)] ^= static_cast<std::byte>(1u << random.below(8)); break;
    case 1: content[at(1)] = static_cast<std::byte>(random.edge() & 0xff); break;
    case 2: {
      const std::uint64_t number = random.edge();
      const std::size_t size = std::min<std::size_t>(content.size(), std::size_t{1} << random.below(4));
      std::memcpy(content.data() + at(size) / size * size % (content.size() - size + 1), &number, size);
      break;
    }
    case 3: {
      const std::size_t size = static_cast<std::size_t>(1 + random.below(std::min<std::size_t>(content.size(), 16)));
      const std::size_t from = at(size);
      content.erase(iterator(from), iterator(from + size));
      break;
    }
    case 4: {
      const std::size_t size = static_cast<std::size_t>(1 + random.below(std::min<std::size_t>(content.size(), 16)));
      const bytes piece(iterator(at(size)), content.end());
      const std::size_t taken = std::min(size, piece.size());
      if (content.size() + taken <= longest) content.insert(iterator(at(0)), piece.begin(), piece.begin() + static_cast<std::ptrdiff_t>(taken));
      break;
    }
    default: {
      const std::size_t size = static_cast<std::size_t>(1 + random.below(std::min<std::size_t>(content.size(), 16)));
      const std::size_t from = at(size), to = at(size);
      std::memmove(content.data() + to, content.data() + from, size);
    }
  }
}

/// Gives a tensor the bytes that its shape asks for; false where those are too many or end within a byte.
inline bool fit_content(tensor& t, std::size_t longest) {
  bool fits = true;
  const std::uint64_t size = tidemark::detail::tensor_bytes(t.type, t.shape, fits);
  if (!fits || size > longest) return false;
  t.content.resize(static_cast<std::size_t>(size));
  return true;
}

inline void mutate_shape(tensor& t, chance& random, std::size_t longest) {
  const tensor before = t;
  switch (random.below(4)) {
    case 0: t.shape.insert(t.shape.begin() + static_cast<std::ptrdiff_t>(random.below(t.shape.size() + 1)), random.below(3)); break;
    case 1:
      if (!t.shape.empty()) t.shape.erase(t.shape.begin() + static_cast<std::ptrdiff_t>(random.below(t.shape.size())));
      break;
    case 2:
      if (!t.shape.empty()) random.of(t.shape) += random.one_in(2) ? 1 : ~std::uint64_t{0};
      break;
    default:
      if (!t.shape.empty()) random.of(t.shape) = random.edge();
      if (random.one_in(2)) t.shape.push_back(0);  // a huge extent beside 0 takes no bytes
  }
  if (!fit_content(t, longest)) t = before;
}

inline void mutate_name(archive& parts, chance& random) {
  std::string& name = random.of(parts.tensors).name;
  const std::string& other = random.of(parts.tensors).name;
  const std::size_t cut = name.find_last_of(".#");
  const std::size_t other_cut = other.find_last_of(".#");
  switch (random.below(3)) {
    case 0: name = other; break;
    case 1: name = name.substr(0, cut) + (other_cut == std::string::npos ? "" : other.substr(other_cut)); break;
    default: {
      const std::size_t digit = name.find_first_of("0123456789");
      if (digit != std::string::npos) name.replace(digit, 1, std::to_string(random.edge()));
      else name += random.one_in(2) ? "#item" : ".0";
    }
  }
}

inline void mutate_schema(archive& parts, chance& random) {
  for (auto& [key, value] : parts.metadata) {
    if (key != "tidemark") continue;
    bytes text(tidemark::detail::bytes_of(value).begin(), tidemark::detail::bytes_of(value).end());
    const std::size_t start = std::min<std::size_t>(value.size(), 53);  // where the schema begins
    bytes tail(text.begin() + static_cast<std::ptrdiff_t>(start), text.end());
    mutate_bytes(random.one_in(8) ? text : tail, random, 4096);
    if (text.size() >= start && std::equal(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(start), value.begin(), [](std::byte a, char b) { return a == static_cast<std::byte>(b); })) {
      text.resize(start);
      text.insert(text.end(), tail.begin(), tail.end());
    }
    value.assign(reinterpret_cast<const char*>(text.data()), text.size());
  }
}

/// Changes one thing about the parts of an archive. `on_content` changes the bytes of one tensor.
template <class OnContent>
void mutate_parts(archive& parts, chance& random, std::size_t longest, OnContent&& on_content) {
  if (parts.tensors.empty()) return;
  tensor& t = random.of(parts.tensors);
  switch (random.below(16)) {
    case 0: mutate_shape(t, random, longest); break;
    case 1: {
      const tensor before = t;
      t.type = static_cast<tidemark::dtype>(random.below(tidemark::detail::dtype_rows.size()));
      if (!fit_content(t, longest)) t = before;
      break;
    }
    case 2: parts.tensors.erase(parts.tensors.begin() + static_cast<std::ptrdiff_t>(&t - parts.tensors.data())); break;
    case 3: parts.tensors.push_back(tensor(t)); mutate_name(parts, random); break;
    case 4: mutate_name(parts, random); break;
    case 5: mutate_schema(parts, random); break;
    case 6: std::swap(t, random.of(parts.tensors)); break;
    case 7: std::swap(t.name, random.of(parts.tensors).name); break;
    default: {
      const std::size_t size = t.content.size();
      on_content(t.content);
      // Bytes that grow or shrink by whole elements make another first extent, as a hostile writer would say it.
      bool fits = true;
      std::uint64_t row = tidemark::detail::tensor_bytes(t.type, std::span(t.shape).subspan(t.shape.empty() ? 0 : 1), fits);
      if (t.content.size() != size && !t.shape.empty() && fits && row != 0 && t.content.size() >= row) t.shape[0] = t.content.size() / row;
      static_cast<void>(fit_content(t, longest));
    }
  }
}

/// A file near `file`: mostly with digests that are right again, one in eight as damage leaves it.
inline bytes mutated(const bytes& file, chance& random, std::size_t longest = 1 << 16) {
  bytes changed = file;
  auto parts = random.one_in(8) ? std::nullopt : taken_apart(file);
  for (std::uint64_t n = 1 + random.below(3); n-- > 0;) {
    if (parts) mutate_parts(*parts, random, longest, [&](bytes& content) { mutate_bytes(content, random, longest); });
    else mutate_bytes(changed, random, longest);
  }
  if (parts) changed = put_together(*std::move(parts));
  return changed;
}

}  // namespace fuzz
#endif
