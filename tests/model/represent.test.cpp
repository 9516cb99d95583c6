// SPDX-License-Identifier: BSL-1.0
// model/represent.test.cpp: the two ways in which a class says what its state is.
#include <tidemark/model/represent.hpp>

#include <doctest/doctest.h>

#include <filesystem>
#include <string>

namespace {

struct foreign {
  explicit foreign(int v = 0) : value(v) {}
  int value;
};
class counter {
 public:
  static constexpr std::string_view checkpoint_name = "counter";
  int snapshot() const { return count_; }
  void restore(int count) { count_ = count; }

 private:
  int count_ = 3;
};
struct only_snapshot {
  int snapshot() const { return 1; }
};
struct takes_another_type {
  std::string snapshot() const { return {}; }
  void restore(int) {}
};

}  // namespace

template <>
struct tidemark::represent<foreign> {
  static std::string name() { return "foreign"; }
  static int snapshot(const foreign& f) { return f.value; }
  static void restore(foreign& f, int&& value) { f.value = value; }
};

using namespace tidemark::detail;
static_assert(Represented<foreign> && !SnapshotClass<foreign>);
static_assert(SnapshotClass<counter> && !Represented<counter>);
static_assert(!SnapshotClass<only_snapshot> && !SnapshotClass<takes_another_type> && !Represented<int> && !SnapshotClass<int>);

TEST_CASE("a specialisation and the members snapshot and restore give the same access") {
  foreign f{7};
  CHECK(representation<foreign>::snapshot(f) == 7);
  representation<foreign>::restore(f, 9);
  CHECK(f.value == 9);
  CHECK(representation<foreign>::name() == "foreign");
  counter c;
  representation<counter>::restore(c, 4);
  CHECK(representation<counter>::snapshot(c) == 4);
  CHECK(representation<counter>::name() == "counter");
}

TEST_CASE("a path is the text that it was made of, where the separators are its own") {
  if (std::filesystem::path::preferred_separator != '/') return;
  for (const std::string text : {"", "a", "/", "//", "a//b", "a/./../b/", "caf\u00e9/\xff"}) {
    CHECK(representation<std::filesystem::path>::snapshot(std::filesystem::path(text)) == text);
    std::filesystem::path back;
    representation<std::filesystem::path>::restore(back, std::string(text));
    CHECK(back.native() == std::filesystem::path(text).native());
  }
}
