// SPDX-License-Identifier: BSL-1.0
// tests/sink/staging_name.test.cpp: names of files that are not committed yet.
#include <tidemark/sink/staging_name.hpp>

#include <doctest/doctest.h>
#include "scratch.hpp"
#include "scripted_ops.hpp"

#include <set>
#include <string>
#include <string_view>

using namespace tidemark;

TEST_CASE("temporary names are random, recognised, fit any name, and keep UTF-8 whole") {
  std::set<std::string> seen;
  for (const std::size_t size : {1u, 12u, 216u, 217u, 218u, 255u}) {
    for (int i = 0; i < 20; ++i) {
      const std::string name = detail::staging_name(file_ops{}, std::string(size, 'n'), "");
      CHECK(name.size() <= 255);
      CHECK(detail::is_staging_name(name));
      CHECK(seen.insert(name).second);
    }
  }
  std::string umlauts;
  for (int i = 0; i < 127; ++i) umlauts += "\xc3\xa4";
  for (const char* prefix : {"", "x"}) {
    const std::string name = detail::staging_name(file_ops{}, prefix + umlauts, "");
    const std::string kept = name.substr(1, name.find(".tmp.") - 1);
    CHECK(kept.size() % 2 == std::string_view(prefix).size());
    CHECK(kept.size() >= 216);
  }
  for (const char* other : {"", "a", ".a.tmp.", "a.tmp.0123456789abcdef0123456789abcdef", ".a.tmp.0123456789abcdef0123456789abcdeg",
                            ".a.tmp.0123456789ABCDEF0123456789ABCDEF", ".a.txt.0123456789abcdef0123456789abcdef"}) {
    CHECK_FALSE(detail::is_staging_name(other));
  }
  CHECK(detail::is_staging_name(".a.tmp.0123456789abcdef0123456789abcdef"));
  CHECK(detail::staging_base(".a.tmp.0123456789abcdef0123456789abcdef") == "a");
  CHECK(detail::staging_base(detail::staging_name(file_ops{}, "step-1-1.safetensors", "")) == "step-1-1.safetensors");
  CHECK(detail::staging_base("..tmp.0123456789abcdef0123456789abcdef").empty());
}

TEST_CASE("without random bits there is no temporary name, and the error names the file") {
  scripted::script script;
  script.always["getrandom"] = ENOSYS;
  const auto failure = scratch::failure_of([&] { detail::staging_name(scripted::ops{script}, "base", "run/base"); });
  REQUIRE(failure);
  CHECK(failure->code() == errc::io);
  CHECK(failure->file() == "run/base");
  CHECK(failure->system() == ENOSYS);
}
