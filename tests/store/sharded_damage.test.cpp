// SPDX-License-Identifier: BSL-1.0
// store/sharded_damage.test.cpp: every flipped bit, cut and exchanged file of a sharded checkpoint is an error that names the file, or means the same.
#include <tidemark/store/load.hpp>  // before the rest: what it declares once changed what a manifest held
#include <tidemark/store/sharded_directory.hpp>
#include <tidemark/store/sharded_source.hpp>

#include <doctest/doctest.h>

#include "share.hpp"
#include "sink/scratch.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace tidemark;
namespace fs = std::filesystem;

namespace {

struct state {
  std::uint64_t step = 3;
  std::vector<float> a{1, 2, 3};
  std::string name = "tide";
  friend bool operator==(const state&, const state&) = default;
};

const std::string manifest = std::string(detail::manifest_name);

void save_in(const std::string& path, const state& s, const metadata_list& metadata = {}) {
  save(s, sharded_directory{path, {.shards = 2, .threads = 1, .durability = durability::process}}, {.metadata = metadata});
}

std::vector<std::string> files_in(const std::string& path) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(path)) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

struct outcome {
  std::optional<state> value;
  std::string code, file;  ///< of the error; the file without its folder
};

outcome load_from(const std::string& path) {
  try {
    return {load<state>(sharded_source{path}, {.threads = 1}), {}, {}};
  } catch (const error& e) {
    const std::string file = e.details().file;
    return {std::nullopt, std::string(name_of(e.code())), file.starts_with(path + "/") ? file.substr(path.size() + 1) : "(" + file + ")"};
  }
}

/// Changes one byte of a file in place.
void put_byte(std::fstream& file, std::size_t at, char byte) {
  file.seekp(static_cast<std::streamoff>(at));
  file.put(byte);
  file.flush();
}

}  // namespace

TEST_CASE("a flip of any bit of any file is an error that names the file, or the state is the same; restore leaves its target alone") {
  const scratch::folder dir;
  const std::string path = dir / "x";
  const state saved_state;
  save_in(path, saved_state);
  std::size_t bits = 0, same = 0;
  for (const auto& name : files_in(path)) {
    const std::string content = scratch::content(path + "/" + name);
    std::fstream file(path + "/" + name, std::ios::in | std::ios::out | std::ios::binary);
    for (std::size_t bit = 0; bit < content.size() * 8; bit += scratch::share(), ++bits) {
      put_byte(file, bit / 8, static_cast<char>(content[bit / 8] ^ (1 << bit % 8)));
      const outcome o = load_from(path);
      if (o.value ? *o.value != saved_state : o.file != name) FAIL(name << ", bit " << bit << ": " << o.code << " of " << o.file);
      same += o.value.has_value();
      if (bit % 97 == 0) {
        state target{9, {8, 7}, "other"};
        try {
          restore(target, sharded_source{path}, {.threads = 1});
          CHECK(target == saved_state);
        } catch (const error&) {
          CHECK(target == state{9, {8, 7}, "other"});
        }
      }
      put_byte(file, bit / 8, content[bit / 8]);
    }
  }
  CHECK(bits * scratch::share() > 10'000);
  CHECK(same == 0);  // nothing here is spelled in two ways that mean the same
  CHECK(load_from(path).value == saved_state);
}

TEST_CASE("a cut at any length of any file, and bytes behind it, are errors that name the file") {
  const scratch::folder dir;
  const std::string path = dir / "x";
  save_in(path, {});
  for (const auto& name : files_in(path)) {
    const std::string content = scratch::content(path + "/" + name);
    const auto refused = [&](const std::string& changed) {
      scratch::put(path + "/" + name, changed);
      const outcome o = load_from(path);
      return !o.value && o.file == name;
    };
    for (std::size_t length = 0; length < content.size(); ++length) {
      if (!refused(content.substr(0, length))) FAIL(name << ", length " << length);
    }
    for (const std::string& more : {std::string(1, '\0'), std::string(" "), std::string("\n"), content, std::string(100'000, 'x')}) CHECK(refused(content + more));
    scratch::put(path + "/" + name, content);
  }
  CHECK(load_from(path).value == state{});
}

TEST_CASE("each file zeroed in part, from any multiple of 64 bytes on, is refused by name") {
  const scratch::folder dir;
  const std::string path = dir / "x";
  save_in(path, {});
  for (const auto& name : files_in(path)) {
    const std::string content = scratch::content(path + "/" + name);
    for (std::size_t from = 0; from < content.size(); from += 64) {
      std::string zeroed = content;
      std::fill(zeroed.begin() + static_cast<std::ptrdiff_t>(from), zeroed.end(), '\0');
      scratch::put(path + "/" + name, zeroed);
      const outcome o = load_from(path);
      if (o.value || o.file != name) FAIL(name << " zero from " << from << ": " << o.code << " of " << o.file);
    }
    scratch::put(path + "/" + name, content);
  }
}

TEST_CASE("files of two checkpoints of equal names and sizes, mixed in every way: the one, the other, or an error") {
  const state first, second{4, {1, 2, 4}, "ebbs"};
  for (const bool has_equal_metadata : {true, false}) {
    const scratch::folder dir;
    save_in(dir / "first", first, {{"step", "1"}});
    save_in(dir / "second", second, {{"step", has_equal_metadata ? "1" : "2"}});
    const auto names = files_in(dir / "first");
    REQUIRE(names == files_in(dir / "second"));
    for (const auto& name : names) REQUIRE(fs::file_size(dir / "first/" + name) == fs::file_size(dir / "second/" + name));
    for (std::size_t choice = 0; choice < std::size_t{1} << names.size(); ++choice) {
      const std::string path = dir / std::to_string(choice);
      fs::create_directory(path);
      std::set<std::string> shards_from;
      std::string manifest_from;
      for (std::size_t i = 0; i < names.size(); ++i) {
        const std::string from = (choice >> i & 1) != 0 ? "second" : "first";
        fs::copy(dir / from + "/" + names[i], path + "/" + names[i]);
        if (names[i] == manifest) manifest_from = from;
        else if (names[i].ends_with(".safetensors")) shards_from.insert(from);
      }
      const outcome o = load_from(path);
      const bool is_whole = shards_from == std::set{manifest_from};
      CHECK(o.value.has_value() == is_whole);
      if (is_whole) CHECK(*o.value == (manifest_from == "first" ? first : second));
      else CHECK(o.file.ends_with(".safetensors"));  // which one, the manifest says
    }
  }
}

TEST_CASE("shards exchanged within a folder, or put twice, are refused by name") {
  const scratch::folder dir;
  save_in(dir / "x", state{3, {}, ""});  // so that nothing but the names of tensors differs
  const std::string one = dir / "x/model-00001-of-00002.safetensors", two = dir / "x/model-00002-of-00002.safetensors";
  const std::string first = scratch::content(one), second = scratch::content(two);
  scratch::put(one, second);
  scratch::put(two, first);
  CHECK_FALSE(load_from(dir / "x").value);
  scratch::put(two, second);
  CHECK(load_from(dir / "x").file == "model-00001-of-00002.safetensors");
  scratch::put(one, first);
  scratch::put(two, first);
  CHECK(load_from(dir / "x").file == "model-00002-of-00002.safetensors");
}

TEST_CASE("a manifest that is right by itself, of files that are whole, gives no other state than one that was saved") {
  const scratch::folder dir;
  const std::string path = dir / "x";
  save_in(path, {});
  auto entries = detail::parse_manifest(scratch::content(path + "/" + manifest));
  REQUIRE(entries.size() == 3);
  const auto with = [&](const std::vector<detail::manifest_entry>& some) {
    scratch::put(path + "/" + manifest, detail::make_manifest(some));
    return load_from(path);
  };
  CHECK(with(entries).value == state{});
  CHECK_FALSE(with({entries[0], entries[2]}).value);                         // a shard left out
  CHECK_FALSE(with({entries[1], entries[2]}).value);
  CHECK_FALSE(with({entries[1], entries[0], entries[2]}).value);             // in another order: the place is part of a shard
  CHECK(with({entries[0], entries[1]}).value == state{});                    // the index is for others
  CHECK(with({entries[2], entries[0], entries[1]}).value == state{});
  auto changed = entries;
  changed[1].is_shard = false;
  CHECK_FALSE(with(changed).value);
  changed = entries;
  changed[2].is_shard = true;
  CHECK(with(changed).code == "unsupported");  // by its name it is no safetensors file
  changed = entries;
  fs::copy(path + "/" + entries[0].name, path + "/copy.safetensors");
  changed.push_back(entries[0]);
  changed.back().name = "copy.safetensors";
  CHECK(with(changed).code == "corrupt");
  for (auto& e : entries) {
    const auto kept = e;
    ++e.bytes;
    CHECK(with(entries).code == "truncated");
    e.bytes -= 2;
    CHECK(with(entries).code == "corrupt");
    e = kept;
    e.digest.back() = e.digest.back() == '0' ? '1' : '0';
    CHECK(with(entries).file == e.name);
    e = kept;
  }
}
