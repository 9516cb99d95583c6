// SPDX-License-Identifier: BSL-1.0
// archive/plan.test.cpp: tensors in the order of the file, aligned, and within limits.
#include <tidemark/archive/plan.hpp>

#include <doctest/doctest.h>

#include <random>

using namespace tidemark;
using namespace tidemark::detail;

TEST_CASE("tensors lie by element size, then as they came, without gaps, each aligned") {
  std::mt19937 random{2};
  for (int round = 0; round < 200; ++round) {
    save_plan plan;
    const std::pair<dtype, std::uint8_t> types[] = {{dtype::u8, 1}, {dtype::u8, 16}, {dtype::f64, 8}, {dtype::f32, 4}, {dtype::f16, 2}};
    for (int i = 0; i < 40; ++i) {
      const auto [type, element] = types[random() % 5];
      const std::uint64_t count = random() % 5;
      plan.add_bytes(std::to_string(i), type, element == 16 ? extents(count).with(16) : extents(count), element, nullptr);
    }
    plan.finish();
    std::uint64_t end = 0;
    int last = -1, last_element = 16;
    for (const auto& t : plan.tensors()) {
      REQUIRE(t.info.offset == end);
      REQUIRE(t.info.offset % t.element_bytes == 0);
      REQUIRE(t.element_bytes <= last_element);
      const int number = std::stoi(std::string(t.info.name));
      if (t.element_bytes == last_element) REQUIRE(number > last);
      last = number;
      last_element = t.element_bytes;
      end += t.info.bytes;
    }
    REQUIRE(plan.bytes() == end);
    REQUIRE(plan.tensors().size() == 40);
  }
}

TEST_CASE("numbers, made tensors and kept temporaries live as long as the plan") {
  save_plan plan;
  plan.add_number("size", 7);
  const std::string& kept = plan.keep(std::string(100, 'k'));
  plan.add_made("made", dtype::u8, extents(3), 1, [text = std::string("abc")](output_stream& out) { out.write(bytes_of(text)); });
  plan.finish();
  const save_plan moved = std::move(plan);
  CHECK(kept == std::string(100, 'k'));
  CHECK(*static_cast<const std::uint64_t*>(moved.tensors()[0].source) == 7);
  std::string out;
  std::byte buffer[16];
  output_stream stream(buffer, [](void* to, bytes_view piece) { *static_cast<std::string*>(to) += text_of(piece); }, &out);
  moved.tensors()[1].write(moved.tensors()[1].source, stream);
  stream.flush();
  CHECK(out == "abc");
}

TEST_CASE("shapes that no count holds are refused") {
  save_plan plan;
  CHECK_THROWS_AS(plan.add_bytes("a", dtype::f64, extents(UINT64_MAX), 8, nullptr), error);
  extents deep;
  for (int i = 0; i < 24; ++i) deep = deep.with(1);
  CHECK(deep.count() == 1);
  CHECK_THROWS_AS(static_cast<void>(deep.with(1)), error);
}
