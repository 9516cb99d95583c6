// SPDX-License-Identifier: BSL-1.0
// model/fail/address_key.fail.cpp: a state that is refused, and its twin that is not.
// expect: tidemark: the elements of this container are ordered or hashed by the addresses that they hold (unique_ptr)
#include <tidemark/model/schema_of.hpp>

#include <map>
#include <memory>

struct by_value {
  bool operator()(const std::unique_ptr<int>& a, const std::unique_ptr<int>& b) const { return *a < *b; }
};
#ifdef MUST_FAIL
using asked = std::map<std::unique_ptr<int>, int>;
#else
using asked = std::map<std::unique_ptr<int>, int, by_value>;
#endif

int main() { return tidemark::describe<asked>().empty(); }
