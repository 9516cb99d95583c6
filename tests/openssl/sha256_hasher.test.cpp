// SPDX-License-Identifier: BSL-1.0
// tests/openssl/sha256_hasher.test.cpp: known answers of SHA-256, for bytes in pieces of any size.
#include <tidemark/openssl/sha256_hasher.hpp>

#include <doctest/doctest.h>
#include "sink/scratch.hpp"

#include <cstddef>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

using namespace tidemark;

namespace {

std::string hex_of(const std::string& text, std::size_t piece = 0) {
  detail::sha256_hasher hasher;
  if (piece == 0) piece = text.size() + 1;
  for (std::size_t at = 0; at < text.size(); at += piece) hasher.update(detail::bytes_of(std::string_view(text).substr(at, piece)));
  return hasher.finish();
}

}  // namespace

TEST_CASE("the answers that FIPS 180 gives for SHA-256 come out, whatever the pieces") {
  const std::vector<std::pair<std::string, std::string>> known{
      {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
      {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
      {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
      {"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
       "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"},
      {std::string(1'000'000, 'a'), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
  };
  for (const auto& [text, hex] : known) {
    CHECK(hex_of(text) == hex);
    for (const std::size_t piece : {1u, 3u, 55u, 56u, 63u, 64u, 65u, 4096u}) CHECK(hex_of(text, piece) == hex);
  }
}

TEST_CASE("Python's hashlib says the same, for every length up to three blocks and some longer ones") {
  const char* python = std::getenv("TIDEMARK_PYTHON");
  if (python == nullptr || std::system((std::string(python) + " -c 'import hashlib' 2>/dev/null").c_str()) != 0) {
    MESSAGE("there is no Python here");
    return;
  }
  scratch::folder folder;
  std::string ours;
  for (std::size_t size = 0; size < 400; ++size) ours += hex_of(scratch::pattern(size < 200 ? size : size * 97)) + '\n';
  // The bytes of scratch::pattern, made anew.
  scratch::put(folder / "hash.py",
               "import hashlib\n"
               "for n in range(400):\n"
               "    size, state, out = n if n < 200 else n * 97, (2654435761 + 1) % 2**32, bytearray()\n"
               "    for i in range(size):\n"
               "        state = (state * 1664525 + 1013904223) % 2**32\n"
               "        out.append(state >> 24)\n"
               "    print(hashlib.sha256(out).hexdigest())\n");
  REQUIRE(std::system((std::string(python) + " " + (folder / "hash.py") + " > " + (folder / "out")).c_str()) == 0);
  CHECK((scratch::content(folder / "out") == ours));
}

TEST_CASE("a digest that is finished gives no second one") {
  detail::sha256_hasher hasher;
  auto moved = std::move(hasher);
  moved.update(detail::bytes_of("abc"));
  CHECK(moved.finish().starts_with("ba7816bf"));
  CHECK(scratch::code_of([&] { moved.finish(); }) == "unsupported");
  CHECK(scratch::code_of([&] { moved.update(detail::bytes_of("abc")); }) == "unsupported");
}
