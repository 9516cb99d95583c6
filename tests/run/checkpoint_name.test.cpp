// SPDX-License-Identifier: BSL-1.0
// run/checkpoint_name.hpp: which names are those of a run's checkpoints.
#include <tidemark/run/checkpoint_name.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <string_view>

using tidemark::checkpoint_name;
namespace detail = tidemark::detail;

TEST_CASE("a checkpoint's name says step and sequence, and reads back as them") {
  for (const std::uint64_t step : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{9}, std::uint64_t{10}, std::uint64_t{1000000}, UINT64_MAX - 1, UINT64_MAX}) {
    for (const std::uint64_t sequence : {std::uint64_t{0}, std::uint64_t{7}, std::uint64_t{100}, UINT64_MAX}) {
      for (const char* suffix : {"", ".safetensors", ".safetensors.zst", "."}) {
        const std::string text = detail::to_text({.sequence = sequence, .step = step}) + suffix;
        CAPTURE(text);
        const auto parsed = detail::parse_checkpoint_name(text);
        REQUIRE(parsed);
        CHECK(parsed->name == checkpoint_name{.sequence = sequence, .step = step});
        CHECK(parsed->suffix == suffix);
      }
    }
  }
  CHECK(detail::to_text({.sequence = 3, .step = 500}) == "step-500-3");
}

TEST_CASE("every text that is not exactly a checkpoint's name is foreign") {
  for (const char* text : {"", "step", "step-", "step-1", "step-1-", "step--1", "step-1--2", "step-01-2", "step-1-02", "step-00-1", "step-1-00", "step-+1-2", "step-1-+2",
                           "step- 1-2", "step-1 -2", "step-1- 2", " step-1-2", "step-1-2 ", "Step-1-2", "STEP-1-2", "step_1_2", "step-1-2-3", "step-1-2x", "step-1-2~", "step-1-2-copy",
                           "step-0x1-2", "step-1e3-2", "step-1.5-2", "step-1-2,", "step-a-2", "step-1-b", "xstep-1-2", ".step-1-2", "step-1-2/", "model", "latest", "pinned",
                           "step-18446744073709551616-1", "step-1-18446744073709551616", "step-99999999999999999999-1", "step-100000000000000000000000000000-1"}) {
    CAPTURE(text);
    CHECK(!detail::parse_checkpoint_name(text));
  }
  CHECK(!detail::parse_checkpoint_name(std::string_view("step-1-2\0", 9)));
  CHECK(!detail::parse_checkpoint_name("step-\xd9\xa1-2"));  // a digit, but none of ours
}

TEST_CASE("checkpoints are ordered by when they were saved, whatever their steps") {
  CHECK(checkpoint_name{.sequence = 2, .step = 5} < checkpoint_name{.sequence = 3, .step = 1});
  CHECK(checkpoint_name{.sequence = 2, .step = 5} < checkpoint_name{.sequence = 2, .step = 6});
}
