// SPDX-License-Identifier: BSL-1.0
// tests/sink/tee.test.cpp: whatever call of whatever sink of a tee fails, each file is old or new and the error says which.
#include <tidemark/sink/tee.hpp>

#include <tidemark/sink/any_sink.hpp>
#include <tidemark/sink/atomic_file.hpp>
#include <tidemark/sink/memory.hpp>

#include <doctest/doctest.h>
#include "scratch.hpp"
#include "scripted_ops.hpp"

#include <algorithm>
#include <cerrno>
#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

using namespace tidemark;

static_assert(Sink<tidemark::tee<atomic_file>> && Sink<tidemark::tee<atomic_file, memory, any_sink>> && SinkWriter<tee_writer<memory, atomic_file>>);

namespace {

using scripted_file = basic_atomic_file<scripted::ops>;

/// What the message says of `name`: the word before it on its line.
std::string said_of(const std::string& name, const std::string& message) {
  for (std::size_t at = 0; at < message.size();) {
    const std::size_t end = std::min(message.find('\n', at), message.size());
    const std::string line = message.substr(at, end - at);
    at = end + 1;
    if (line.find(name) == std::string::npos) continue;
    for (const char* state : {"not committed", "committed", "unknown"}) {
      if (line.starts_with("  " + std::string(state) + "  ")) return state;
    }
  }
  return "nothing";
}

template <std::size_t... I>
durability save_to_all(std::vector<scripted_file>& files, std::string_view text, std::index_sequence<I...>) {
  return scratch::save_text(tidemark::tee{files[I]...}, text, 1000);
}

template <std::size_t N>
struct campaign {
  std::map<std::string, int> seen;  ///< by code

  /// Fails call `at` of the sink at place `failing` with `number`.
  void one(std::size_t failing, int at, int number, const std::vector<atomic_file_options>& options) {
    scratch::folder folder;
    std::deque<scripted::script> scripts(N);
    std::vector<scripted_file> files;
    std::vector<std::string> paths;
    const std::string text = scratch::pattern(3500);
    for (std::size_t i = 0; i < N; ++i) {
      paths.push_back(folder / ("sink" + std::to_string(i)));
      if (options[i].mode == file_mode::replace) scratch::put(paths[i], "old");
      files.emplace_back(paths[i], options[i], scripted::ops{scripts[i]});
    }
    scripts[failing].fail_at = at;
    scripts[failing].error = number;
    const std::size_t descriptors = scratch::open_descriptors();

    durability reached{};
    const auto failure = scratch::failure_of([&] { reached = save_to_all(files, text, std::make_index_sequence<N>()); });

    std::vector<bool> is_new;
    for (std::size_t i = 0; i < N; ++i) {
      const std::string now = scratch::content(paths[i]);
      is_new.push_back(now == text);
      CHECK((now == text || now == (options[i].mode == file_mode::replace ? "old" : "(no file)")));
    }
    const auto news = static_cast<std::size_t>(std::count(is_new.begin(), is_new.end(), true));
    CHECK(std::is_partitioned(is_new.begin(), is_new.end(), [](bool b) { return b; }));  // committed in order
    CHECK(scratch::open_descriptors() == descriptors);
    if (scripts[failing].trace.size() <= static_cast<std::size_t>(at) || scripts[failing].names()[static_cast<std::size_t>(at)] != "unlinkat temporary") CHECK(folder.leftovers() == 0);
    const std::string code = failure ? std::string(name_of(failure->code())) : "success";
    CAPTURE(code);
    ++seen[code];
    if (!failure) {
      CHECK(news == N);
      durability lowest = durability::power;
      for (const auto& o : options) lowest = std::min(lowest, o.durability);
      CHECK(reached == lowest);
      return;
    }
    const std::string message = failure->what();
    CAPTURE(message);
    CHECK(failure->system() == number);
    CHECK(message.find(std::generic_category().message(number)) != std::string::npos);
    if (failure->code() == errc::commit_unknown) {
      CHECK(failing == 0);
      CHECK(news == 1);
      CHECK(said_of(paths[0], message) == (N == 1 ? "nothing" : "unknown"));
      for (std::size_t i = 1; i < N; ++i) CHECK(said_of(paths[i], message) == "not committed");
    } else if (failure->code() == errc::partly_committed) {
      CHECK(failing > 0);
      CHECK(news > 0);
      for (std::size_t i = 0; i < N; ++i) {
        const std::string said = said_of(paths[i], message);
        CHECK(said == (i < failing ? "committed" : i == failing && is_new[i] ? "unknown" : "not committed"));
        CHECK(is_new[i] == (said != "not committed"));
      }
    } else {
      CHECK(news == 0);
      CHECK(failure->file() == paths[failing]);  // its own error, as it came
    }
  }

  void all(const std::vector<atomic_file_options>& options) {
    // How many calls each sink makes when nothing fails.
    for (std::size_t failing = 0; failing < N; ++failing) {
      scratch::folder folder;
      scripted::script clean;
      if (options[failing].mode == file_mode::replace) scratch::put(folder / "file", "old");
      scratch::save_text(scripted_file(folder / "file", options[failing], scripted::ops{clean}), scratch::pattern(3500), 1000);
      for (std::size_t at = 0; at <= clean.trace.size(); ++at) {
        for (const int number : {EIO, ENOSPC}) {
          CAPTURE(failing);
          CAPTURE(at);
          one(failing, static_cast<int>(at), number, options);
        }
      }
    }
  }
};

/// A sink that commits or fails as it is told, with what it is told.
struct moody {
  std::string called;
  std::string fails_at;
  int thrown = 0;  ///< 0: nothing; 1: an int; 2: a std::exception; 3: an error
  std::vector<std::string>* log;

  void step(const std::string& name) const {
    log->push_back(called + "." + name);
    if (fails_at != name) return;
    if (thrown == 1) throw 5;
    if (thrown == 2) throw std::runtime_error("a plain exception");
    throw error({.code = errc::locked, .file = called, .problem = "it is locked", .advice = "Wait."});
  }
  struct writer {
    const moody* sink;
    explicit writer(const moody* s) : sink(s) {}
    writer(const writer&) = delete;
    writer& operator=(const writer&) = delete;
    ~writer() { sink->log->push_back(sink->called + " gone"); }
    void write(std::span<const std::byte>) { sink->step("write"); }
    durability commit() {
      sink->step("commit");
      return durability::process;
    }
  };
  writer open(std::uint64_t) const {
    step("open");
    return writer(this);
  }
  std::string name() const { return called; }
};

}  // namespace

TEST_CASE("a tee saves the same bytes to each sink, returns the lowest level, and is named after all") {
  scratch::folder folder;
  memory third;
  tidemark::tee all{atomic_file{folder / "a"}, atomic_file{folder / "b", {.durability = durability::process}}, memory{}, any_sink(std::ref(third))};
  CHECK(scratch::save_text(all, "abcdefgh", 3) == durability::none);
  CHECK(scratch::content(folder / "a") == "abcdefgh");
  CHECK(scratch::content(folder / "b") == "abcdefgh");
  CHECK(detail::text_of(all.get<2>().bytes()) == "abcdefgh");
  CHECK(detail::text_of(third.bytes()) == "abcdefgh");
  CHECK(all.name() == folder / "a" + " and " + (folder / "b") + " and memory and memory");
  CHECK(scratch::save_text(tidemark::tee{atomic_file{folder / "a"}, atomic_file{folder / "b", {.durability = durability::process}}}, "x") == durability::process);
  CHECK(scratch::save_text(tidemark::tee{atomic_file{folder / "a"}, atomic_file{folder / "b"}}, "y") == durability::power);
  CHECK(scratch::save_text(tidemark::tee{atomic_file{folder / "b"}, tidemark::tee{atomic_file{folder / "a"}, memory{}}}, "nested") == durability::none);
  CHECK(scratch::content(folder / "a") == "nested");
}

TEST_CASE("whatever call of whatever sink of a tee fails: each file old or new, in order, and the error says which") {
  const atomic_file_options old{}, fast{.durability = durability::process}, fresh{.mode = file_mode::create_new};
  campaign<1> alone;
  for (const auto& a : {old, fast, fresh}) alone.all({a});
  CHECK(alone.seen["partly_committed"] == 0);
  CHECK(alone.seen["commit_unknown"] > 0);
  campaign<2> two;
  for (const auto& a : {old, fast, fresh}) {
    for (const auto& b : {old, fast, fresh}) two.all({a, b});
  }
  campaign<3> three;
  std::vector<atomic_file_options> options{old, fast, fresh};
  std::vector<std::size_t> order{0, 1, 2};
  do {
    three.all({options[order[0]], options[order[1]], options[order[2]]});
  } while (std::next_permutation(order.begin(), order.end()));
  for (auto* seen : {&two.seen, &three.seen}) {
    for (const char* code : {"success", "io", "no_space", "commit_unknown", "partly_committed"}) CHECK((*seen)[code] > 0);
  }
}

TEST_CASE("a failure of a tee of any type ends all its saves: nothing more is tried, and all writers go") {
  for (std::size_t failing = 0; failing < 3; ++failing) {
    for (const std::string step : {"open", "write", "commit"}) {
      for (const int thrown : {1, 2, 3}) {
        CAPTURE(failing);
        CAPTURE(step);
        CAPTURE(thrown);
        std::vector<std::string> log;
        std::vector<moody> sinks{{"a", "", 0, &log}, {"b", "", 0, &log}, {"c", "", 0, &log}};
        sinks[failing].fails_at = step;
        sinks[failing].thrown = thrown;
        std::string caught;
        try {
          tidemark::tee three{sinks[0], sinks[1], sinks[2]};
          scratch::save_text(three, "x");
        } catch (const error& e) {
          caught = std::string(name_of(e.code())) + ": " + e.what();
        } catch (const std::exception& e) {
          caught = e.what();
        } catch (int) {
          caught = "5";
        }
        const bool is_partly = step == "commit" && failing > 0;
        const char* own[] = {"5", "a plain exception", "locked: "};
        CHECK(caught.starts_with(is_partly ? "partly_committed: " : own[thrown - 1]));
        const char* why[] = {"an exception of another type", "a plain exception", "it is locked"};
        if (is_partly) CHECK(caught.find(sinks[failing].called + ": " + why[thrown - 1]) != std::string::npos);
        // Nothing is asked of a sink after the failure.
        const auto at = std::find(log.begin(), log.end(), sinks[failing].called + "." + step);
        REQUIRE(at != log.end());
        for (auto later = at + 1; later != log.end(); ++later) CHECK(later->ends_with(" gone"));
        const auto count = [&](const std::string& end) { return std::count_if(log.begin(), log.end(), [&](const auto& l) { return l.ends_with(end); }); };
        CHECK(count(" gone") == (step == "open" ? static_cast<long>(failing) : 3));
      }
    }
  }
}

TEST_CASE("a save of a tee that is over takes nothing more, and one that is given up changes nothing") {
  scratch::folder folder;
  tidemark::tee both{atomic_file{folder / "a"}, memory(detail::bytes_of("old"))};
  { both.open(3).write(detail::bytes_of("new")); }
  CHECK(folder.entries() == 0);
  CHECK(detail::text_of(both.get<1>().bytes()) == "old");
  auto writer = both.open(1);
  writer.commit();
  CHECK(scratch::code_of([&] { writer.write({}); }) == "unsupported");
  CHECK(scratch::code_of([&] { writer.commit(); }) == "unsupported");
}
