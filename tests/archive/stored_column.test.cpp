// SPDX-License-Identifier: BSL-1.0
// archive/stored_column.test.cpp: a column gives its values one by one, as packing each of them would.
#include <tidemark/archive/stored_column.hpp>

#include <doctest/doctest.h>

#include <tidemark/model/schema_text.hpp>

#include <string>

using namespace tidemark::detail;

TEST_CASE("a column of records gives each record's members in the order of their names") {
  const tidemark::schema record = tidemark::parse_schema("{b:u8,a:text,c:?u8}");
  stored_column ids{.type = &record.children[0], .stride = 1, .bytes = "xyz"};
  stored_column names{.type = &record.children[1], .bytes = "onethree", .offsets = {0, 3, 3, 8}};
  stored_column marks{.type = &record.children[2], .bytes = std::string("\1\0\1", 3)};
  marks.parts.push_back({.type = &record.children[2].children[0], .stride = 1, .bytes = "pq"});
  stored_column all{.type = &record, .parts = {names, ids, marks}};
  CHECK(order_of_members(record) == std::vector<std::size_t>{1, 0, 2});
  const auto next = [&] {
    std::string out;
    all.append_next(out);
    return out;
  };
  CHECK(next() == std::string("\3\0\0\0\0\0\0\0onex\1p", 14));
  CHECK(next() == std::string("\0\0\0\0\0\0\0\0y\0", 10));
  CHECK(next() == std::string("\5\0\0\0\0\0\0\0threez\1q", 16));
}
