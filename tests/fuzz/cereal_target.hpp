// SPDX-License-Identifier: BSL-1.0
// fuzz/cereal_target.hpp: bytes that may be the blob of a type with cereal functions, read as values, graphs, bases and every style of them.
#ifndef TIDEMARK_TESTS_FUZZ_CEREAL_TARGET_HPP
#define TIDEMARK_TESTS_FUZZ_CEREAL_TARGET_HPP

#include "cereal/styles.hpp"
#include "mutate.hpp"
#include "outcome.hpp"

#include <cereal/types/bitset.hpp>
#include <cereal/types/chrono.hpp>
#include <cereal/types/complex.hpp>
#include <cereal/types/deque.hpp>
#include <cereal/types/forward_list.hpp>
#include <cereal/types/list.hpp>
#include <cereal/types/queue.hpp>
#include <cereal/types/set.hpp>
#include <cereal/types/stack.hpp>
#include <cereal/types/tuple.hpp>
#include <cereal/types/utility.hpp>
#include <cereal/types/valarray.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace fuzz {

/// Each kind but those that cereal does not bring back as they were: what is unordered, and multimaps.
struct blob_values {
  bool flag = true;
  char letter = 'x';
  std::int8_t tiny = -1;
  std::uint64_t large = ~std::uint64_t{0};
  long double wide = 1.5L;
  std::string text = "text";
  std::array<std::int16_t, 3> fixed{1, 2, 3};
  std::vector<bool> flags{true, false};
  std::vector<float> numbers{1, 2};
  std::vector<std::vector<std::string>> table{{"a", ""}, {}};
  std::deque<std::int16_t> line{4, 5};
  std::list<std::pair<std::string, bool>> list{{"p", true}};
  std::forward_list<double> chain{0.5};
  std::set<std::string> names{"n", "o"};
  std::multiset<std::int32_t> counts{1, 1};
  std::map<std::string, std::vector<double>> named{{"k", {1}}, {"l", {}}};
  std::optional<std::string> maybe = "m";
  std::variant<std::int32_t, std::string, std::vector<float>> choice = std::string("c");
  std::tuple<std::int32_t, std::string> both{1, "b"};
  std::bitset<11> bits{5};
  std::complex<float> z{1, 2};
  std::valarray<std::int32_t> values{7, 8};
  std::stack<std::int32_t> stack;
  std::priority_queue<std::int32_t> queue;
  std::chrono::milliseconds time{3};
  std::unique_ptr<std::string> owned = std::make_unique<std::string>("o");
  template <class A>
  void serialize(A& a) {
    a(flag, letter, CEREAL_NVP(tiny), large, wide, text, fixed, flags, CEREAL_NVP(numbers), table, line, list, chain, names, counts, CEREAL_NVP(named));
    a(maybe, choice, both, bits, z, values, stack, queue, time, owned);
  }
};

struct blob_tree {
  std::int32_t value = 0;
  std::vector<blob_tree> below;
  std::unique_ptr<blob_tree> next;
  template <class A>
  void serialize(A& a) { a(value, below, next); }
};

struct blob_styles {
  styles::member_serialize a;
  styles::member_serialize_versioned b;
  styles::member_split c;
  styles::member_split_versioned d;
  styles::member_minimal e;
  styles::member_minimal_versioned f;
  styles::free_serialize g;
  styles::free_serialize_versioned h;
  styles::free_split i;
  styles::free_split_versioned j;
  styles::free_minimal k;
  styles::free_minimal_versioned l;
  styles::befriended m;
  std::vector<styles::member_serialize_versioned> more;
  template <class A>
  void serialize(A& archive) { archive(a, b, c, d, e, f, g, h, i, j, k, l, m, CEREAL_NVP(more)); }
};

}  // namespace fuzz

template <> inline constexpr bool tidemark::use_cereal<fuzz::blob_values> = true;
template <> inline constexpr bool tidemark::use_cereal<std::shared_ptr<styles::vertex>> = true;
template <> inline constexpr bool tidemark::use_cereal<fuzz::blob_tree> = true;
template <> inline constexpr bool tidemark::use_cereal<fuzz::blob_styles> = true;

namespace fuzz {

/// What the first byte of an input asks for.
enum class blob_as : std::uint8_t { values, graph, tree, bases, styles };

template <class T>
bytes blob_input_of(blob_as kind, const T& value) {
  const bytes blob = tidemark::represent<T>::snapshot(value);
  bytes all{static_cast<std::byte>(kind)};
  all.insert(all.end(), blob.begin(), blob.end());
  return all;
}

inline std::vector<bytes> cereal_seeds() {
  blob_values values;
  values.stack.push(1);
  values.queue.push(2);
  auto graph = std::make_shared<styles::vertex>();
  graph->name = "root";
  graph->note = std::make_shared<std::string>("note");
  graph->number = std::make_shared<std::int32_t>(3);
  for (int i = 0; i < 3; ++i) {
    graph->next.push_back(std::make_shared<styles::vertex>());
    graph->next.back()->back = graph;
    graph->next.back()->note = graph->note;
  }
  graph->next.push_back(graph->next[1]);
  graph->next.push_back(nullptr);
  blob_tree tree;
  tree.below.resize(3);
  tree.below[1].below.resize(2);
  tree.next = std::make_unique<blob_tree>();
  tree.next->next = std::make_unique<blob_tree>();
  styles::drawing bases;
  bases.shapes = {std::make_shared<styles::square>(), nullptr, std::make_shared<styles::box>()};
  bases.shapes[0]->label = "first";
  bases.background = std::make_unique<styles::square>();
  bases.selected = bases.shapes[2];
  bases.frame = std::make_shared<styles::constructed>(3);
  blob_styles all;
  all.b.values = {1, 2};
  all.more.resize(2);
  return {blob_input_of(blob_as::values, values), blob_input_of(blob_as::graph, graph), blob_input_of(blob_as::tree, tree),
          blob_input_of(blob_as::bases, bases), blob_input_of(blob_as::styles, all)};
}

/// A size that the bytes left allow makes that many elements; the largest is a set of styles, which is held twice.
inline constexpr std::int64_t blob_bytes_per_byte = 1024;

template <class T>
bool read_blob(std::span<const std::byte> content) {
  using blob = tidemark::represent<T>;
  T value = T();
  const bytes before = blob::snapshot(value);
  if (outcome([&] { blob::restore(value, bytes(content.begin(), content.end())); })) {
    require(blob::snapshot(value) == before, "a refused blob changed its target");
    return false;
  }
  const bytes again = blob::snapshot(value);
  T other = T();
  blob::restore(other, bytes(again));
  require(blob::snapshot(other) == again, "what was stored is read as another value");
  return true;
}

inline bool cereal_input(std::span<const std::byte> input) {
  if (input.empty()) return false;
  const auto content = input.subspan(1);
  const auto limit = static_cast<std::int64_t>(input.size()) * blob_bytes_per_byte + (64 << 10);
  const bool is_accepted = within(limit, [&] {
    switch (static_cast<blob_as>(std::to_integer<unsigned>(input[0]) % 5)) {
      case blob_as::values: return read_blob<blob_values>(content);
      case blob_as::graph: return read_blob<std::shared_ptr<styles::vertex>>(content);
      case blob_as::tree: return read_blob<blob_tree>(content);
      case blob_as::bases: return read_blob<styles::drawing>(content);
      default: return read_blob<blob_styles>(content);
    }
  });
  styles::vertex::open_rings();
  require(styles::vertex::alive().empty(), "an object of a blob is owned by nobody, and alive");
  return is_accepted;
}

}  // namespace fuzz
#endif
