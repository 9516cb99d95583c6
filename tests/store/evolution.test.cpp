// SPDX-License-Identifier: BSL-1.0
// store/evolution.test.cpp: a type over five versions: every older file is read by every newer type, by load and by restore.
#include <tidemark/store/load.hpp>
#include <tidemark/store/save.hpp>

#include <doctest/doctest.h>

#include <tidemark/sink/memory.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

using namespace tidemark;

namespace {

// One trainer, as it changed over the years. Each has rows, modules, maps, variants and optionals of things that changed too.
struct v1_sample {
  std::int32_t id = 0;
  float weight = 0;
  std::string tag;
};
struct v1_layer {
  std::vector<float> w;
  std::int32_t width = 0;
};
struct v1 {
  using sample = v1_sample;
  using layer = v1_layer;
  static constexpr std::string_view checkpoint_name = "trainer";
  std::int32_t step = 0;
  float lr = 0;
  std::vector<sample> samples;
  std::vector<layer> layers;
  std::map<std::string, layer> named;
  std::variant<std::int32_t, sample> last;
  std::optional<sample> best;
  std::vector<float> m;
};
/// Adds fields, widens numbers.
struct v2_sample {
  static constexpr std::uint32_t checkpoint_version = 2;
  std::int64_t id = 0;
  double weight = 0;
  std::string tag;
  std::optional<std::int32_t> epoch = 9;
};
struct v2_layer {
  static constexpr std::uint32_t checkpoint_version = 2;
  std::int32_t width = 0;
  std::vector<float> w;
  float decay = 0.5F;
};
struct v2 {
  using sample = v2_sample;
  using layer = v2_layer;
  static constexpr std::string_view checkpoint_name = "trainer";
  static constexpr std::uint32_t checkpoint_version = 2;
  std::int64_t step = 0;
  float lr = 0;
  std::vector<sample> samples;
  std::vector<layer> layers;
  std::map<std::string, layer> named;
  std::variant<std::int32_t, sample> last;
  std::optional<sample> best;
  std::vector<float> m;
  std::string note = "new in 2";
};
/// Renames, nests and drops.
struct v3_sample {
  static constexpr std::uint32_t checkpoint_version = 3;
  static constexpr renamed_path renamed[] = {{"tag", "label"}};
  std::int64_t id = 0;
  double weight = 0;
  std::string label;
  std::optional<std::int32_t> epoch = 9;
};
struct v3_layer {
  static constexpr std::uint32_t checkpoint_version = 3;
  static constexpr renamed_path renamed[] = {{"w", "weight"}};
  std::vector<double> weight;
  float decay = 0.5F;
};
struct v3_optimizer_state {
  float rate = 0;
  std::vector<float> momentum;
  std::int32_t warmup = 100;
};
struct v3 {
  using sample = v3_sample;
  using layer = v3_layer;
  using optimizer_state = v3_optimizer_state;
  static constexpr std::string_view checkpoint_name = "trainer";
  static constexpr std::uint32_t checkpoint_version = 3;
  static constexpr renamed_path renamed[] = {{"lr", "optimizer.rate"}, {"m", "optimizer.momentum"}};
  std::int64_t step = 0;
  optimizer_state optimizer;
  std::vector<sample> samples;
  std::vector<layer> layers;
  std::map<std::string, layer> named;
  std::variant<std::int32_t, sample> last;
  std::optional<sample> best;
  std::string note = "new in 2";
};
/// Turns rows into modules, a variant into a longer one, and computes what cannot be converted.
struct v4_sample {
  static constexpr std::uint32_t checkpoint_version = 4;
  static constexpr renamed_path renamed[] = {{"tag", "label"}};
  std::int64_t id = 0;
  double weight = 0;
  std::string label;
  std::optional<std::int32_t> epoch = 9;
  std::vector<std::int32_t> history{1, 2};
};
struct v4_layer {
  static constexpr std::uint32_t checkpoint_version = 3;
  static constexpr renamed_path renamed[] = {{"w", "weight"}};
  std::vector<double> weight;
  float decay = 0.5F;
};
struct v4_optimizer_state {
  float rate = 0;
  std::vector<float> momentum;
  std::int32_t warmup = 100;
};
struct v4 {
  using sample = v4_sample;
  using layer = v4_layer;
  using optimizer_state = v4_optimizer_state;
  static constexpr std::string_view checkpoint_name = "trainer";
  static constexpr std::uint32_t checkpoint_version = 4;
  static constexpr renamed_path renamed[] = {{"lr", "optimizer.rate"}, {"m", "optimizer.momentum"}};
  std::string step;  // in words now
  optimizer_state optimizer;
  std::vector<sample> samples;
  std::vector<layer> layers;
  std::map<std::string, layer> named;
  std::variant<std::int32_t, sample, double> last;
  std::optional<sample> best;
  std::string note = "new in 2";
  static void migrate(v4& now, const stored_record& old) {
    now.step = "step " + std::to_string(old.read<std::int64_t>("step"));
  }
};
/// Moves everything back out, and gives an old name to a new thing.
struct v5 {
  using sample = v4::sample;
  using layer = v4::layer;
  static constexpr std::string_view checkpoint_name = "trainer";
  static constexpr std::uint32_t checkpoint_version = 5;
  static constexpr renamed_path renamed[] = {{"lr", "rate"}, {"optimizer.rate", "rate"}, {"m", "momentum"}, {"optimizer.momentum", "momentum"}, {"step", "clock"}, {"samples", "queue"}};
  std::string clock;
  std::vector<std::string> step{"a new thing"};
  float rate = 0;
  std::vector<double> momentum;
  std::vector<sample> queue;
  std::vector<layer> layers;
  std::map<std::string, layer> named;
  std::variant<std::int32_t, sample, double> last;
  std::optional<sample> best;
  static void migrate(v5& now, const stored_record& old) {
    if (old.version() < 4) now.clock = "step " + std::to_string(old.read<std::int64_t>("step"));
  }
};

struct first {
  int a = 1;
};
struct failing {
  static constexpr std::uint32_t checkpoint_version = 2;
  int a = 5;
  static void migrate(failing&, const stored_record& old) { static_cast<void>(old.read<std::string>("a")); }
};
struct with_handle {
  static constexpr std::uint32_t checkpoint_version = 2;
  int a = 5;
  int b = 6;
  transient<int> handle;
};

template <class S>
void set_sample(S& s, int i) {
  s.id = i;
  s.weight = static_cast<decltype(s.weight)>(i) + 0.5F;
  if constexpr (requires { s.tag; }) s.tag = "t" + std::to_string(i);
  else s.label = "t" + std::to_string(i);
}
template <class L>
void set_layer(L& l, int i) {
  auto& w = [&]() -> auto& {
    if constexpr (requires { l.w; }) return l.w;
    else return l.weight;
  }();
  w = {1.5F * static_cast<float>(i), 2};
  if constexpr (requires { l.width; }) l.width = i;
}

/// The same content in every version.
template <class V>
V content() {
  V v{};
  if constexpr (requires { v.clock; }) v.clock = "step 77";
  else if constexpr (requires { v.step.size(); }) v.step = "step 77";
  else v.step = 77;
  if constexpr (requires { v.lr; }) v.lr = 0.25F, v.m = {1, 2, 3};
  else if constexpr (requires { v.optimizer; }) v.optimizer.rate = 0.25F, v.optimizer.momentum = {1, 2, 3};
  else v.rate = 0.25F, v.momentum = {1, 2, 3};
  auto& samples = [&]() -> auto& {
    if constexpr (requires { v.samples; }) return v.samples;
    else return v.queue;
  }();
  samples.resize(3);
  for (int i = 0; i < 3; ++i) set_sample(samples[static_cast<std::size_t>(i)], i + 1);
  v.layers.resize(2);
  for (int i = 0; i < 2; ++i) set_layer(v.layers[static_cast<std::size_t>(i)], i);
  set_layer(v.named["a.b"], 5);
  set_sample(v.last.template emplace<1>(), 8);
  set_sample(v.best.emplace(), 9);
  return v;
}

memory saved(const auto& state) {
  memory m;
  save(state, m);
  return m;
}
std::string bytes_of(const memory& m) { return std::string(detail::text_of(m.bytes())); }

template <class Old, class New>
void read_as() {
  CAPTURE(Old::checkpoint_name);
  const memory file = saved(content<Old>());
  load_report report;
  const New loaded = load<New>(file, {.report = &report});
  CHECK(bytes_of(saved(loaded)) == bytes_of(saved(content<New>())));
  CHECK(report.evolution.empty() == std::is_same_v<Old, New>);
  New target{};
  target.layers.resize(7);
  restore(target, file);
  CHECK(bytes_of(saved(target)) == bytes_of(saved(content<New>())));
}

template <class Old>
errc refusal_of(const memory& file) {
  Old target = content<Old>();
  const std::string before = bytes_of(saved(target));
  try {
    restore(target, file);
    return errc{};
  } catch (const error& e) {
    CHECK(bytes_of(saved(target)) == before);
    return e.code();
  }
}

}  // namespace

TEST_CASE("every older version is read by every newer type, as if it had been saved by it") {
  read_as<v1, v1>();
  read_as<v1, v2>();
  read_as<v1, v3>();
  read_as<v1, v4>();
  read_as<v1, v5>();
  read_as<v2, v2>();
  read_as<v2, v3>();
  read_as<v2, v4>();
  read_as<v2, v5>();
  read_as<v3, v3>();
  read_as<v3, v4>();
  read_as<v3, v5>();
  read_as<v4, v4>();
  read_as<v4, v5>();
  read_as<v5, v5>();
}

TEST_CASE("no newer version is read by an older type, which stays as it was") {
  CHECK(refusal_of<v1>(saved(content<v2>())) == errc::newer_version);
  CHECK(refusal_of<v1>(saved(content<v5>())) == errc::newer_version);
  CHECK(refusal_of<v3>(saved(content<v4>())) == errc::newer_version);
  CHECK(refusal_of<v4>(saved(content<v5>())) == errc::newer_version);
}

TEST_CASE("the report says what was done") {
  load_report report;
  static_cast<void>(load<v2>(saved(content<v1>()), {.report = &report}));
  const auto has = [&](evolution_step::what is, const std::string& path) {
    return std::any_of(report.evolution.begin(), report.evolution.end(), [&](const auto& s) { return s.is == is && s.path == path; });
  };
  CHECK(has(evolution_step::what::added, "note"));
  CHECK(has(evolution_step::what::added, "samples.*.epoch"));
  CHECK(has(evolution_step::what::converted, "step"));
  CHECK(has(evolution_step::what::converted, "last.1.weight"));
  CHECK(has(evolution_step::what::dropped, "layers.*.w") == false);
}

TEST_CASE("a number that the new type does not have is an error, wherever it stands, and nothing is touched") {
  struct wide {
    std::int64_t alone = 0;
    std::vector<std::int64_t> many;
    std::map<std::string, std::int64_t> map;
  };
  struct narrow {
    std::int8_t alone = 1;
    std::vector<std::int16_t> many{1};
    std::map<std::string, std::int32_t> map{{"x", 1}};
  };
  const auto refused = [](const wide& w) {
    narrow target;
    CHECK_THROWS_AS(restore(target, saved(w)), error);
    CHECK((target.alone == 1 && target.many.size() == 1 && target.map.at("x") == 1));
    CHECK_THROWS_AS(static_cast<void>(load<narrow>(saved(w))), error);
  };
  refused({128, {}, {}});
  refused({0, {1, 2, 40'000}, {}});
  refused({0, {}, {{"a", std::int64_t{1} << 40}}});
  const narrow fits = load<narrow>(saved(wide{-128, {-32768, 32767}, {{"a", -1}}}));
  CHECK((fits.alone == -128 && fits.many[0] == -32768 && fits.map.at("a") == -1));
}

TEST_CASE("a migrate function that throws leaves the target as it was") {
  failing target;
  CHECK_THROWS_AS(restore(target, saved(first{})), error);
  CHECK(target.a == 5);
}

TEST_CASE("a bit that flips in a file of an older version is an error, also in what is dropped") {
  std::string file = bytes_of(saved(content<v2>()));
  v3 target{};
  for (std::size_t i = 0; i < file.size(); ++i) {
    file[i] = static_cast<char>(file[i] ^ 4);
    const memory damaged(std::as_bytes(std::span(file)));
    CHECK_THROWS_AS(restore(target, damaged), error);
    file[i] = static_cast<char>(file[i] ^ 4);
  }
  CHECK(target.step == 0);
}

TEST_CASE("what is no state stays as it is when an older version is restored") {
  with_handle target;
  target.b = 9;
  target.handle.value = 77;
  restore(target, saved(first{}));
  CHECK(target.a == 1);
  CHECK(target.b == 6);  // the default of a new member, as a load gives it
  CHECK(target.handle.value == 77);
}

namespace {

struct before_width {
  std::int32_t a = 1;
};
struct with_width {
  static constexpr std::uint32_t checkpoint_version = 2;
  std::int32_t a = 0;
  const std::int32_t width = 8;
};

}  // namespace

TEST_CASE("an older version is restored where the constants are those of a fresh object, which it is read into") {
  with_width target;
  restore(target, saved(before_width{5}));
  CHECK(target.a == 5);
  with_width wider{7, 9};
  CHECK_THROWS_AS(restore(wider, saved(before_width{5})), error);
  CHECK(wider.a == 7);
}
