// SPDX-License-Identifier: BSL-1.0
// model/named_tensors.test.cpp: tensors by name, with bytes of their own or views. How they are saved: archive/borrowed.test.cpp.
#include <tidemark/model/named_tensors.hpp>

#include <doctest/doctest.h>

#include <vector>

using namespace tidemark;

TEST_CASE("tensors known at run time are added, found, viewed and copied") {
  named_tensors t;
  t.add<float>("w", std::vector<float>{1, 2, 3, 4}, {2, 2});
  t.add("half", dtype::f16, {3});
  std::vector<std::int64_t> ids{5, 6};
  t.view("ids", array_ref{ids.data(), {2}});
  CHECK(t.size() == 3);
  CHECK(t.get<float>("w")[3] == 4);
  CHECK(t.get<std::int64_t>("ids").data() == ids.data());
  CHECK_THROWS_AS(t.get<double>("w"), tidemark::error);
  CHECK_THROWS_AS(t.get<float>("x"), tidemark::error);
  CHECK_THROWS_AS(t.add<float>("bad", std::vector<float>{1}, {2}), tidemark::error);
  CHECK_THROWS_AS(t.view("bad", array_ref{ids.data(), {1}, {2}}), tidemark::error);
  named_tensors copy = t;
  copy.get<float>("w")[0] = 9;
  CHECK(t.get<float>("w")[0] == 1);
  CHECK(copy.get<std::int64_t>("ids").data() == ids.data());
  CHECK(copy.erase("w"));
  CHECK_FALSE(copy.erase("w"));
  std::vector<float> memory(4);
  copy.add("loaded", std::vector<float>{1, 2, 3, 4}, {2, 2});
  CHECK_THROWS_AS(copy.view("loaded", std::span(memory)), tidemark::error);  // of another shape
  copy.view("loaded", array_ref{memory.data(), {2, 2}});
  CHECK(memory == std::vector<float>{1, 2, 3, 4});  // what was loaded before the view was there
  CHECK_FALSE(copy.contains("w"));
  CHECK(t.contains("w"));
}
