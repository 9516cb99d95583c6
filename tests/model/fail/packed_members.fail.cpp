// SPDX-License-Identifier: BSL-1.0
// model/fail/packed_members.fail.cpp: a state that is refused, and its twin that is not.
// expect: tidemark: the members of a packed struct lie where no reference may be bound to them
#include <tidemark/model/schema_of.hpp>

#include <cstdint>

#pragma pack(push, 1)
struct record_of_wire { char tag; std::uint32_t size; };
struct bytes_only { char tag; std::uint8_t size; };
#pragma pack(pop)

#ifdef MUST_FAIL
struct state { record_of_wire r; };
using asked = state;
#else
struct fine { bytes_only r; };
using asked = fine;
#endif

int main() { return tidemark::describe<asked>().empty(); }
