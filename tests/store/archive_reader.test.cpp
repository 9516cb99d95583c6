// SPDX-License-Identifier: BSL-1.0
// store/archive_reader.test.cpp: an opened archive hands out what it has checked.
#include <tidemark/store/archive_reader.hpp>

#include <doctest/doctest.h>

#include "trainer.hpp"

using namespace tidemark;
using namespace tidemark::detail;

namespace {

/// Reads without giving access to its memory: the way of files.
struct read_only {
  std::vector<std::byte> all;
  std::uint64_t size() const { return all.size(); }
  std::string name() const { return "read_only"; }
  void read(std::uint64_t offset, std::span<std::byte> into) const {
    REQUIRE(offset + into.size() <= all.size());
    if (!into.empty()) std::memcpy(into.data(), all.data() + offset, into.size());
  }
};

template <class S>
std::string everything(const S& source) {
  archive_reader reader{source_ref(source)};
  std::string all;
  for (const auto& t : reader.header().tensors) {
    if (t.name == digests_name) continue;
    input_stream stream = reader.open(*reader.find(t.name));
    std::string bytes(static_cast<std::size_t>(t.bytes), '\0');
    stream.copy({reinterpret_cast<std::byte*>(bytes.data()), bytes.size()});
    stream.finish();
    all += bytes;
  }
  reader.require_all_claimed();
  return all;
}

}  // namespace

TEST_CASE("streams give the same bytes from memory, through windows and in pieces") {
  trainer state;
  state.weights.assign(100'000, 1.5f);       // more than a window
  state.optimizer.m.assign(20'000, 2.5f);    // most of one
  state.flags.assign((18 << 20) + 3, true);  // more than a block
  for (int i = 0; i < 50; ++i) state.history["k" + std::to_string(i)].assign(static_cast<std::size_t>(i), i);
  const memory m = saved(state);
  const std::string near = everything(m);
  CHECK(near == everything(read_only{bytes_in(m)}));
  CHECK(near.size() > (18u << 20));
}

TEST_CASE("a tensor that nobody asked for is an error, and so is reading past the end of one") {
  const memory m = saved(trainer{});
  archive_reader reader{source_ref(m)};
  CHECK_THROWS_AS(reader.require_all_claimed(), error);
  CHECK(reader.find("none") == nullptr);
  input_stream stream = reader.open(*reader.find("step"));
  stream.finish();
  CHECK_THROWS_AS(stream.take(1), error);
}

TEST_CASE("digests that lie elsewhere, or tensors in another order, verify all the same") {
  // What another tool does when it saves the file again: the order of the tensors is its own.
  const memory m = saved(trainer{});
  archive_reader reader{source_ref(m)};
  std::vector<tensor_info> tensors(reader.header().tensors.rbegin(), reader.header().tensors.rend());
  std::string data;
  for (auto& t : tensors) {
    const auto bytes = m.bytes().subspan(static_cast<std::size_t>(reader.header().data_start + t.offset), static_cast<std::size_t>(t.bytes));
    t.offset = data.size();
    data += text_of(bytes);
  }
  metadata_list metadata;
  for (const auto& [key, value] : reader.header().metadata) metadata.insert(metadata.begin(), {std::string(key), std::string(value)});
  const std::string file = make_header(tensors, metadata) + data;
  CHECK(load<trainer>(memory{bytes_of(file)}) == trainer{});
  metadata[0].second += "x";
  const std::string changed = make_header(tensors, metadata) + data;
  CHECK_THROWS_AS(static_cast<void>(load<trainer>(memory{bytes_of(changed)})), error);
}

TEST_CASE("a schema without digests, and digests of another shape, are damage") {
  const memory m = saved(trainer{});
  archive_reader reader{source_ref(m)};
  std::vector<tensor_info> tensors;
  std::string data;
  for (const auto& t : reader.header().tensors) {
    if (t.name == digests_name) continue;
    tensors.push_back(t);
    data += text_of(m.bytes().subspan(static_cast<std::size_t>(reader.header().data_start + t.offset), static_cast<std::size_t>(t.bytes)));
  }
  metadata_list metadata;
  for (const auto& [key, value] : reader.header().metadata) metadata.emplace_back(key, value);
  const std::string without = make_header(tensors, metadata) + data;
  CHECK_THROWS_AS(static_cast<void>(load<trainer>(memory{bytes_of(without)})), error);
  CHECK_THROWS_AS(verify(memory{bytes_of(without)}), error);
  const std::uint64_t extent = 32;
  tensors.push_back({digests_name, dtype::u8, {&extent, 1}, data.size(), 32});
  const std::string other = make_header(tensors, metadata) + data + std::string(32, '\0');
  CHECK_THROWS_AS(verify(memory{bytes_of(other)}), error);
}
