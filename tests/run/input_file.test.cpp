// SPDX-License-Identifier: BSL-1.0
// tests/run/input_file.test.cpp: a run resumes with the input that it has read so far, wherever that lies, and with no other.
#include <tidemark/run/input_file.hpp>
#include <tidemark/sink/memory.hpp>
#include <tidemark/store/load.hpp>
#include <tidemark/store/save.hpp>

#include <doctest/doctest.h>
#include "../sink/scratch.hpp"
#include "../sink/scripted_ops.hpp"

#include <string>
#include <vector>

using namespace tidemark;
using scratch::code_of;

namespace {

struct training {
  std::vector<float> weights = {};
  input_file corpus = {};
  std::uint64_t step = 0;
};

}  // namespace

static_assert(Checkpointable<training>);

TEST_CASE("a restore refuses another content, of any length and at any byte, before anything is touched, and names both") {
  scratch::folder folder;
  const std::string text = scratch::pattern(1000);
  scratch::put(folder / "corpus", text);
  memory archive;
  save(training{.weights = {1, 2}, .corpus = input_file(folder / "corpus"), .step = 5}, archive);
  const auto outcome = [&](const std::string& now) {
    scratch::put(folder / "other", now);
    training t{.weights = {9}, .corpus = input_file(folder / "other"), .step = 1};
    const auto failure = scratch::failure_of([&] { restore(t, archive); });
    if (!failure) {
      CHECK(t.step == 5);
      CHECK(t.corpus.path() == folder / "other");
      return std::string("restored");
    }
    CHECK(t.step == 1);
    CHECK(t.weights == std::vector<float>{9});
    const std::string message = failure->what();
    CHECK(message.find(folder / "other") != std::string::npos);
    CHECK(failure->expected().find(folder / "corpus") != std::string::npos);
    return std::string(name_of(failure->code()));
  };
  CHECK(outcome(text) == "restored");
  for (std::size_t at = 0; at < text.size(); at += 7) {
    std::string other = text;
    other[at] = static_cast<char>(other[at] ^ (1 << (at % 8)));
    CHECK(outcome(other) == "invalid_value");
  }
  for (const std::size_t length : {0u, 1u, 999u}) CHECK(outcome(text.substr(0, length)) == "invalid_value");
  CHECK(outcome(text + "x") == "invalid_value");
}

TEST_CASE("of both ends only, a change in between is not seen, one of the size or of an end is") {
  scratch::folder folder;
  const std::size_t mib = std::size_t{1} << 20;
  const std::string text = scratch::pattern(3 * mib);
  scratch::put(folder / "corpus", text);
  memory ends, all;
  save(training{.corpus = input_file(folder / "corpus", input_part::ends)}, ends);
  save(training{.corpus = input_file(folder / "corpus")}, all);
  const auto outcome = [&](std::size_t at, const memory& archive, input_part part) {
    std::string other = text;
    if (at < other.size()) other[at] = static_cast<char>(other[at] ^ 1);
    else if (at == other.size()) other += 'x';
    scratch::put(folder / "corpus", other);
    training t{.corpus = input_file(folder / "corpus", part)};
    return code_of([&] { restore(t, archive); });
  };
  const std::size_t same = text.size() + 1;
  for (const auto part : {input_part::all, input_part::ends}) {  // what the checkpoint has is compared, whatever the program asks for
    CHECK(outcome(same, ends, part) == "success");
    CHECK(outcome(same, all, part) == "success");
    CHECK(outcome(0, ends, part) == "invalid_value");
    CHECK(outcome(mib - 1, ends, part) == "invalid_value");
    CHECK(outcome(mib, ends, part) == "success");
    CHECK(outcome(2 * mib - 1, ends, part) == "success");
    CHECK(outcome(2 * mib, ends, part) == "invalid_value");
    CHECK(outcome(3 * mib - 1, ends, part) == "invalid_value");
    CHECK(outcome(3 * mib, ends, part) == "invalid_value");
    CHECK(outcome(mib, all, part) == "invalid_value");
  }
}

TEST_CASE("the fingerprint of all is XXH3-128 of the content, as xxhsum prints it; of a small file both are the same") {
  scratch::folder folder;
  for (const std::size_t size : {0u, 1u, 1000u, (1u << 20), (1u << 20) + 1, (2u << 20)}) {
    const std::string text = scratch::pattern(size);
    scratch::put(folder / "file", text);
    const input_file whole(folder / "file"), ends(folder / "file", input_part::ends);
    CHECK(whole.digest() == to_hex(detail::digest_of(detail::bytes_of(text))));
    CHECK(ends.digest() == whole.digest());
    CHECK(whole.size() == size);
  }
}

TEST_CASE("load takes the stored path and fingerprint, and check compares") {
  scratch::folder folder;
  scratch::put(folder / "corpus", "text");
  memory archive;
  save(training{.corpus = input_file(folder / "corpus")}, archive);
  scratch::fs::remove(folder / "corpus");
  const auto t = load<training>(archive);
  CHECK(t.corpus.path() == folder / "corpus");
  CHECK(code_of([&] { t.corpus.check(); }) == "not_found");
  scratch::put(folder / "corpus", "tent");
  CHECK(code_of([&] { t.corpus.check(); }) == "invalid_value");
  scratch::put(folder / "corpus", "text");
  CHECK(code_of([&] { t.corpus.check(); }) == "success");
  CHECK(code_of([] { input_file{}.check(); }) == "success");
  training fresh;
  restore(fresh, archive);
  CHECK(fresh.corpus.digest() == t.corpus.digest());
  memory none;
  save(training{.step = 3}, none);
  training given{.corpus = input_file(folder / "corpus")};
  restore(given, none);  // nothing was named then
  CHECK(given.step == 3);
}

TEST_CASE("what cannot be read is an error that names it") {
  scratch::folder folder;
  CHECK(code_of([&] { input_file(folder / "missing"); }) == "not_found");
  CHECK(code_of([&] { input_file(folder.path()); }) == "unsafe_path");
  scratch::put(folder / "file", scratch::pattern(5000));
  for (int at = 0; at < 3; ++at) {
    scripted::script script;
    script.fail_at = at;
    script.error = EIO;
    const auto failure = scratch::failure_of([&] { detail::fingerprint_input(folder / "file", true, scripted::ops{script}); });
    REQUIRE(failure);
    CHECK(failure->system() == EIO);
    CHECK(failure->file() == folder / "file");
  }
}
