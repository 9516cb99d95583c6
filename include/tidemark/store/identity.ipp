// SPDX-License-Identifier: BSL-1.0
// store/identity.ipp: the definitions of identity.hpp (floor: store).
#ifndef TIDEMARK_STORE_IDENTITY_IPP
#define TIDEMARK_STORE_IDENTITY_IPP

#include <tidemark/store/identity.hpp>

#include <tidemark/core/linkage.hpp>
#include <tidemark/model/schema_text.hpp>

#include <utility>

namespace tidemark {

TIDEMARK_DETAIL_INLINE digest128 digest_of(const schema& s) { return detail::digest_of(detail::bytes_of(to_digest_text(s))); }

}  // namespace tidemark

namespace tidemark::detail {

TIDEMARK_DETAIL_INLINE std::string identity_text(const schema& s) {
  return std::to_string(format_version) + " xxh3-128 " + std::to_string(block_bytes) + ' ' + to_hex(digest_of(s)) + ' ' + to_text(s);
}

TIDEMARK_DETAIL_INLINE identity parse_identity(std::string_view text) {
  const auto fail = [&](std::string problem) {
    throw error({.code = errc::corrupt, .problem = "its metadata entry \"tidemark\" " + std::move(problem)});
  };
  const auto word = [&] {
    const std::size_t space = text.find(' ');
    if (space == std::string_view::npos) fail("ends too early");
    const std::string_view w = text.substr(0, space);
    text.remove_prefix(space + 1);
    return w;
  };
  const auto number = [&] {
    const std::string_view w = word();
    std::uint64_t value = 0;
    for (const char c : w) {
      if (c < '0' || c > '9' || w.size() > 18 || (w[0] == '0' && w.size() > 1)) fail("has no number where one belongs");
      value = value * 10 + static_cast<std::uint64_t>(c - '0');
    }
    return value;
  };
  identity id;
  id.version = number();
  if (id.version > format_version) {
    throw error({.code = errc::newer_version,
                 .problem = "it was written in a newer format",
                 .expected = "format version " + std::to_string(format_version) + " at most",
                 .found = std::to_string(id.version),
                 .advice = "Read it with a newer release of tidemark, or its tensors with any reader of safetensors."});
  }
  id.digest_name = word();
  id.digest_block = number();
  if (id.version == 0 || id.digest_name != "xxh3-128" || id.digest_block != block_bytes) fail("names digests that this format does not have");
  id.schema_digest = word();
  id.schema_text = text;
  return id;
}

TIDEMARK_DETAIL_INLINE schema stored_schema(const identity& stored) {
  schema file = parse_schema(stored.schema_text);
  if (to_hex(digest_of(file)) != stored.schema_digest) {
    throw error({.code = errc::corrupt, .problem = "its schema does not match the digest beside it"});
  }
  return file;
}

TIDEMARK_DETAIL_INLINE void require_accepted(const evolution_plan& plan, const std::string& what, const char* newer_advice, const char* mismatch_advice) {
  if (plan.is_newer) {
    throw error({.code = errc::newer_version, .problem = what + " was saved by a newer version of the type:\n" + to_text(plan.refused), .advice = newer_advice});
  }
  if (!plan.refused.empty()) {
    throw error({.code = errc::schema_mismatch, .problem = what + " was saved from another type than the one that it is read into:\n" + to_text(plan.refused), .advice = mismatch_advice});
  }
}

TIDEMARK_DETAIL_INLINE stored_evolution require_schema(const identity& stored, const schema& here, const std::string& here_text) {
  const identity own = parse_identity(here_text);
  if (own.schema_text == stored.schema_text && own.schema_digest == stored.schema_digest) return {};
  stored_evolution found{stored_schema(stored)};
  evolution_plan plan = plan_evolution(here, found.file);
  require_accepted(plan, "it", "Load it with the program that has that version, or a newer one.",
                   "Load it as the type that was saved, or give the type a new checkpoint_version that says what became of the old members (docs/guide.md, \"When the struct changes\").");
  found.steps = std::move(plan.steps);
  return found;
}

}  // namespace tidemark::detail
#endif
