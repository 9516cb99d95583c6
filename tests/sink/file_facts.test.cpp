// SPDX-License-Identifier: BSL-1.0
// sink/file_facts.hpp: how large and how old something in a folder is.
#include <tidemark/sink/file_facts.hpp>

#include <doctest/doctest.h>
#include <sink/scratch.hpp>

#include <chrono>
#include <filesystem>
#include <string>

#include <fcntl.h>

namespace fs = std::filesystem;
using tidemark::detail::entry_kind;
using tidemark::detail::facts_of;

TEST_CASE("size is that of a file, or of the files directly in a folder; links are not followed") {
  const scratch::folder place;
  scratch::put(place / "file", std::string(1000, 'x'));
  scratch::put(place / "empty", "");
  fs::create_directory(place / "folder");
  for (const char* name : {"a", "b"}) scratch::put(place / "folder/" + name, std::string(100, 'x'));
  fs::create_directory(place / "folder/inner");
  scratch::put(place / "folder/inner/deep", std::string(7777, 'x'));
  fs::create_symlink(place / "file", place / "link");
  fs::create_symlink(place / "file", place / "folder/link");
  fs::create_directory_symlink(place / "folder", place / "to-folder");
  const tidemark::detail::descriptor<tidemark::file_ops> folder({}, ::open(place.path().c_str(), O_RDONLY | O_DIRECTORY));
  const std::size_t before = scratch::open_descriptors();
  CHECK(facts_of(folder, "file", entry_kind::file).bytes == 1000);
  CHECK(facts_of(folder, "empty", entry_kind::file).bytes == 0);
  CHECK(facts_of(folder, "folder", entry_kind::folder).bytes == 200);
  CHECK(facts_of(folder, "link", entry_kind::link).bytes == 0);
  CHECK(facts_of(folder, "to-folder", entry_kind::folder).bytes == 0);
  CHECK(facts_of(folder, "gone", entry_kind::file).bytes == 0);
  CHECK(facts_of(folder, "gone", entry_kind::folder).age_seconds == 0);
  CHECK(scratch::open_descriptors() == before);
}

TEST_CASE("age counts from the last write, and is never negative") {
  const scratch::folder place;
  scratch::put(place / "file", "x");
  const tidemark::detail::descriptor<tidemark::file_ops> folder({}, ::open(place.path().c_str(), O_RDONLY | O_DIRECTORY));
  const auto now = fs::last_write_time(place / "file");
  fs::last_write_time(place / "file", now - std::chrono::hours(2));
  const double age = facts_of(folder, "file", entry_kind::file).age_seconds;
  CHECK(age >= 7199);
  CHECK(age < 7200 + 3600);
  fs::last_write_time(place / "file", now + std::chrono::hours(2));
  CHECK(facts_of(folder, "file", entry_kind::file).age_seconds == 0);
}
