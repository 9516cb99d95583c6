// SPDX-License-Identifier: BSL-1.0
// store/opened_archive.test.cpp: several shards as one archive, and every set of shards that is none refused, with right digests too.
#include <tidemark/store/opened_archive.hpp>

#include <tidemark/store/archive_writer.hpp>
#include <tidemark/store/identity.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <vector>

using namespace tidemark;
using namespace tidemark::detail;

namespace {

/// A shard's file and the digest that a manifest has for it.
struct shard {
  std::string file;
  std::string digest;
};

struct named {
  std::string name, content;
};

const std::string identity_of_shards = "1 xxh3-128 16777216 " + std::string(32, '0') + " {a:u8}";

metadata_list meta(const std::string& place, const std::string& identity = identity_of_shards) { return {{"format", "pt"}, {"tidemark", identity}, {std::string(shard_key), place}}; }

shard make(const std::vector<named>& tensors, const metadata_list& metadata, digests kept = digests::kept) {
  save_plan plan;
  for (const auto& t : tensors) plan.add_bytes(plan.keep(std::string(t.name)), dtype::u8, extents(t.content.size()), 1, t.content.data());
  plan.finish();
  archive_layout layout(plan, metadata, kept);
  const progress_callback none;
  progress_meter meter(none, 0);
  shard made;
  layout.write([&](bytes_view piece) { made.file += std::string(reinterpret_cast<const char*>(piece.data()), piece.size()); }, meter);
  made.digest = to_hex(layout.own_digest());
  return made;
}

/// Shards in memory as a source.
class in_memory {
 public:
  explicit in_memory(const std::vector<shard>& shards) {
    for (const auto& s : shards) {
      parts_.push_back({"shard " + std::to_string(parts_.size() + 1), bytes_.size(), s.file.size(), s.digest});
      bytes_ += s.file;
    }
  }
  std::uint64_t size() const { return bytes_.size(); }
  std::string name() const { return "memory"; }
  void read(std::uint64_t offset, std::span<std::byte> into) const { std::memcpy(into.data(), bytes_.data() + offset, into.size()); }
  const std::vector<source_part>& parts() const { return parts_; }

 private:
  std::string bytes_;
  std::vector<source_part> parts_;
};
static_assert(PartedSource<in_memory>);

struct failure {
  std::string code, file, tensor;
};

failure failure_of(const std::vector<shard>& shards) {
  const in_memory source(shards);
  try {
    static_cast<void>(open_archive(source_ref(source)));
  } catch (const error& e) {
    return {std::string(name_of(e.code())), e.details().file, e.details().tensor};
  }
  return {"none", {}, {}};
}

}  // namespace

TEST_CASE("shards are one archive: all tensors with their digests, metadata without the number of the shard") {
  const std::string large((16 << 20) + 5, 'x');
  const std::vector<shard> shards = {make({{"b", "bee"}, {"z", ""}}, meta("1/3")), make({{"a", large}}, meta("2/3")), make({{"c", "see"}, {"aa", "1"}}, meta("3/3"))};
  const in_memory source(shards);
  const opened_archive all = open_archive(source_ref(source));
  CHECK(all.header.tensors.size() == 5);
  CHECK(all.header.data_bytes == large.size() + 7);
  CHECK(all.header.meta("tidemark") == identity_of_shards);
  CHECK(all.header.meta("format") == "pt");
  CHECK(all.header.metadata.size() == 2);
  CHECK(all.header.find(digests_name) == nullptr);
  for (const auto& [name, content] : std::vector<named>{{"a", large}, {"b", "bee"}, {"c", "see"}, {"z", ""}, {"aa", "1"}}) {
    const tensor_info* t = all.header.find(name);
    REQUIRE(t != nullptr);
    REQUIRE(t->bytes == content.size());
    std::string found(content.size(), '\0');
    source.read(all.header.data_start + t->offset, std::as_writable_bytes(std::span(found)));
    CHECK(found == content);
    const auto at = static_cast<std::size_t>(t - all.header.tensors.data());
    for (std::uint64_t block = 0; block < blocks_of(t->bytes); ++block) {
      const std::string_view piece = std::string_view(content).substr(static_cast<std::size_t>(block * block_bytes), block_bytes);
      all.digests.require(*t, at, block, digest_of(bytes_of(piece)));
      try {
        all.digests.require(*t, at, block, digest128{});
        FAIL("another digest passed");
      } catch (const error& e) {
        CHECK(e.details().file == (name == "a" ? "shard 2" : name == "b" ? "shard 1" : "shard 3"));
      }
    }
  }
  CHECK(std::is_sorted(all.header.tensors.begin(), all.header.tensors.end(), [](const auto& a, const auto& b) { return a.offset < b.offset; }));
}

TEST_CASE("one shard, and shards of no tensors, are archives too") {
  CHECK(failure_of({make({}, meta("1/1"))}).code == "none");
  CHECK(failure_of({make({}, meta("1/2")), make({{"a", "x"}}, meta("2/2"))}).code == "none");
}

TEST_CASE("two shards that hold a tensor of one name are refused, and so is one that holds it twice") {
  const failure f = failure_of({make({{"a", "x"}, {"b", "y"}}, meta("1/2")), make({{"c", "x"}, {"a", "x"}}, meta("2/2"))});
  CHECK(f.code == "corrupt");
  CHECK(f.file == "shard 2");
  CHECK(f.tensor == "a");
}

TEST_CASE("a shard in another's place is refused, wherever it lies") {
  const auto at = [](const std::string& place, const std::string& name) { return make({{name, "x"}}, meta(place)); };
  for (const auto& [first, second, guilty] : std::vector<std::array<std::string, 3>>{{"2/2", "1/2", "shard 1"}, {"1/2", "1/2", "shard 2"}, {"1/3", "2/3", "shard 1"}, {"1/2", "2/3", "shard 2"}, {"1/2", "", "shard 2"},
                                                                                 {"1/2", "02/2", "shard 2"}, {"1/2", "2/2 ", "shard 2"}, {"0/2", "1/2", "shard 1"}}) {
    const failure f = failure_of({at(first, "a"), at(second, "b")});
    CHECK(f.code == "corrupt");
    CHECK(f.file == guilty);
  }
  CHECK(failure_of({make({{"a", "x"}}, {{"format", "pt"}, {"tidemark", identity_of_shards}})}).code == "corrupt");  // a file of its own
}

TEST_CASE("a shard that is not the one of the manifest is refused, though it is whole") {
  const shard right = make({{"a", "x"}}, meta("1/1"));
  for (shard other : {make({{"a", "y"}}, meta("1/1")), make({{"b", "x"}}, meta("1/1"))}) {
    other.digest = right.digest;
    CHECK(failure_of({other}).code == "corrupt");
    CHECK(failure_of({other}).file == "shard 1");
  }
  for (std::string digest : {std::string(), std::string(32, '0'), right.digest.substr(1), right.digest + "0"}) CHECK(failure_of({{right.file, digest}}).code == "corrupt");
}

TEST_CASE("shards of other metadata than the first's are of another save") {
  const auto with = [](metadata_list more) {
    metadata_list all = meta("2/2");
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  const shard first = make({{"a", "x"}}, [] { auto m = meta("1/2"); m.emplace_back("step", "7"); return m; }());
  CHECK(failure_of({first, make({{"b", "x"}}, with({{"step", "7"}}))}).code == "none");
  for (const metadata_list& other : {metadata_list{}, {{"step", "8"}}, {{"Step", "7"}}, {{"step", "7"}, {"more", ""}}}) {
    const failure f = failure_of({first, make({{"b", "x"}}, with(other))});
    CHECK(f.code == "corrupt");
    CHECK(f.file == "shard 2");
  }
  const std::string another = "1 xxh3-128 16777216 " + std::string(32, '0') + " {b:u8}";  // the schema is metadata as well
  CHECK(failure_of({make({{"a", "x"}}, meta("1/2")), make({{"b", "x"}}, meta("2/2", another))}).code == "corrupt");
}

TEST_CASE("a shard without digests, or that is no archive, is refused by name") {
  CHECK(failure_of({make({{"a", "x"}}, meta("1/1"), digests::left_out)}).code == "corrupt");
  const failure plain = failure_of({make({{"a", "x"}}, {{std::string(shard_key), "1/1"}}, digests::left_out)});
  CHECK(plain.code == "corrupt");
  CHECK(plain.file == "shard 1");
  const failure foreign = failure_of({make({{"a", "x"}}, meta("1/2")), {std::string(100, 'x'), {}}});
  CHECK(foreign.code == "corrupt");
  CHECK(foreign.file == "shard 2");
}

TEST_CASE("a flip of any bit, and a cut at any length, of any shard is refused, its name said, before data are read") {
  const std::vector<shard> shards = {make({{"a", ""}}, meta("1/2")), make({{"b", ""}}, meta("2/2"))};
  for (std::size_t s = 0; s < 2; ++s) {
    for (std::size_t bit = 0; bit < shards[s].file.size() * 8; ++bit) {
      auto flipped = shards;
      flipped[s].file[bit / 8] = static_cast<char>(flipped[s].file[bit / 8] ^ (1 << bit % 8));
      const failure f = failure_of(flipped);
      if (f.code == "none" || f.file != "shard " + std::to_string(s + 1)) FAIL("shard " << s << ", bit " << bit << ": " << f.code << " " << f.file);
    }
    for (std::size_t length = 0; length < shards[s].file.size(); ++length) {
      auto cut = shards;
      cut[s].file.resize(length);
      const failure f = failure_of(cut);
      if (f.code == "none" || f.file != "shard " + std::to_string(s + 1)) FAIL("shard " << s << ", length " << length << ": " << f.code << " " << f.file);
    }
  }
}
