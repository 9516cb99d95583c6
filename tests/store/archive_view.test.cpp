// SPDX-License-Identifier: BSL-1.0
// store/archive_view.test.cpp: any safetensors file by name, verified where it has digests.
#include <tidemark/store/archive_view.hpp>

#include <doctest/doctest.h>

#include "trainer.hpp"

#include <filesystem>
#include <fstream>

using namespace tidemark;
namespace fs = std::filesystem;

namespace {

memory foreign(const std::string& json, const std::string& data) {
  std::string file(8, '\0');
  const std::uint64_t length = json.size();
  std::memcpy(file.data(), &length, 8);
  return memory{detail::bytes_of(file + json + data)};
}

template <class F>
std::string code_of(F f) {
  try {
    f();
    return "none";
  } catch (const error& e) {
    CHECK(std::string(e.what()).size() > 40);
    return std::string(name_of(e.code()));
  }
}

}  // namespace

TEST_CASE("tensors of our files are viewed where they lie, from memory and from a mapped file") {
  const auto path = fs::temp_directory_path() / "tidemark-archive-view.safetensors";
  trainer state;
  state.weights = {1, 2, 3};
  save(state, path, {.metadata = {{"step", "7"}}});
  for (const bool is_mapped : {true, false}) {
    archive_view first = is_mapped ? archive_view(path) : archive_view(saved(state, {.metadata = {{"step", "7"}}}));
    const auto early = first.elements<float>("weights");
    const archive_view view(std::move(first));
    CHECK(early.data() == view.elements<float>("weights").data());  // views survive a move
    CHECK(std::vector<float>(early.begin(), early.end()) == state.weights);
    CHECK(view.has_digests());
    CHECK(view.elements<std::uint64_t>("step")[0] == 42);
    CHECK(view["samples.label#offsets"].type == dtype::u64);
    CHECK(view["layers.1.weight"].shape.size() == 2);
    CHECK(view.contains("optimizer.lr"));
    CHECK_FALSE(view.contains("tidemark#digests"));
    CHECK(view.values<bool>("flags") == std::vector<bool>{true, false});
    CHECK(view.values<float>("optimizer.m") == std::vector<float>{1, 2, 3});
    CHECK(view.metadata("step") == "7");
    CHECK(view.metadata("format") == "pt");
    CHECK(view.stored_schema() == schema_of<trainer>());
    CHECK(view.tensors().size() == plan(state).tensors.size());
    CHECK(code_of([&] { view.elements<double>("weights"); }) == "schema_mismatch");
    CHECK(code_of([&] { view.elements<float>("weight"); }) == "not_found");
    try {
      view.bytes("m");
    } catch (const error& e) {
      CHECK(std::string(e.what()).find("optimizer.m") != std::string::npos);
    }
  }
  fs::remove(path);
}

TEST_CASE("a damaged tensor is refused when it is read, the others are not") {
  auto bytes = bytes_in(saved(trainer{}));
  std::uint64_t at = 0;
  {
    const archive_view whole(memory{bytes});
    at = static_cast<std::uint64_t>(whole.bytes("optimizer.m").data() - whole.bytes("step").data()) + 8;
    const std::string needle(reinterpret_cast<const char*>(whole.bytes("optimizer.m").data()), 12);
    const std::string all(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    at = all.find(needle);
  }
  bytes[static_cast<std::size_t>(at)] ^= std::byte{1};
  const archive_view view(memory{bytes});
  CHECK(code_of([&] { view.elements<float>("optimizer.m"); }) == "corrupt");
  CHECK(code_of([&] { view.elements<float>("optimizer.m"); }) == "corrupt");
  CHECK(code_of([&] { view.elements<float>("optimizer.v"); }) == "none");
}

TEST_CASE("files of other writers open: no digests, odd alignment, every rank, empty tensors") {
  const archive_view view(foreign(R"({"__metadata__":{"by":"x"},"c":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"w":{"dtype":"F32","shape":[1,1,1,1,1,1,1,1,1,2],"data_offsets":[1,9]},"e":{"dtype":"F16","shape":[0,3],"data_offsets":[9,9]},"s":{"dtype":"I64","shape":[],"data_offsets":[9,17]}})",
                                  std::string("\1\0\0\x80\x3f\0\0\0\x40\5\0\0\0\0\0\0\0", 17)));
  CHECK_FALSE(view.has_digests());
  CHECK_FALSE(view.stored_schema());
  CHECK(view.metadata("by") == "x");
  CHECK(view.values<float>("w") == std::vector<float>{1, 2});
  CHECK(view.values<std::int64_t>("s") == std::vector<std::int64_t>{5});
  CHECK(view["w"].shape.size() == 10);
  CHECK(view.bytes("e").empty());
  bool has_unaligned = false;
  for (const char* name : {"w", "s"}) {
    has_unaligned = has_unaligned || code_of([&] { name[0] == 'w' ? void(view.elements<float>("w")) : void(view.elements<std::int64_t>("s")); }) == "unsupported";
  }
  CHECK(has_unaligned);
  CHECK(code_of([] { archive_view a(foreign("{", "")); }) == "corrupt");
  CHECK(code_of([] { archive_view a("no/such/file.safetensors"); }) == "not_found");
  CHECK(archive_view(foreign(R"({"b":{"dtype":"BOOL","shape":[2],"data_offsets":[0,2]}})", "\1\1")).values<bool>("b").size() == 2);
  CHECK(code_of([] { archive_view(foreign(R"({"b":{"dtype":"BOOL","shape":[2],"data_offsets":[0,2]}})", "\1\2")).values<bool>("b"); }) == "invalid_value");
}

TEST_CASE("a file without tensors opens, an empty one does not") {
  CHECK(archive_view(foreign("{}", "")).tensors().empty());
  CHECK(code_of([] { archive_view a(memory{std::vector<std::byte>{}}); }) == "truncated");
}
