// SPDX-License-Identifier: BSL-1.0
// whole/schema_digest.test.cpp: the schema and its digest are the same from every compiler: the literals here are compiled by all of them.
#include <tidemark/tidemark.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <random>
#include <string>
#include <variant>

using namespace tidemark;

namespace {

enum class phase : std::int16_t { warm_up, steady };
struct adamw {
  std::vector<float> m, v;
  std::uint64_t t = 0;
  float lr = 1e-3f;
};
struct block {
  std::vector<std::array<float, 4>> weight;
  std::vector<double> bias;
};
struct trainer {
  std::uint64_t step = 0, epoch = 0;
  std::vector<float> weights;
  adamw optimizer;
  std::vector<block> blocks;
  std::mt19937 rng32;
  std::mt19937_64 rng64;
  std::minstd_rand linear;
  std::normal_distribution<float> noise;
  std::bernoulli_distribution drop;
  std::uniform_int_distribution<int> dice;
  std::uniform_real_distribution<double> real;
  shuffled_sampler order;
  std::map<std::string, std::vector<double>> history;
  std::optional<std::pair<int, std::string>> best;
  std::variant<int, std::string, adamw> choice;
  phase now = phase::warm_up;
  std::chrono::milliseconds elapsed{0};
  std::vector<bool> flags;
  std::tuple<char, bool, signed char> odd;
};

}  // namespace

TEST_CASE("every compiler gives the same schema") {
  CHECK(to_text(schema_of<trainer>()) ==
        "{step:u64,epoch:u64,weights:[f32],optimizer:{m:[f32],v:[f32],t:u64,lr:f32},blocks:[{weight:[[f32;4]],bias:[f64]}],"
        "rng32:@mt19937={state:[u32;624],position:u64},rng64:@mt19937_64={state:[u64;312],position:u64},linear:@minstd_rand={x:u32},"
        "noise:@normal_distribution={mean:f32,stddev:f32,has_cached:bool,cached:f32},drop:@bernoulli_distribution={p:f64},"
        "dice:@uniform_int_distribution={a:i32,b:i32},real:@uniform_real_distribution={a:f64,b:f64},"
        "order:@shuffled_sampler.1={size:u64,seed:u64,epoch:u64,cursor:u64},history:<text,[f64]>,best:?(i32,text,),"
        "choice:(i32|text|{m:[f32],v:[f32],t:u64,lr:f32}|),now:enum:i16,elapsed:duration:i64:1/1000,flags:[bool],odd:(char,bool,i8,)}");
}

TEST_CASE("every compiler gives the same digest of it, that of Python's xxhash over the text with sorted members") {
  // python: xxhash.xxh3_128(text.encode()).hexdigest()
  CHECK(to_hex(digest_of(schema_of<trainer>())) == "0bb33e491f9c7aeb42f493267aded59a");
}
