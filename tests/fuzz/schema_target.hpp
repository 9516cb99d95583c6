// SPDX-License-Identifier: BSL-1.0
// fuzz/schema_target.hpp: a text that may be a schema: it parses to what prints and parses as the same, or is refused.
#ifndef TIDEMARK_TESTS_FUZZ_SCHEMA_TARGET_HPP
#define TIDEMARK_TESTS_FUZZ_SCHEMA_TARGET_HPP

#include "forge.hpp"
#include "outcome.hpp"

#include <tidemark/model/schema_diff.hpp>
#include <tidemark/model/schema_text.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fuzz {

inline std::vector<bytes> schema_seeds() {
  std::vector<bytes> seeds;
  for (const std::string_view text :
       {"{step:u64,epoch:u64,weights:[f32],optimizer:{m:[f32],v:[f32],t:u64,lr:f32},blocks:[{weight:[[f32;4]],bias:[f64]}],rng:@mt19937={state:[u32;624],position:u64}}",
        "{history:<text,[f64]>,best:?(i32,text,),choice:(i32|text|{m:[f32]}|),now:enum:i16,elapsed:duration:i64:1/1000,flags:[bool],odd:(char,bool,i8,),at:system_time:i64:1/1}",
        "@a=@b=[[@snapshot=f32];18446744073709551614]", "<<text,??u8>,()>", "()", "{}", "text", "f80", "(?[{}]|@journey<a,b>=<(),{a:{}}>|)"}) {
    const auto raw = tidemark::detail::bytes_of(text);
    seeds.emplace_back(raw.begin(), raw.end());
  }
  return seeds;
}

/// A type costs about 150 bytes in memory, and one character can be one type.
inline constexpr std::int64_t schema_bytes_per_character = 1024;

inline void schema_input(std::span<const std::byte> input) {
  const std::string_view text = tidemark::detail::text_of(input);
  tidemark::schema s;
  const auto limit = static_cast<std::int64_t>(input.size()) * schema_bytes_per_character + (64 << 10);
  if (within(limit, [&] { return outcome([&] { s = tidemark::parse_schema(text); }); })) return;
  require(tidemark::detail::depth_of(s) <= tidemark::detail::max_schema_depth, "a schema of more levels than are allowed");
  const std::string canonical = to_text(s);
  require(canonical.size() <= text.size(), "a schema that prints longer than it was");
  require(tidemark::parse_schema(canonical) == s, "a schema that prints as another");
  require(to_text(tidemark::parse_schema(to_digest_text(s))) != "", "a schema whose digest covers no schema");
  require(to_digest_text(tidemark::parse_schema(to_digest_text(s))) == to_digest_text(s), "a schema whose sorted form is not sorted");
  require(tidemark::differences(s, s).empty(), "a schema that differs from itself");
  static const tidemark::schema other = tidemark::parse_schema("{step:u64,history:<text,[f64]>,best:?(i32,text,),flags:[bool]}");
  require(tidemark::differences(other, s).empty() == tidemark::differences(s, other).empty(), "a difference in one direction only");
}

}  // namespace fuzz
#endif
