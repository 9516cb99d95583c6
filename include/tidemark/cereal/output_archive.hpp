// SPDX-License-Identifier: BSL-1.0
// cereal/output_archive.hpp: the cereal archive that writes one object as a blob of tagged values (floor: cereal).
#ifndef TIDEMARK_CEREAL_OUTPUT_ARCHIVE_HPP
#define TIDEMARK_CEREAL_OUTPUT_ARCHIVE_HPP

#include <tidemark/cereal/tokens.hpp>
#include <tidemark/core/error.hpp>

#include <cereal/cereal.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <typeindex>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tidemark {
namespace detail {

/// What a `BinaryData<T>` is made of: T is the pointer or array that it was given. `std::byte` where that does not say.
template <class T, class E = std::remove_cv_t<std::remove_all_extents_t<std::remove_pointer_t<std::remove_cvref_t<T>>>>>
using binary_element = std::conditional_t<std::is_arithmetic_v<E>, E, std::byte>;

/// One object, one archive: versions, names and shared targets are written once in each.
class cereal_writer : public ::cereal::OutputArchive<cereal_writer, ::cereal::AllowEmptyClassElision> {
 public:
  cereal_writer() : OutputArchive(this) {}

  template <class T>
  void put(const T& value) {
    put_token(token_of<T>());
    put_value(value);
  }

  void put_size(std::uint64_t elements) {
    put_token(cereal_token::size);
    put_varint(elements);
    promises_.push_back({blob_.size(), elements});
  }

  template <class E>
  void put_binary(const void* data, std::uint64_t bytes) {
    put_token(cereal_token::binary);
    put_token(token_of<E>());
    put_varint(bytes);
    if constexpr (used_bytes<E> != sizeof(E)) {
      for (std::uint64_t i = 0; i < bytes / sizeof(E); ++i) put_value(static_cast<const E*>(data)[i]);
    } else if (bytes != 0) {
      put_bytes({static_cast<const std::byte*>(data), static_cast<std::size_t>(bytes)});
    }
  }

  void put_name(std::string_view name) {
    put_token(cereal_token::name);
    const auto [known, is_new] = names_.try_emplace(std::string(name), names_.size() + 1);
    put_varint(is_new ? 0 : known->second);
    if (!is_new) return;
    put_varint(name.size());
    put_bytes(bytes_of(name));
  }

  /// Hides cereal's, which tells targets apart by their address alone: a struct and its first member have the same.
  template <class T>
  std::uint32_t registerSharedPointer(const std::shared_ptr<T>& pointer) {
    const std::uint32_t id = OutputArchive::registerSharedPointer(pointer);
    const std::type_index type = typeid(std::remove_cv_t<T>);
    if ((id & ::cereal::detail::msb_32bit) != 0) {
      targets_.push_back(type);
    } else if (id != 0 && targets_[id - 1] != type) {
      throw error({.code = errc::unsupported,
                   .problem = "two smart pointers of different types share one target, which cereal cannot restore",
                   .advice = "Let both point to the same type."});
    }
    return id;
  }

  void enter() {
    if (++depth_ > max_cereal_depth) {
      throw error({.code = errc::limit,
                   .problem = "its cereal functions call each other more than " + std::to_string(max_cereal_depth) + " levels deep",
                   .advice = "A list or tree this deep is better held in one vector of nodes that link by index."});
    }
  }
  void leave() { --depth_; }

  /// The blob. Throws `error` (unsupported) where it holds more elements than bytes: no reader could tell that from damage.
  std::vector<std::byte> finish() && {
    serializeDeferments();
    std::uint64_t promised = 0;
    for (const promise& p : promises_) {
      promised += p.elements;
      if (p.elements > blob_.size() - p.position || promised > blob_.size()) {
        throw error({.code = errc::unsupported,
                     .problem = "a container in it has elements for which its cereal functions store nothing",
                     .found = std::to_string(p.elements) + " elements in " + std::to_string(blob_.size() - p.position) + " bytes",
                     .advice = "Store their number instead."});
      }
    }
    return std::move(blob_);
  }

 private:
  struct promise {
    std::size_t position;
    std::uint64_t elements;
  };

  void put_token(cereal_token token) { blob_.push_back(static_cast<std::byte>(token)); }
  void put_bytes(bytes_view bytes) { blob_.insert(blob_.end(), bytes.begin(), bytes.end()); }
  template <class T>
  void put_value(const T& value) {
    put_bytes(object_bytes(value).first(used_bytes<T>));
    blob_.resize(blob_.size() + (sizeof(T) - used_bytes<T>));
  }
  void put_varint(std::uint64_t value) {
    for (; value > 0x7F; value >>= 7) blob_.push_back(static_cast<std::byte>(0x80 | (value & 0x7F)));
    blob_.push_back(static_cast<std::byte>(value));
  }

  std::vector<std::byte> blob_{cereal_blob_version};
  std::vector<promise> promises_;
  std::unordered_map<std::string, std::uint64_t> names_;
  std::vector<std::type_index> targets_;  // of id 1, 2, ...
  std::size_t depth_ = 0;
};

template <class Pointer>
struct member_owner;
template <class Class, class Function>
struct member_owner<Function Class::*> {
  using type = Class;
};

/// Whether a member function that only the base has would be taken for this class, and its own members left out. cereal takes it.
/// Private and free functions are not seen.
template <class T>
consteval bool is_sliced() {
  const auto loses = []<class Pointer>(std::type_identity<Pointer>) { return sizeof(typename member_owner<Pointer>::type) != sizeof(T); };
  if constexpr (requires { typename std::void_t<decltype(&T::template serialize<cereal_writer>)>; }) {
    return loses(std::type_identity<decltype(&T::template serialize<cereal_writer>)>{});
  } else if constexpr (requires { typename std::void_t<decltype(&T::template save<cereal_writer>)>; }) {
    return loses(std::type_identity<decltype(&T::template save<cereal_writer>)>{});
  } else {
    return false;
  }
}

template <class T>
void prologue(cereal_writer& archive, const T&) {
  if constexpr (std::is_class_v<T>) {
    static_assert(!is_sliced<T>(), "tidemark: the cereal function of this type is its base's, which leaves out what the type adds; "
                                   "give it one of its own that stores both (cereal::base_class<Base>(this))");
  }
  archive.enter();
}
template <class T>
void epilogue(cereal_writer& archive, const T&) { archive.leave(); }

template <class T>
  requires std::is_arithmetic_v<T>
void save(cereal_writer& archive, const T& value) { archive.put(value); }

template <class T>
void save(cereal_writer& archive, const ::cereal::SizeTag<T>& tag) { archive.put_size(tag.size); }

template <class T>
void save(cereal_writer& archive, const ::cereal::BinaryData<T>& data) { archive.put_binary<binary_element<T>>(data.data, data.size); }

template <class T>
void save(cereal_writer& archive, const ::cereal::NameValuePair<T>& pair) {
  archive.put_name(pair.name);
  archive(pair.value);
}

}  // namespace detail

/// For those who instantiate their cereal functions explicitly.
using cereal_output_archive = detail::cereal_writer;

}  // namespace tidemark

CEREAL_REGISTER_ARCHIVE(tidemark::detail::cereal_writer)

#endif
