// SPDX-License-Identifier: BSL-1.0
// model/diagnosis.test.cpp: the path and the type of the offender; the messages themselves are compile-fail tests.
#include <tidemark/model/diagnosis.hpp>

#include <doctest/doctest.h>

#include <map>
#include <string_view>

using namespace tidemark::detail;

namespace {

struct cache {
  int* slot;
};
struct net {
  int size;
  std::vector<std::map<int, cache>> layers;
};
struct trainer {
  int step;
  net model;
};
struct pairs {
  std::tuple<int, std::variant<int, float*>> both;
};
struct keys {
  std::map<int*, int> by;
};

template <class T>
std::string path() {
  return {offender_path<verdict_of<T>, T>.letters.data(), offender_path<verdict_of<T>, T>.size};
}

static_assert(std::is_same_v<offender<verdict_of<trainer>, trainer>::type, int*> && std::is_same_v<offender<verdict_of<pairs>, pairs>::type, float*>);
static_assert(std::is_same_v<offender<verdict_of<int*>, int*>::type, int*>);

}  // namespace

TEST_CASE("the path names members, positions and elements") {
#if !defined(__CUDACC__)
  CHECK(path<trainer>() == "model.layers.*.*.slot");
  CHECK(path<pairs>() == "both.1.1");
  CHECK(path<keys>() == "by.<key>");
#endif
  CHECK(path<int*>() == "");
}

TEST_CASE("a type that is state passes without a word") {
  require_checkpointable<int>();
  require_checkpointable<std::vector<std::string>>();
}
