// SPDX-License-Identifier: BSL-1.0
// format/manifest.test.cpp: a manifest comes back as it was written, and nothing else passes for one.
#include <tidemark/format/manifest.hpp>

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

using namespace tidemark;
using namespace tidemark::detail;
using namespace std::string_literals;

namespace {

const std::vector<manifest_entry> sample = {
    {"model-00001-of-00002.safetensors", 4096, std::string(32, 'a'), true},
    {"model-00002-of-00002.safetensors", UINT64_MAX, std::string(32, '0'), true},
    {"model.safetensors.index.json", 0, std::string(32, 'f'), false},
};

/// A whole manifest of what an adversary writes before the digest, the digest right.
std::string sealed(std::string body) {
  const std::string digest = to_hex(digest_of(bytes_of(body)));
  return body + ",\n\"digest\": \"" + digest + "\"}\n";
}

std::string with_files(const std::string& files) { return sealed(R"({"tidemark": 1, "files": [)" + files + "]"); }

/// One shard in a manifest, its name spelled as JSON.
std::string with_name(const std::string& json) { return with_files(R"({"name": ")" + json + R"(", "bytes": 1, "digest": "d", "shard": true})"); }

std::string outcome(const std::string& text) {
  try {
    static_cast<void>(parse_manifest(text));
  } catch (const error& e) {
    return std::string(name_of(e.code()));
  }
  return "accepted";
}

const std::string entry = R"({"name": "a", "bytes": 1, "digest": "d", "shard": true})";

}  // namespace

TEST_CASE("a manifest comes back as it was written") {
  const auto read = parse_manifest(make_manifest(sample));
  REQUIRE(read.size() == sample.size());
  for (std::size_t i = 0; i < read.size(); ++i) {
    CHECK(read[i].name == sample[i].name);
    CHECK(read[i].bytes == sample[i].bytes);
    CHECK(read[i].digest == sample[i].digest);
    CHECK(read[i].is_shard == sample[i].is_shard);
  }
}

TEST_CASE("a manifest is the text that docs/format.md shows") {
  const std::string body = "{\"tidemark\": 1,\n\"files\": [\n{\"name\": \"a\", \"bytes\": 18446744073709551615, \"digest\": \"d\", \"shard\": true},\n{\"name\": \"b\", \"bytes\": 0, \"digest\": \"e\", \"shard\": false}]";
  CHECK(make_manifest({{"a", UINT64_MAX, "d", true}, {"b", 0, "e", false}}) == sealed(body));
}

TEST_CASE("a flip of any bit of a manifest is refused") {
  const std::string text = make_manifest(sample);
  for (std::size_t bit = 0; bit < text.size() * 8; ++bit) {
    std::string flipped = text;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
    if (outcome(flipped) != "corrupt") FAIL("bit " << bit << ": " << outcome(flipped));
  }
}

TEST_CASE("a manifest that is cut anywhere, or goes on, is refused") {
  const std::string text = make_manifest(sample);
  for (std::size_t length = 0; length < text.size(); ++length) {
    if (outcome(text.substr(0, length)) != "corrupt") FAIL("length " << length);
    if (length != 0 && outcome(text.substr(length)) != "corrupt") FAIL("from " << length);
  }
  for (const std::string& more : {" "s, "\n"s, "\0"s, "{}"s, text}) CHECK(outcome(text + more) == "corrupt");
}

TEST_CASE("names are flat, of few characters, and of no special meaning") {
  for (const char* good : {"a", "model-00001-of-00002.safetensors", "A_b-0.c", "a..b", "x."}) CHECK(outcome(with_name(good)) == "accepted");
  CHECK(outcome(with_name(std::string(255, 'a'))) == "accepted");
  const std::vector<std::string> bad = {
      "", ".", "..", "../a", "a/b", "/a", "a/", "./a", "/etc/passwd", "a/../b", ".hidden", "..a", "C:a", "C:\\\\a", "c:", "a\\\\b", "\\\\\\\\host\\\\share", "a\\u0000", "a\\u0000b", "\\u0000",
      "a\\u002fb", "\\u002e\\u002e", "\\u002e\\u002e\\u002fa", "a b", "a\\n", "a\\t", "\\u00e9", "\xc3\xa9", "\\ud83c\\udf0a", "a*", "a?", "a|b", "a<b", "a\\\"b", "a%2fb", "~", "~a", "$HOME", "a;b", "a:b",
      "\\u007f", "\\u2215", "\\uff0f", "\\uff0e\\uff0e", std::string(256, 'a'), std::string(100'000, 'a'), std::string(manifest_name),
  };
  for (const auto& name : bad) {
    CAPTURE(name.substr(0, 100));
    CHECK(outcome(with_name(name)) == "unsafe_path");
  }
  for (int c = 0x20; c < 0x80; ++c) {  // each character alone, which no system may take for more than one
    const bool is_good = std::string_view("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_").find(static_cast<char>(c)) != std::string_view::npos;
    const std::string name = (c == '"' || c == '\\' ? "\\" : "") + std::string(1, static_cast<char>(c));
    if ((outcome(with_name(name)) == "accepted") != is_good) FAIL("character " << c);
  }
}

TEST_CASE("an unsafe name of a file that is no shard is refused as well") {
  CHECK(outcome(with_files(entry + R"(,{"name": "../b", "bytes": 1, "digest": "d", "shard": false})")) == "unsafe_path");
}

TEST_CASE("no name twice, however it is spelled, and at least one shard") {
  CHECK(outcome(with_files(entry + "," + entry)) == "corrupt");
  CHECK(outcome(with_files(entry + R"(,{"name": "\u0061", "bytes": 1, "digest": "d", "shard": false})")) == "corrupt");
  CHECK(outcome(with_files("")) == "corrupt");
  CHECK(outcome(with_files(R"({"name": "a", "bytes": 1, "digest": "d", "shard": false})")) == "corrupt");
}

TEST_CASE("a size is a whole number of 64 bits") {
  const auto with_bytes = [](const std::string& number) { return with_files(R"({"name": "a", "bytes": )" + number + R"(, "digest": "d", "shard": true})"); };
  for (const char* good : {"0", "1", "4294967295", "4294967296", "9223372036854775808", "18446744073709551615"}) CHECK(outcome(with_bytes(good)) == "accepted");
  for (const char* bad : {"-1", "-0", "1.0", "1.5", "1e3", "18446744073709551616", "1e400", "99999999999999999999999999", "\"1\"", "true", "null", "[1]", "{}", "01", "+1", "0x1", "NaN", "Infinity", "", "1 2"}) {
    CAPTURE(bad);
    CHECK(outcome(with_bytes(bad)) == "corrupt");
  }
}

TEST_CASE("every field once, of its own kind, and no other") {
  const std::vector<std::string> fields = {R"("name": "a")", R"("bytes": 1)", R"("digest": "d")", R"("shard": true)"};
  const auto joined = [](const std::vector<std::string>& some) {
    std::string text;
    for (const auto& f : some) text += (text.empty() ? "" : ", ") + f;
    return with_files("{" + text + "}");
  };
  for (std::size_t i = 0; i < fields.size(); ++i) {
    auto some = fields;
    some.erase(some.begin() + static_cast<std::ptrdiff_t>(i));
    CHECK(outcome(joined(some)) == "corrupt");
    some = fields;
    some.push_back(fields[i]);
    CHECK(outcome(joined(some)) == "corrupt");
    some = fields;
    std::swap(some[0], some[i]);
    CHECK(outcome(joined(some)) == "accepted");
    for (const char* value : {"null", "[]", "{}", "-1", "1.5", "[\"a\"]", "{\"a\": 1}"}) {
      some = fields;
      some[i] = some[i].substr(0, some[i].find(':') + 1) + value;
      CHECK(outcome(joined(some)) == "corrupt");
    }
  }
  for (const char* other : {R"("x": 1)", R"("tidemark": 1)", R"("files": [])", R"("Name": "a")", R"("": "")", R"("name\u0000": "a")"}) {
    auto some = fields;
    some.emplace_back(other);
    CHECK(outcome(joined(some)) == "corrupt");
  }
  CHECK(outcome(with_files(R"({"name": 1, "bytes": 1, "digest": "d", "shard": true})")) == "corrupt");
  CHECK(outcome(with_files(R"({"name": "a", "bytes": 1, "digest": "d", "shard": "true"})")) == "corrupt");
  CHECK(outcome(with_files(R"({"name": "a", "bytes": 1, "digest": 1, "shard": true})")) == "corrupt");
}

TEST_CASE("a manifest is one object of version, files and digest, and nothing around it") {
  const std::vector<std::string> bodies = {
      "", "{", "[", "1", R"({"tidemark": 1)", R"({"files": [)" + entry + "]", R"({"tidemark": 1, "tidemark": 1, "files": [)" + entry + "]", R"({"tidemark": 1, "files": [)" + entry + R"(], "files": [])",
      R"({"tidemark": 1, "files": [)" + entry + R"(], "more": 1)", R"({"tidemark": 1, "files": [)" + entry + R"(], "name": "a")", R"({"tidemark": 1, "files": [)" + entry + R"(], "digest": "x")",
      R"({"tidemark": 1, "files": {"name": "a", "bytes": 1, "digest": "d", "shard": true})", R"({"tidemark": 1, "files": [)" + entry + R"(], [)", R"({"tidemark": 1, "files": ["a"])", R"({"tidemark": 1, "files": [[)" + entry + "]]",
      R"({"tidemark": 1, "files": [1])", R"({"tidemark": 1, "files": [null])", R"({"tidemark": 1, "files": [)" + entry + ",]", R"([{"tidemark": 1, "files": [)" + entry + "]", R"(x{"tidemark": 1, "files": [)" + entry + "]",
      R"({"tidemark": 0, "files": [)" + entry + "]", R"({"tidemark": -1, "files": [)" + entry + "]", R"({"tidemark": 1.0, "files": [)" + entry + "]", R"({"tidemark": "1", "files": [)" + entry + "]", R"({"tidemark": null, "files": [)" + entry + "]",
      "\xef\xbb\xbf" R"({"tidemark": 1, "files": [)" + entry + "]",
      // Whole objects, hidden from a careless parser by what ends them.
      R"({"tidemark": 1, "files": [)" + entry + "], \"digest\": \"x\"}\0"s, R"({"tidemark": 1, "files": [)" + entry + "], \"digest\": \"x\"}\0{\"a\": 1"s, R"({"tidemark": 1, "files": [)" + entry + "], \"digest\": \"x\"} {\"a\": 1",
      R"({"tidemark": 1, "files": [)" + entry + "], \"digest\": \"x\"} // ", R"({"tidemark": 1, "files": [)" + entry + "], \"digest\": \"x\"} /* ",
  };
  for (const auto& body : bodies) {
    CAPTURE(body);
    CHECK(outcome(sealed(body)) == "corrupt");
  }
  CHECK(outcome(sealed(R"({"files": [)" + entry + R"(], "tidemark": 1)")) == "accepted");
}

TEST_CASE("depth without end is refused, not followed") {
  for (const char* open : {"[", "{\"name\":", "[{\"files\":["}) {
    std::string deep;
    for (int i = 0; i < 100'000; ++i) deep += open;
    CHECK(outcome(with_files(deep)) == "corrupt");
    CHECK(outcome(sealed(deep)) == "corrupt");
    CHECK(outcome(sealed(R"({"tidemark": )" + deep)) == "corrupt");
  }
}

TEST_CASE("text that is no UTF-8 is refused wherever it stands") {
  for (const char* bad : {"\xff", "\xc3", "\xc0\x80", "\xed\xa0\x80", "\\ud800"}) {
    CHECK(outcome(with_name(bad)) == "corrupt");
    CHECK(outcome(with_files(R"({"name": "a", "bytes": 1, "digest": ")" + std::string(bad) + R"(", "shard": true})")) == "corrupt");
  }
}

TEST_CASE("a manifest of a newer format is told apart from a damaged one, whatever else it holds") {
  CHECK(outcome(sealed(R"({"tidemark": 2, "files": [)" + entry + "]")) == "newer_version");
  CHECK(outcome(sealed(R"({"tidemark": 18446744073709551615, "parts": 7)")) == "newer_version");
  CHECK(outcome(sealed(R"({"tidemark": 2, "files": {"a": [1, 2]})")) == "newer_version");
}
