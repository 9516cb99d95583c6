// SPDX-License-Identifier: BSL-1.0
// format/digests.test.cpp: the table of digests and the digest of a header.
#include <tidemark/format/digests.hpp>
#include <tidemark/format/name_index.hpp>

#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

using namespace tidemark;
using namespace tidemark::detail;

TEST_CASE("a tensor has a digest for each 16 MiB that it begins, none where it is empty") {
  constexpr std::uint64_t block = 16777216;
  for (const auto& [bytes, blocks] : std::map<std::uint64_t, std::uint64_t>{{0, 0}, {1, 1}, {block - 1, 1}, {block, 1}, {block + 1, 2}, {3 * block, 3}, {UINT64_MAX, (UINT64_MAX / block) + 1}}) {
    CHECK(blocks_of(bytes) == blocks);
  }
}

TEST_CASE("digests lie by name, behind the table's own and the header's") {
  const std::vector<tensor_info> tensors{{"b", dtype::u8, {}, 0, 2 * block_bytes}, {"c", dtype::u8, {}, 0, 0}, {"a", dtype::u8, {}, 0, 1}};
  digest_table table(tensors, order_by_name(tensors));
  CHECK(table.bytes() == 16 * (2 + 1 + 2));
  const auto mark = [](char letter) { return digest_of(bytes_of(std::string_view(&letter, 1))); };
  table.header() = mark('h');
  table.block(2, 0) = mark('a');
  table.block(0, 0) = mark('b');
  table.block(0, 1) = mark('B');
  table.seal();
  CHECK(table.is_sealed());
  std::string expected;
  for (const char letter : {'h', 'a', 'b', 'B'}) expected += text_of(mark(letter).bytes);
  CHECK(text_of(std::as_const(table).view()) == std::string(text_of(digest_of(bytes_of(expected)).bytes)) + expected);
  for (std::size_t bit = 0; bit < table.bytes() * 8; ++bit) {
    table.view()[bit / 8] ^= static_cast<std::byte>(1 << bit % 8);
    REQUIRE_FALSE(table.is_sealed());
    table.view()[bit / 8] ^= static_cast<std::byte>(1 << bit % 8);
  }
}

TEST_CASE("the header digest covers every name, dtype, extent and metadata entry, and no order") {
  using metadata = std::vector<std::pair<std::string, std::string>>;
  struct tensor {
    std::string name;
    dtype type;
    std::vector<std::uint64_t> shape;
  };
  const auto digest = [](const std::vector<tensor>& all, const metadata& meta) {
    std::vector<tensor_info> infos;
    for (const auto& t : all) infos.push_back({t.name, t.type, t.shape, 0, 0});
    return header_digest(infos, order_by_name(infos), meta);
  };
  const std::vector<tensor> all{{"a", dtype::f32, {2, 3}}, {"b", dtype::u8, {}}};
  const metadata meta{{"k", "v"}, {"l", "w"}};
  const auto original = digest(all, meta);
  CHECK(digest({all[1], all[0]}, {meta[1], meta[0]}) == original);
  std::vector<std::pair<std::vector<tensor>, metadata>> others{
      {{{"A", dtype::f32, {2, 3}}, all[1]}, meta}, {{{"a", dtype::i32, {2, 3}}, all[1]}, meta}, {{{"a", dtype::f32, {3, 2}}, all[1]}, meta},
      {{{"a", dtype::f32, {6}}, all[1]}, meta},    {{all[0]}, meta},                            {all, {{"k", "v"}}},
      {all, {{"k", "w"}, {"l", "v"}}},             {all, {{"kv", ""}, {"l", "w"}}},             {all, {}}};
  for (const auto& [tensors, entries] : others) CHECK(digest(tensors, entries) != original);

  // The exact bytes that docs/format.md prescribes, for one tensor and one entry.
  std::string stream;
  const auto number = [&](std::uint64_t n) { stream.append(reinterpret_cast<const char*>(&n), 8); };
  const auto text = [&](std::string_view t) { number(t.size()); stream += t; };
  number(1);
  text("a");
  text("F32");
  number(2);
  number(2);
  number(3);
  number(1);
  text("k");
  text("v");
  CHECK(digest({all[0]}, {{"k", "v"}}) == digest_of(bytes_of(stream)));
  // A long header takes the way around the buffer.
  std::vector<tensor> many;
  stream.clear();
  number(300);
  for (int i = 100; i < 400; ++i) {
    many.push_back({"name" + std::to_string(i), dtype::u8, {}});
    text(many.back().name);
    text("U8");
    number(0);
  }
  number(1);
  text("k");
  text(std::string(10000, 'v'));
  CHECK(digest(many, {{"k", std::string(10000, 'v')}}) == digest_of(bytes_of(stream)));
}
