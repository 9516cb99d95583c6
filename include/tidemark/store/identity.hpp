// SPDX-License-Identifier: BSL-1.0
// store/identity.hpp: what an archive says of itself in its metadata: format version, digests, schema (floor: store).
#ifndef TIDEMARK_STORE_IDENTITY_HPP
#define TIDEMARK_STORE_IDENTITY_HPP

#include <tidemark/core/digest.hpp>
#include <tidemark/core/version.hpp>
#include <tidemark/format/digests.hpp>
#include <tidemark/model/evolve_plan.hpp>
#include <tidemark/model/schema_diff.hpp>
#include <tidemark/model/schema_of.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace tidemark {

/// XXH3-128 of the schema with the members of records sorted by name: equal for g++, clang++ and nvcc, and for declarations
/// that differ only in the order of members or in C++ type names.
digest128 digest_of(const schema& s);

namespace detail {

inline constexpr std::string_view identity_key = "tidemark";

/// The value of the metadata entry `tidemark`: `1 xxh3-128 16777216 <schema digest> <schema>`.
struct identity {
  std::uint64_t version = format_version;
  std::string_view digest_name = "xxh3-128";
  std::uint64_t digest_block = block_bytes;
  std::string_view schema_digest;
  std::string_view schema_text;
};

std::string identity_text(const schema& s);

template <class T>
const std::string& identity_text_of() {
  static const std::string text = identity_text(schema_of<T>());
  return text;
}

/// Throws `error`: newer_version, corrupt, unsupported (another digest).
identity parse_identity(std::string_view text);

/// The schema that an archive states. Throws `error` (corrupt) where it is none, or not that of the digest beside it.
schema stored_schema(const identity& stored);

/// Throws `error`: newer_version, schema_mismatch, each with a line for every path that is in the way of reading `what`.
void require_accepted(const evolution_plan& plan, const std::string& what, const char* newer_advice, const char* mismatch_advice);

/// What a file of another schema than the type's takes to be read as it; nothing where they are equal.
struct stored_evolution {
  schema file;
  std::vector<evolution_step> steps{};
};

/// Throws `error`: schema_mismatch, with a line for each path at which the type and the file differ and that no newer version of the
/// type explains; newer_version, where the file has the newer one.
stored_evolution require_schema(const identity& stored, const schema& here, const std::string& here_text);

}  // namespace detail
}  // namespace tidemark

#ifndef TIDEMARK_COMPILED
#include <tidemark/store/identity.ipp>
#endif
#endif
