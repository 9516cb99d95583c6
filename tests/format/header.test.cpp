// SPDX-License-Identifier: BSL-1.0
// format/header.test.cpp: a strict reader of headers: what the official one refuses, and what it should.
#include <tidemark/format/header.hpp>

#include <doctest/doctest.h>

#include <random>
#include <string>
#include <vector>

using namespace tidemark;
using namespace tidemark::detail;

namespace {

std::string file_of(std::string json, std::size_t data) {
  std::string file(8, '\0');
  const std::uint64_t length = json.size();
  std::memcpy(file.data(), &length, 8);
  return file + json + std::string(data, '\1');
}

file_header parse(const std::string& file) {
  return read_header(file.size(), [&](std::uint64_t offset, bytes_span into) {
    REQUIRE(offset + into.size() <= file.size());  // never asks for bytes outside the file
    std::memcpy(into.data(), file.data() + offset, into.size());
  });
}

/// The code of the error, or nothing where the file is accepted.
std::string refusal_of(const std::string& file) {
  try {
    static_cast<void>(parse(file));
    return {};
  } catch (const error& e) {
    CHECK(std::string(e.what()).size() > 30);
    return std::string(name_of(e.code()));
  }
}
std::string refusal_of(const std::string& json, std::size_t data) { return refusal_of(file_of(json, data)); }

}  // namespace

TEST_CASE("a header gives names, dtypes, shapes, places and metadata") {
  const std::string json = R"({"__metadata__":{"format":"pt","step":"5"},"b":{"dtype":"F32","shape":[2,3],"data_offsets":[8,32]},"a":{"data_offsets":[0,8],"shape":[],"dtype":"I64"}}   )";
  const auto header = parse(file_of(json, 32));
  CHECK(header.data_start == 8 + json.size());
  CHECK(header.data_bytes == 32);
  REQUIRE(header.tensors.size() == 2);
  CHECK(header.tensors[0].name == "a");  // by offset, not by place in the header
  CHECK(header.tensors[0].type == dtype::i64);
  CHECK(header.tensors[0].shape.empty());
  CHECK(header.tensors[1].offset == 8);
  CHECK(header.tensors[1].bytes == 24);
  CHECK(std::vector<std::uint64_t>(header.tensors[1].shape.begin(), header.tensors[1].shape.end()) == std::vector<std::uint64_t>{2, 3});
  CHECK(header.meta("step") == "5");
  CHECK_FALSE(header.meta("none"));
  CHECK(header.find("b") == &header.tensors[1]);
  CHECK(header.find("c") == nullptr);
}

TEST_CASE("what the official reader accepts is accepted: no tensors, empty tensors, 0-d, escapes, spaces, every dtype") {
  CHECK(refusal_of("{}", 0) == "");
  CHECK(refusal_of(R"({"__metadata__":{}})", 0) == "");
  CHECK(refusal_of("{ } \n\t\r ", 0) == "");
  CHECK(refusal_of(R"({"a":{"dtype":"F32","shape":[0,5],"data_offsets":[0,0]},"b":{"dtype":"U8","shape":[],"data_offsets":[0,1]},"c":{"dtype":"F32","shape":[0],"data_offsets":[1,1]}})", 1) == "");
  CHECK(parse(file_of(R"({"\u00e9\n\"\/":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})", 1)).tensors[0].name == "\xc3\xa9\n\"/");
  CHECK(refusal_of("{\"\xf0\x9f\x8c\x8a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}", 1) == "");
  CHECK(refusal_of(R"({"/../../etc":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})", 1) == "");
  for (const auto& row : dtype_rows) {
    const std::string bytes = std::to_string(row.bits);  // 8 elements
    CHECK(refusal_of(R"({"a":{"dtype":")" + std::string(row.name) + R"(","shape":[8],"data_offsets":[0,)" + bytes + "]}}", row.bits) == "");
  }
  CHECK(refusal_of("{}" + std::string(4096 - 10, ' '), 0) == "");
}

TEST_CASE("what the official reader refuses is refused, and the duplicates that it lets pass") {
  const auto entry = [](const std::string& fields) { return "{\"a\":{" + fields + "}}"; };
  const auto placed = [](std::uint64_t begin, std::uint64_t end) {
    return R"({"a":{"dtype":"U8","shape":[)" + std::to_string(end - begin) + R"(],"data_offsets":[)" + std::to_string(begin) + "," + std::to_string(end) + "]}}";
  };
  REQUIRE(refusal_of(placed(0, 4), 4) == "");
  CHECK(refusal_of(placed(0, 4), 3) == "truncated");
  CHECK(refusal_of(placed(0, 4), 5) == "corrupt");
  CHECK(refusal_of(placed(1, 5), 5) == "corrupt");
  CHECK(refusal_of("{}", 1) == "corrupt");
  const std::string two = R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},"%":{"dtype":"U8","shape":[4],"data_offsets":[@]}})";
  const auto second = [&](const std::string& name, const std::string& offsets, std::size_t data) {
    std::string json = two;
    json.replace(json.find('%'), 1, name);
    json.replace(json.find('@'), 1, offsets);
    return refusal_of(json, data);
  };
  REQUIRE(second("b", "4,8", 8) == "");
  CHECK(second("b", "3,7", 7) == "corrupt");   // overlap
  CHECK(second("b", "5,9", 9) == "corrupt");   // hole
  CHECK(second("b", "0,4", 4) == "corrupt");   // the same place twice
  CHECK(second("a", "4,8", 8) == "corrupt");   // the same name twice
  CHECK(second("\\u0061", "4,8", 8) == "corrupt");
  CHECK(second("b", "8,4", 8) == "corrupt");
  CHECK(second("b", "4", 8) == "corrupt");
  CHECK(second("b", "4,8,8", 8) == "corrupt");
  CHECK(second("b", "4,-8", 8) == "corrupt");
  CHECK(second("b", "4,8.0", 8) == "corrupt");
  CHECK(second("b", "4,18446744073709551620", 8) == "corrupt");
  CHECK(second("b", "\"4\",8", 8) == "corrupt");
  CHECK(second("b", "4,8 ,", 8) == "corrupt");
  for (const char* wrong : {
           R"("dtype":"U8","shape":[4])", R"("dtype":"U8","data_offsets":[0,4])", R"("shape":[4],"data_offsets":[0,4])", "",
           R"("dtype":"u8","shape":[4],"data_offsets":[0,4])", R"("dtype":"U9","shape":[4],"data_offsets":[0,4])",
           R"("dtype":"U8","shape":[5],"data_offsets":[0,4])", R"("dtype":"U8","shape":[4294967296,4294967296],"data_offsets":[0,4])",
           R"("dtype":"U8","shape":[-4],"data_offsets":[0,4])", R"("dtype":"U8","shape":[4.0],"data_offsets":[0,4])",
           R"("dtype":"U8","shape":[true],"data_offsets":[0,4])", R"("dtype":"U8","shape":[null],"data_offsets":[0,4])",
           R"("dtype":"U8","shape":[[4]],"data_offsets":[0,4])", R"("dtype":"U8","shape":4,"data_offsets":[0,4])",
           R"("dtype":8,"shape":[4],"data_offsets":[0,4])", R"("dtype":"U8","shape":[4],"data_offsets":{"a":1})",
           R"("dtype":"U8","dtype":"U8","shape":[4],"data_offsets":[0,4])", R"("dtype":"U8","shape":[4],"shape":[4],"data_offsets":[0,4])",
           R"("dtype":"U8","shape":[4],"data_offsets":[0,4],"extra":1)", R"("dtype":"F4","shape":[3],"data_offsets":[0,4])",
           R"("dtype":"U8","shape":[04],"data_offsets":[0,4])", R"("dtype":"U8","shape":[4,],"data_offsets":[0,4])"}) {
    CAPTURE(wrong);
    CHECK(refusal_of(entry(wrong), 4) == "corrupt");
  }
  for (const char* wrong : {R"({"__metadata__":{"a":1}})", R"({"__metadata__":{"a":null}})", R"({"__metadata__":{"a":{}}})", R"({"__metadata__":[]})",
                            R"({"__metadata__":"a"})", R"({"__metadata__":{},"__metadata__":{}})", R"({"__metadata__":{"a":"1","a":"2"}})",
                            "[]", "{", "{}}", "{}x", "{} {}", R"({"a":1})", R"({"a":"b"})", R"({"a":[]})", R"({"a":{}})", "{\"a", "{'a':1}", "{//\n}", "",
                            " {}", "\xef\xbb\xbf{}", "{\"\xff\":{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[0,0]}}",
                            R"({"\ud800":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}})"}) {
    CAPTURE(wrong);
    CHECK(refusal_of(wrong, 0) != "");
  }
  CHECK(refusal_of(std::string("{}\0\0", 4), 0) == "corrupt");  // padding is spaces
  CHECK(refusal_of(std::string("{}\0  ", 5), 0) == "corrupt");
}

TEST_CASE("an empty file, a short one and one of another format are told apart") {
  CHECK(refusal_of(std::string{}) == "truncated");
  CHECK(refusal_of(std::string("1234567")) == "truncated");
  CHECK(refusal_of(std::string("\x80\4\x95garbage that is no archive", 28)) == "corrupt");
  CHECK(refusal_of(std::string("PK\3\4 a zip of another library...")) == "corrupt");
  std::string huge(8, '\xff');
  CHECK(refusal_of(huge) == "corrupt");
  std::string long_header(16, '\0');
  const std::uint64_t length = 99'999'999;
  std::memcpy(long_header.data(), &length, 8);
  CHECK(refusal_of(long_header) == "truncated");  // and no memory was taken for it
}

TEST_CASE("bytes that are no UTF-8 are refused with their place, in a name, a text and between") {
  const std::string json = R"({"__metadata__":{"k":"v"},"w":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}}  )";
  for (std::size_t at = 1; at < json.size(); ++at) {
    std::string broken = json;
    broken[at] = '\xff';
    try {
      static_cast<void>(parse(file_of(broken, 4)));
      FAIL("accepted");
    } catch (const error& e) {
      CHECK(e.code() == errc::corrupt);
      CHECK(e.details().problem == "its header is not UTF-8, at byte " + std::to_string(8 + at));
    }
  }
}

TEST_CASE("nesting without end does not recurse") {
  for (const char* open : {"{\"a\":", "["}) {
    std::string json = "{\"a\":";
    for (int i = 0; i < 1'000'000; ++i) json += open;
    CHECK(refusal_of(json, 0) == "corrupt");
  }
}

TEST_CASE("every truncation and every flipped bit of a header is refused, or reads as something that can be true") {
  const std::string json = R"({"__metadata__":{"k":"v"},"w":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]},"b":{"dtype":"U8","shape":[4],"data_offsets":[24,28]}}  )";
  const std::string file = file_of(json, 28);
  for (std::size_t cut = 0; cut < file.size(); ++cut) REQUIRE(refusal_of(file.substr(0, cut)) != "");
  for (std::size_t bit = 0; bit < (8 + json.size()) * 8; ++bit) {
    std::string flipped = file;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
    try {
      const auto header = parse(flipped);
      std::uint64_t end = 0;
      for (const auto& t : header.tensors) {
        REQUIRE(t.offset == end);
        end += t.bytes;
      }
      REQUIRE(end == header.data_bytes);
    } catch (const error&) {
    }
  }
}

TEST_CASE("what the writer writes the reader reads") {
  std::mt19937_64 random{7};
  for (int round = 0; round < 200; ++round) {
    std::vector<std::string> names;
    std::vector<std::vector<std::uint64_t>> shapes;
    std::vector<tensor_info> tensors;
    std::uint64_t end = 0;
    const std::size_t count = random() % 20;
    for (std::size_t i = 0; i < count; ++i) {
      std::string name = std::to_string(i);
      for (std::size_t n = random() % 10; n-- > 0;) name += static_cast<char>(random() % 128);
      names.push_back(name);
      shapes.emplace_back();
      for (std::size_t n = random() % 5; n-- > 0;) shapes.back().push_back(random() % 4);
    }
    for (std::size_t i = 0; i < count; ++i) {
      bool fits = true;
      const auto type = random() % 2 ? dtype::f64 : dtype::i16;
      const auto bytes = tensor_bytes(type, shapes[i], fits);
      tensors.push_back({names[i], type, shapes[i], end, bytes});
      end += bytes;
    }
    const std::string text = make_header(tensors, {{"k", names.empty() ? "" : names[0]}});
    const auto header = parse(text + std::string(static_cast<std::size_t>(end), '\0'));
    REQUIRE(header.tensors.size() == count);
    for (const auto& t : tensors) {
      const auto* found = header.find(t.name);
      REQUIRE(found != nullptr);
      REQUIRE(found->offset == t.offset);
      REQUIRE(found->type == t.type);
      REQUIRE(std::equal(t.shape.begin(), t.shape.end(), found->shape.begin(), found->shape.end()));
    }
  }
}
