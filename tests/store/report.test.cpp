// SPDX-License-Identifier: BSL-1.0
// store/report.test.cpp: reports say what was found.
#include <tidemark/store/report.hpp>

#include <doctest/doctest.h>

#include "trainer.hpp"

using namespace tidemark;

TEST_CASE("a report tells a file of ours from one of another writer") {
  const auto m = saved(trainer{}, {.metadata = {{"step", "5"}}});
  const load_report ours = verify(m);
  CHECK(ours.source == "memory");
  CHECK(ours.has_schema);
  CHECK(ours.has_digests);
  CHECK(ours.blocks > 10);
  CHECK(ours.metadata == metadata_list{{"step", "5"}});
  CHECK(ours.seconds >= 0);
  const std::string text = std::string("\x40\0\0\0\0\0\0\0", 8) + R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}           x)";
  const load_report theirs = verify(memory{detail::bytes_of(text)});
  CHECK_FALSE(theirs.has_schema);
  CHECK_FALSE(theirs.has_digests);
  CHECK(theirs.tensors == 1);
  CHECK(theirs.blocks == 0);
}
