// SPDX-License-Identifier: BSL-1.0
// store/archive_writer.test.cpp: a plan written as a file, its digests right whatever the pieces.
#include <tidemark/store/archive_writer.hpp>

#include <doctest/doctest.h>

#include "trainer.hpp"

using namespace tidemark;
using namespace tidemark::detail;

namespace {

std::string written(const save_plan& plan) {
  archive_layout layout(plan, {});
  const progress_callback none;
  progress_meter meter(none, 0);
  std::string file;
  layout.write([&](bytes_view piece) { file += text_of(piece); }, meter);
  CHECK(file.size() == layout.bytes());
  return file;
}

}  // namespace

TEST_CASE("made tensors have the digests of their bytes, in whatever steps they are made") {
  const std::string content((17 << 20) + 3, 'c');
  for (const std::size_t step : {std::size_t{1} << 10, std::size_t{255} << 10, std::size_t{3} << 20, content.size()}) {
    save_plan plan;
    plan.add_made("a", dtype::u8, extents(content.size()), 1, [&](output_stream& out) {
      for (std::size_t at = 0; at < content.size(); at += step) out.write(bytes_of(std::string_view(content).substr(at, step)));
    });
    plan.add_bytes("b", dtype::u8, extents(content.size()), 1, content.data());
    plan.finish();
    const std::string file = written(plan);
    const auto report = verify(memory{bytes_of(file)});
    CHECK(report.has_digests);
    CHECK(report.blocks == 4);
  }
}

TEST_CASE("a state that changes while it is saved is noticed: more or fewer bytes than planned") {
  for (const std::size_t made : {0u, 4u, 6u, 5000u}) {
    save_plan plan;
    plan.add_made("a", dtype::u8, extents(5), 1, [made](output_stream& out) { out.write(bytes_of(std::string(made, 'x'))); });
    plan.finish();
    CHECK_THROWS_AS(written(plan), error);
  }
}

TEST_CASE("two tensors of one name are refused") {
  save_plan plan;
  plan.add_number("a", 1);
  plan.add_number("b", 1);
  plan.add_number("a", 2);
  plan.finish();
  CHECK_THROWS_AS((archive_layout{plan, {}}), error);
}
