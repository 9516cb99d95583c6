// SPDX-License-Identifier: BSL-1.0
// tests/run/append_log.test.cpp: a resumed run's log has every line once; another log is refused before anything is touched.
#include <tidemark/run/append_log.hpp>
#include <tidemark/sink/memory.hpp>
#include <tidemark/store/load.hpp>
#include <tidemark/store/open.hpp>
#include <tidemark/store/save.hpp>

#include <doctest/doctest.h>
#include "../sink/child.hpp"
#include "../sink/scratch.hpp"

#include <algorithm>
#include <csignal>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <sys/resource.h>

using namespace tidemark;
using scratch::code_of;
using scratch::content;

namespace {

struct inner {
  append_log log;
  std::vector<float> values;
};

struct training {
  std::uint64_t step = 0;
  std::vector<double> losses = {};
  append_log log = {};
};

void train(training& t, std::uint64_t until) {
  while (t.step < until) {
    ++t.step;
    t.losses.push_back(0.5 * static_cast<double>(t.step));
    t.log.row(t.step, t.losses.back());
  }
}

std::string lines(std::uint64_t until) {
  std::string text;
  for (std::uint64_t i = 1; i <= until; ++i) text += std::to_string(i) + "," + std::to_string(i / 2) + (i % 2 == 0 ? "\n" : ".5\n");
  return text;
}

}  // namespace

static_assert(Checkpointable<append_log> && Checkpointable<training> && Checkpointable<std::vector<inner>>);
static_assert(std::is_copy_constructible_v<append_log> && std::is_nothrow_move_constructible_v<append_log>);

TEST_CASE("a run that is restored at any step and goes on has a log with every line once") {
  scratch::folder folder;
  for (std::uint64_t saved = 0; saved <= 8; ++saved) {
    for (const bool is_same_object : {false, true}) {
      scratch::fs::remove(folder / "log");
      memory archive;
      training t{.log = append_log(folder / "log")};
      train(t, saved);
      save(t, archive);
      train(t, 11);
      if (is_same_object) {
        restore(t, archive);
        CHECK(t.step == saved);
        CHECK(content(folder / "log") == lines(saved));
        train(t, 20);
      } else {
        training other{.log = append_log(folder / "log")};
        restore(other, archive);
        CHECK(other.log.position() == content(folder / "log").size());
        train(other, 20);
      }
      CHECK(content(folder / "log") == lines(20));
    }
  }
}

TEST_CASE("load takes the stored path, touches no file, and cuts it at the first line") {
  scratch::folder folder;
  memory archive;
  {
    training t{.log = append_log(folder / "log")};
    train(t, 5);
    save(t, archive);
    train(t, 9);
  }
  auto loaded = load<training>(archive);
  CHECK(loaded.log.path() == folder / "log");
  CHECK(content(folder / "log") == lines(9));
  memory again;
  save(loaded, again);  // unchanged, so the same
  CHECK(std::ranges::equal(again.bytes(), archive.bytes()));
  train(loaded, 12);
  CHECK(content(folder / "log") == lines(12));
  auto late = load<training>(archive);
  scratch::put(folder / "log", std::string(4000, 'x'));
  CHECK(code_of([&] { train(late, 12); }) == "invalid_value");
  CHECK(content(folder / "log") == std::string(4000, 'x'));
}

TEST_CASE("a log that is shorter, or has other bytes before the position, is refused before anything is touched") {
  scratch::folder folder;
  memory archive;
  training t{.log = append_log(folder / "log")};
  train(t, 50);
  save(t, archive);
  const std::string good = content(folder / "log");
  const auto refused = [&](const std::string& text, const std::string& code) {
    scratch::put(folder / "log", text);
    training target{.step = 7, .losses = {1, 2}, .log = append_log(folder / "log")};
    const auto failure = scratch::failure_of([&] { restore(target, archive); });
    REQUIRE(failure);
    CHECK(name_of(failure->code()) == code);
    CHECK(std::string(failure->what()).find(folder / "log") != std::string::npos);
    CHECK(target.step == 7);
    CHECK(target.losses == std::vector<double>{1, 2});
    CHECK(content(folder / "log") == text);
  };
  for (std::size_t length = 0; length < good.size(); length += 37) refused(good.substr(0, length), "truncated");
  for (std::size_t at = 0; at < good.size(); at += 23) {
    std::string other = good;
    other[at] = static_cast<char>(other[at] ^ 1);
    refused(other + "more", "invalid_value");
  }
  scratch::put(folder / "log", good + "more");
  training target{.log = append_log(folder / "log")};
  restore(target, archive);
  CHECK(content(folder / "log") == good);
}

TEST_CASE("the log may lie elsewhere by then; a part of an archive can be restored alone") {
  scratch::folder folder;
  memory archive;
  std::pair<std::uint64_t, inner> state{1, {append_log(folder / "log"), {1, 2}}};
  state.second.log.write("one");
  save(state, archive);
  state.second.log.write("two");
  scratch::fs::copy_file(folder / "log", folder / "moved");
  std::pair<std::uint64_t, inner> other{9, {append_log(folder / "moved"), {}}};
  restore(other, archive);
  CHECK(other.second.log.path() == folder / "moved");
  CHECK(content(folder / "moved") == "one\n");
  CHECK(content(folder / "log") == "one\ntwo\n");
  auto parts = open(archive);
  scratch::put(folder / "moved", "x");
  inner part{append_log(folder / "moved"), {7}};
  CHECK(code_of([&] { parts.restore(part, "1"); }) == "truncated");
  CHECK(part.values == std::vector<float>{7});
  part.log = append_log(folder / "log");
  parts.restore(part, "1");
  CHECK(content(folder / "log") == "one\n");
  CHECK(part.values.size() == 2);
}

TEST_CASE("a run whose log is lost goes on with another, in the way that the error says") {
  struct logged {
    std::uint64_t step = 0;
    append_log log;
  };
  scratch::folder folder;
  logged run{1, append_log(folder / "log")};
  run.log.write("one");
  save(run, folder / "x");
  scratch::put(folder / "log", "two\n");
  logged next{0, append_log(folder / "log")};
  const auto failure = scratch::failure_of([&] { restore(next, folder / "x"); });
  REQUIRE(failure);
  CHECK(std::string(failure->what()).find("append_log{}") != std::string::npos);
  logged bare;
  restore(bare, folder / "x");
  bare.log = append_log(folder / "new");
  bare.log.write("three");
  CHECK(bare.step == 1);
  CHECK(content(folder / "new") == "three\n");
  CHECK(content(folder / "log") == "two\n");
}

TEST_CASE("in a container a log that does not fit is still refused, and not cut") {
  scratch::folder folder;
  memory archive;
  std::vector<inner> state(2);
  state[1].log = append_log(folder / "log");
  state[1].log.write("one");
  save(state, archive);
  scratch::put(folder / "log", "another text");
  state[1].log = append_log(folder / "log");
  CHECK(code_of([&] { restore(state, archive); }) == "partly_restored");
  CHECK(content(folder / "log") == "another text");
}

TEST_CASE("every line is whole or not there, and visible to others at once") {
  scratch::folder folder;
  append_log log(folder / "log");
  log.write("one");
  CHECK(content(folder / "log") == "one\n");
  log.write("");
  log.write(std::string(100'000, 'x'));
  CHECK(log.position() == 4 + 1 + 100'001);
  CHECK(child::outcome_of([&] {
          struct rlimit limit;
          ::getrlimit(RLIMIT_FSIZE, &limit);
          limit.rlim_cur = log.position() + 10;
          ::setrlimit(RLIMIT_FSIZE, &limit);
          ::signal(SIGXFSZ, SIG_IGN);
          const auto before = content(folder / "log");
          if (code_of([&] { log.write("longer than ten bytes"); }) != "io") return 1;
          if (content(folder / "log") != before) return 2;
          log.write("short");
          return content(folder / "log") == before + "short\n" ? 0 : 3;
        }) == "exit 0");
}

TEST_CASE("rows are CSV: quoted where they must be, numbers as short as they read back") {
  scratch::folder folder;
  append_log log(folder / "log");
  log.row("step", "loss", std::string("a,b"), std::string_view("say \"hi\""), 'c', ',');
  log.row(1, 0.1, -2.5f, true, false, std::uint64_t{18446744073709551615u}, std::int8_t{-5});
  log.row("two\nlines", "\r", " edge", "edge ", "in side", "", '"');
  log.row(1e300, 5e-324, 1.0 / 3, std::numeric_limits<double>::infinity());
  log.row("");
  CHECK(content(folder / "log") ==
        "step,loss,\"a,b\",\"say \"\"hi\"\"\",c,\",\"\n"
        "1,0.1,-2.5,true,false,18446744073709551615,-5\n"
        "\"two\nlines\",\"\r\",\" edge\",\"edge \",in side,,\"\"\"\"\n"
        "1e+300,5e-324,0.3333333333333333,inf\n"
        "\n");
}

TEST_CASE("a copy is the log as it was: the first that writes goes on, the other can be saved but not written") {
  scratch::folder folder;
  training t{.log = append_log(folder / "log")};
  train(t, 3);
  const training copy = t;
  training writer = copy;
  train(t, 5);
  CHECK(code_of([&] { train(writer, 5); }) == "unsupported");
  memory archive;
  save(copy, archive);  // the state as of the copy
  training target{.log = append_log(folder / "log")};
  restore(target, archive);
  CHECK(content(folder / "log") == lines(3));
  train(target, 7);
  CHECK(content(folder / "log") == lines(7));
  append_log moved = std::move(target.log);
  moved.write("x");
  CHECK(content(folder / "log") == lines(7) + "x\n");
}

TEST_CASE("a log without a file cannot be written; it can be saved, and its checkpoint cuts no other log") {
  scratch::folder folder;
  memory archive;
  save(training{.step = 4}, archive);
  training t{.log = append_log(folder / "log")};
  t.log.write("kept");
  restore(t, archive);
  CHECK(t.step == 4);
  CHECK(content(folder / "log") == "kept\n");
  append_log none;
  const auto failure = scratch::failure_of([&] { none.write("x"); });
  REQUIRE(failure);
  CHECK(failure->code() == errc::unsupported);
  CHECK(std::string(failure->what()).find("has no file") != std::string::npos);
}

TEST_CASE("a log that is cleared is empty, on the disk and for the next checkpoint") {
  const scratch::folder dir;
  scratch::put(dir / "log.txt", "of a run that was killed before its first checkpoint\n");
  training t{.log = append_log(dir / "log.txt")};
  t.log.clear();
  CHECK(content(dir / "log.txt").empty());
  t.log.write("anew");
  memory sink;
  save(t, sink);
  const training loaded = load<training>(sink);
  t.log.clear();
  training later = loaded;
  CHECK(content(dir / "log.txt").empty());
  CHECK(code_of([&] { later.log.write("x"); }) == "truncated");
  later.log.clear();  // also by one that has not opened it yet
  later.log.write("x");
  CHECK(content(dir / "log.txt") == "x\n");
  append_log none;
  none.clear();
}

TEST_CASE("a save fails where others have cut the log, and the old checkpoint stays") {
  scratch::folder folder;
  memory archive;
  training t{.log = append_log(folder / "log")};
  train(t, 5);
  save(t, archive);
  train(t, 9);
  scratch::fs::resize_file(folder / "log", 3);
  CHECK(code_of([&] { save(t, archive); }) == "truncated");
  CHECK(load<training>(archive).step == 5);
}

TEST_CASE("the progress of a restore ends at its total, although a log is read beforehand") {
  scratch::folder folder;
  memory archive;
  training t{.log = append_log(folder / "log")};
  train(t, 5);
  save(t, archive);
  std::uint64_t done = 0, total = 0;
  restore(t, archive, {.progress = [&](const progress& p) { done = p.bytes_done, total = p.bytes_total; }});
  CHECK(done == total);
  CHECK(total > 0);
}
