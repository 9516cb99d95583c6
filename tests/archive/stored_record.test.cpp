// SPDX-License-Identifier: BSL-1.0
// archive/stored_record.test.cpp: the members of an old record, by name.
#include <tidemark/archive/unpack.hpp>

#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

using namespace tidemark;

namespace {

struct inner {
  float rate = 0.5F;
  std::vector<std::string> names{"x", "yz"};
};
struct old_state {
  int step = 7;
  inner in;
  std::map<std::string, double> table{{"a", 1.5}};
  std::string last = "end";
};

}  // namespace

TEST_CASE("members are read by path, as their kind, and numbers convert where they survive") {
  const schema s = detail::make_schema<old_state>();
  std::string bytes;
  detail::pack(bytes, old_state{});
  bytes += "rest";
  detail::packed_bytes in{detail::bytes_of(bytes)};
  const stored_record old(s, nullptr, in, 0);
  CHECK(in.left.size() == 4);  // it has passed over the record
  CHECK(old.version() == 1);
  CHECK(old.has("in.rate"));
  CHECK_FALSE(old.has("in.x"));
  CHECK_FALSE(old.has("step.x"));
  CHECK(old.read<int>("step") == 7);
  CHECK(old.read<double>("step") == 7.0);
  CHECK(old.read<float>("in.rate") == 0.5F);
  CHECK(old.read<inner>("in").names == std::vector<std::string>{"x", "yz"});
  CHECK(old.read<std::vector<std::string>>("in.names")[1] == "yz");
  CHECK(old.read<std::map<std::string, double>>("table").at("a") == 1.5);
  CHECK(old.read<std::string>("last") == "end");
  CHECK_THROWS_AS(static_cast<void>(old.read<int>("missing")), error);
  CHECK_THROWS_AS(static_cast<void>(old.read<int>("last")), error);
  CHECK_THROWS_AS(static_cast<void>(old.read<int>("in.rate")), error);
}

TEST_CASE("every record that is cut short is an error") {
  const schema s = detail::make_schema<old_state>();
  std::string bytes;
  detail::pack(bytes, old_state{});
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    detail::packed_bytes in{detail::bytes_of(std::string_view(bytes).substr(0, size))};
    CHECK_THROWS_AS(stored_record(s, nullptr, in, 0), error);
  }
}
