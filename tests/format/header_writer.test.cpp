// SPDX-License-Identifier: BSL-1.0
// format/header_writer.test.cpp: the header as text.
#include <tidemark/format/header_writer.hpp>

#include <doctest/doctest.h>

#include <cstdio>
#include <string>
#include <vector>

using namespace tidemark;
using namespace tidemark::detail;

TEST_CASE("a header is the JSON that safetensors describes, padded so that data begin at a multiple of 64") {
  const std::vector<std::uint64_t> shape{2, 3};
  const std::vector<tensor_info> tensors{{"w", dtype::f32, shape, 0, 24}, {"step", dtype::u8, {}, 24, 1}};
  const std::string header = make_header(tensors, {{"format", "pt"}, {"note", "a\"b\\c\n\x01"}});
  const std::string json =
      R"({"__metadata__":{"format":"pt","note":"a\"b\\c\n\u0001"},"w":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]},)"
      R"("step":{"dtype":"U8","shape":[],"data_offsets":[24,25]}})";
  CHECK(header.substr(8, json.size()) == json);
  CHECK(header.find_first_not_of(' ', 8 + json.size()) == std::string::npos);
  CHECK(header.size() % 64 == 0);
  CHECK(header.size() < 8 + json.size() + 64);
  CHECK(load_as<std::uint64_t>(bytes_of(header).data()) == header.size() - 8);
}

TEST_CASE("numbers are written in full") {
  for (const auto& [value, text] : std::vector<std::pair<std::uint64_t, std::string>>{{0, "0"}, {9, "9"}, {10, "10"}, {UINT64_MAX, "18446744073709551615"}}) {
    std::string out;
    append_number(out, value);
    CHECK(out == text);
  }
}

TEST_CASE("every byte is escaped as RFC 8259 wants it, at every place of short and of long texts") {
  const auto escaped = [](unsigned char c) -> std::string {
    char text[8] = {static_cast<char>(c)};
    if (c == '"' || c == '\\') return std::string("\\") + text;
    if (c == '\n') return "\\n";
    if (c == '\r') return "\\r";
    if (c == '\t') return "\\t";
    if (c >= 0x20) return text;
    std::snprintf(text, sizeof text, "\\u%04x", c);
    return text;
  };
  for (int byte = 0; byte < 256; ++byte) {
    for (std::size_t size = 1; size < 27; ++size) {
      for (std::size_t at = 0; at < size; ++at) {
        std::string text(size, 'a');
        text[at] = static_cast<char>(byte);
        text[size - 1 - at] = static_cast<char>(255 - byte);
        std::string out, expected = "\"";
        append_json_string(out, text);
        for (const char c : text) expected += escaped(static_cast<unsigned char>(c));
        REQUIRE(out == expected + '"');
      }
    }
  }
}

TEST_CASE("a header that no reader would accept is refused with the way out") {
  const std::string name(50'000'000, 'x');
  const std::vector<tensor_info> tensors{{name, dtype::u8, {}, 0, 1}, {name, dtype::u8, {}, 1, 1}};
  try {
    make_header(tensors, {});
    FAIL("accepted");
  } catch (const error& e) {
    CHECK(e.code() == errc::limit);
    CHECK(std::string(e.what()).find("rows") != std::string::npos);
  }
}
