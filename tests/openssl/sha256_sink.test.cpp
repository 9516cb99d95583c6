// SPDX-License-Identifier: BSL-1.0
// tests/openssl/sha256_sink.test.cpp: the digest of a save, of what was committed and of nothing else.
#include <tidemark/openssl/sha256_sink.hpp>

#include <tidemark/sink/any_sink.hpp>
#include <tidemark/sink/atomic_file.hpp>
#include <tidemark/sink/memory.hpp>
#include <tidemark/sink/tee.hpp>

#include <doctest/doctest.h>
#include "sink/scratch.hpp"
#include "sink/scripted_ops.hpp"

#include <cstdlib>
#include <string>

using namespace tidemark;

static_assert(Sink<sha256<atomic_file>> && Sink<sha256<any_sink>> && SinkWriter<sha256_writer<memory>>);

namespace {
const char* const of_abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
}

TEST_CASE("a sha256 sink passes everything on, and has the digest after the commit, not before") {
  scratch::folder folder;
  sha256 file{atomic_file{folder / "file"}};
  CHECK(file.name() == folder / "file");
  CHECK(file.digest().hex().empty());
  auto writer = file.open(3);
  writer.write(detail::bytes_of("a"));
  writer.write(detail::bytes_of("bc"));
  CHECK(file.digest().hex().empty());
  CHECK(writer.commit() == durability::power);
  CHECK(file.digest().hex() == of_abc);
  CHECK(scratch::content(folder / "file") == "abc");
  CHECK(scratch::code_of([&] { writer.write({}); }) == "unsupported");
  CHECK(scratch::code_of([&] { writer.commit(); }) == "unsupported");
  scratch::put(folder / "SHA256SUMS", file.digest().hex() + "  file\n");
  CHECK(std::system(("cd " + folder.path() + " && sha256sum -c --quiet SHA256SUMS").c_str()) == 0);
  { file.open(1).write(detail::bytes_of("x")); }  // given up: the last one that was committed stays
  CHECK(file.digest().hex() == of_abc);
}

TEST_CASE("the caller reads the digest of a sink that lies in others by value") {
  sha256_digest digest;
  {
    any_sink sink = tidemark::tee{memory{}, sha256{memory{}, digest}};
    scratch::save_text(sink, "abc", 1);
  }
  CHECK(digest.hex() == of_abc);
  scratch::save_text(sha256{memory{}, digest}, "");
  CHECK(digest.hex() == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST_CASE("whatever call of the file fails, the digest is that of the last save that was committed") {
  scratch::folder folder;
  scripted::script clean;
  scratch::save_text(basic_atomic_file(folder / "file", {}, scripted::ops{clean}), "abc");
  int failed = 0;
  for (std::size_t at = 0; at < clean.trace.size(); ++at) {
    scripted::script script;
    sha256 file{basic_atomic_file(folder / "file", {}, scripted::ops{script})};
    scratch::save_text(file, "abc");
    script.fail_at = static_cast<int>(script.trace.size() + at);
    script.error = EIO;
    const std::string code = scratch::code_of([&] { scratch::save_text(file, "other"); });
    failed += code != "success";
    CHECK((file.digest().hex() == of_abc) == (code != "success"));
  }
  CHECK(failed > 3);
}
