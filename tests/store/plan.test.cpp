// SPDX-License-Identifier: BSL-1.0
// store/plan.test.cpp: a plan says what a save will write.
#include <tidemark/store/plan.hpp>

#include <doctest/doctest.h>

#include "trainer.hpp"

using namespace tidemark;

TEST_CASE("names, shapes and bytes of a plan are those of the file") {
  const trainer state;
  const archive_plan planned = plan(state);
  const memory m = saved(state);
  CHECK(planned.file_bytes == m.size());
  const archive_view view(memory{bytes_in(m)});
  REQUIRE(planned.tensors.size() == view.tensors().size());
  for (std::size_t i = 0; i < planned.tensors.size(); ++i) {
    const auto& t = view.tensors()[i];
    CHECK(planned.tensors[i].name == t.name);
    CHECK(planned.tensors[i].type == t.type);
    CHECK(planned.tensors[i].bytes == t.bytes);
    CHECK(std::equal(t.shape.begin(), t.shape.end(), planned.tensors[i].shape.begin(), planned.tensors[i].shape.end()));
  }
  CHECK(to_text(planned).find("weights                                  F32 [2]\n") != std::string::npos);
}

TEST_CASE("too many tensors for a header are refused by the plan already, with the way out") {
  std::map<std::string, std::vector<float>> modules;
  for (char letter = ' '; letter < ' ' + 95; ++letter) modules[std::string(1'100'000, letter)];
  try {
    static_cast<void>(plan(modules));
    FAIL("accepted");
  } catch (const error& e) {
    CHECK(e.code() == errc::limit);
    CHECK(std::string(e.what()).find("rows") != std::string::npos);
  }
}
