// SPDX-License-Identifier: BSL-1.0
// cereal/input_archive.hpp: the cereal archive that reads a blob of tagged values and believes none of it (floor: cereal).
#ifndef TIDEMARK_CEREAL_INPUT_ARCHIVE_HPP
#define TIDEMARK_CEREAL_INPUT_ARCHIVE_HPP

#include <tidemark/cereal/output_archive.hpp>

#include <cereal/types/memory.hpp>

#include <algorithm>
#include <cstring>

namespace tidemark {
namespace detail {

/// Reads what a `cereal_writer` wrote. What it refuses, and why no blob makes it allocate without bound:
/// - every value stands behind its token, every named one behind its name; a shared target is only given out as the type it was read as;
/// - each element of a container takes at least a byte of its own, so the sizes in a blob add up to no more than its bytes. Containers
///   make their elements beforehand, so a blob can cost its bytes times the largest `sizeof` of an element of the type's containers;
/// - calls inside each other are counted.
class cereal_reader : public ::cereal::InputArchive<cereal_reader, ::cereal::AllowEmptyClassElision> {
 public:
  /// Throws `error`: newer_version, schema_mismatch (no blob at all). `blob` outlives the archive.
  explicit cereal_reader(bytes_view blob) : InputArchive(this), blob_(blob) {
    const std::byte version = take(1)[0];
    if (version == cereal_blob_version) return;
    throw error({.code = version > cereal_blob_version ? errc::newer_version : errc::schema_mismatch,
                 .problem = "the blob of its cereal functions has another format",
                 .expected = "format " + std::to_string(std::to_integer<int>(cereal_blob_version)),
                 .found = "format " + std::to_string(std::to_integer<int>(version))});
  }

  template <class T>
  void get(T& value) {
    expect(token_of<T>());
    const bytes_view bytes = take(sizeof(T));
    require_values<T>(bytes);
    std::memcpy(&value, bytes.data(), sizeof(T));
  }

  std::uint64_t get_size() {
    expect(cereal_token::size);
    const std::uint64_t elements = get_varint();
    if (elements > left() || elements > blob_.size() - promised_) {
      fail(errc::invalid_value, "a container claims more elements than the blob has bytes", "at most " + std::to_string(std::min<std::uint64_t>(left(), blob_.size() - promised_)), std::to_string(elements));
    }
    promised_ += elements;
    return elements;
  }

  template <class E>
  void get_binary(void* data, std::uint64_t bytes) {
    expect(cereal_token::binary);
    expect(token_of<E>());
    const std::uint64_t stored = get_varint();
    if (stored != bytes) fail(errc::schema_mismatch, "an array has another size", std::to_string(bytes) + " bytes", std::to_string(stored));
    const bytes_view from = take(stored);
    require_values<E>(from);
    if (!from.empty()) std::memcpy(data, from.data(), from.size());
  }

  void get_name(std::string_view expected) {
    expect(cereal_token::name);
    const std::uint64_t number = get_varint();
    if (number > names_.size()) fail(errc::invalid_value, "a name refers to one that is not there", "at most " + std::to_string(names_.size()), std::to_string(number));
    if (number == 0) names_.push_back(text_of(take(get_varint())));
    name_ = number == 0 ? names_.back() : names_[static_cast<std::size_t>(number - 1)];
    if (name_ != expected) fail(errc::schema_mismatch, "its cereal functions name another value here", '"' + std::string(expected) + '"', '"' + std::string(name_) + '"');
  }

  /// Hides cereal's. Targets are numbered as they come.
  template <class T>
  void registerSharedPointer(std::uint32_t id, const std::shared_ptr<T>& pointer) {
    targets_.push_back({typeid(T), pointer});
    if ((id & ~::cereal::detail::msb_32bit) != targets_.size()) {
      fail(errc::invalid_value, "a shared target has the wrong number", std::to_string(targets_.size()), std::to_string(id & ~::cereal::detail::msb_32bit));
    }
  }

  /// Hides cereal's, which casts whatever has this id to the type that the caller wants.
  std::shared_ptr<void> getSharedPointer(std::uint32_t id) const {
    if (id == 0) return nullptr;
    if (id > targets_.size()) fail(errc::invalid_value, "a smart pointer refers to a target that is not there", "at most " + std::to_string(targets_.size()), std::to_string(id));
    if (targets_[id - 1].type != pointee_) fail(errc::invalid_value, "a smart pointer refers to a target of another type", {}, {});
    return targets_[id - 1].pointer;
  }

  /// Before a value of type `T` is read.
  template <class T>
  void enter() {
    if (++depth_ > max_cereal_depth) fail(errc::limit, "its cereal functions call each other too deeply", "at most " + std::to_string(max_cereal_depth) + " levels", {});
    if constexpr (is_shared_wrapper<T>::value) pointee_ = typeid(typename is_shared_wrapper<T>::pointee);
    else if constexpr (std::is_class_v<T> && !std::is_base_of_v<::cereal::detail::NameValuePairCore, T>) class_version_ = &current_version<typename class_of<T>::type>;
  }
  void leave() { --depth_; }

  /// cereal hands any stored version of a class to its functions; one of a later program is not theirs to read.
  void require_known_version(std::uint32_t stored) const {
    const std::uint32_t known = class_version_ != nullptr ? class_version_() : stored;
    if (stored > known) fail(errc::newer_version, "a class was stored in a later version", "version " + std::to_string(known) + " or older", "version " + std::to_string(stored));
  }

  void finish() {
    serializeDeferments();
    if (left() != 0) fail(errc::schema_mismatch, "its cereal functions leave bytes of their blob unread", "none", std::to_string(left()));
  }

 private:
  struct target {
    std::type_index type;
    std::shared_ptr<void> pointer;
  };

  template <class T>
  struct is_shared_wrapper : std::false_type {};
  template <class T>
  struct is_shared_wrapper<::cereal::memory_detail::PtrWrapper<std::shared_ptr<T>&>> : std::true_type {
    using pointee = std::remove_cv_t<T>;
  };

  template <class T>
  struct class_of {
    using type = T;
  };
  template <class T>
  struct class_of<::cereal::base_class<T>> : class_of<T> {};
  template <class T>
  struct class_of<::cereal::virtual_base_class<T>> : class_of<T> {};
  template <class Archive, class T>
  struct class_of<::cereal::memory_detail::LoadAndConstructLoadWrapper<Archive, T>> : class_of<T> {};

  template <class T>
  static std::uint32_t current_version() {
    const auto lock = ::cereal::detail::StaticObject<::cereal::detail::Versions>::lock();
    auto& versions = ::cereal::detail::StaticObject<::cereal::detail::Versions>::getInstance();
    return versions.find(std::type_index(typeid(T)).hash_code(), ::cereal::detail::Version<T>::version);
  }

  [[noreturn]] void fail(errc code, std::string problem, std::string expected, std::string found) const {
    problem += " (byte " + std::to_string(at_) + " of " + std::to_string(blob_.size());
    if (!name_.empty()) problem += ", at \"" + shown(name_) + '"';
    const bool differs = code == errc::schema_mismatch;
    throw error({.code = code,
                 .problem = problem + ')',
                 .expected = std::move(expected),
                 .found = std::move(found),
                 .advice = differs ? "Functions that read other than they once wrote need CEREAL_CLASS_VERSION, and must ask for it." : ""});
  }

  std::uint64_t left() const { return blob_.size() - at_; }

  bytes_view take(std::uint64_t bytes) {
    if (bytes > left()) fail(errc::schema_mismatch, "its cereal functions read more than is stored", std::to_string(bytes) + " more bytes", std::to_string(left()));
    at_ += static_cast<std::size_t>(bytes);
    return blob_.subspan(at_ - static_cast<std::size_t>(bytes), static_cast<std::size_t>(bytes));
  }

  void expect(cereal_token wanted) {
    const auto found = static_cast<cereal_token>(take(1)[0]);
    if (found != wanted) fail(errc::schema_mismatch, "its cereal functions read another type than is stored", name_of(wanted), name_of(found));
  }

  template <class T>
  void require_values(bytes_view bytes) const {
    if (!are_values<T>(bytes)) fail(errc::invalid_value, "bytes that are no " + name_of(token_of<T>()), {}, {});
  }

  std::uint64_t get_varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const auto byte = std::to_integer<std::uint64_t>(take(1)[0]);
      const bool is_last = byte < 0x80;
      if ((is_last && byte == 0 && shift != 0) || (shift == 63 && byte > 1)) fail(errc::invalid_value, "a number in it is not written as it should be", {}, {});
      value |= (byte & 0x7F) << shift;
      if (is_last) return value;
    }
  }

  bytes_view blob_;
  std::size_t at_ = 0;
  std::uint64_t promised_ = 0;  // elements that containers have claimed so far
  std::size_t depth_ = 0;
  std::vector<std::string_view> names_;
  std::string_view name_;  // the last one read, for messages
  std::vector<target> targets_;
  std::type_index pointee_ = typeid(void);
  std::uint32_t (*class_version_)() = nullptr;
};

template <class T>
void prologue(cereal_reader& archive, const T&) { archive.enter<T>(); }
template <class T>
void epilogue(cereal_reader& archive, const T&) { archive.leave(); }

template <class T>
  requires std::is_arithmetic_v<T>
void load(cereal_reader& archive, T& value) { archive.get(value); }

template <class T>
void load(cereal_reader& archive, ::cereal::SizeTag<T>& tag) { tag.size = static_cast<std::remove_reference_t<T>>(archive.get_size()); }

template <class T>
void load(cereal_reader& archive, ::cereal::BinaryData<T>& data) { archive.get_binary<binary_element<T>>(data.data, data.size); }

template <class T>
void load(cereal_reader& archive, ::cereal::NameValuePair<T>& pair) {
  archive.get_name(pair.name);
  archive(pair.value);
  if constexpr (std::is_same_v<std::remove_cvref_t<T>, std::uint32_t>) {
    if (std::string_view(pair.name) == "cereal_class_version") archive.require_known_version(pair.value);
  }
}

}  // namespace detail

/// For those who instantiate their cereal functions explicitly.
using cereal_input_archive = detail::cereal_reader;

}  // namespace tidemark

CEREAL_REGISTER_ARCHIVE(tidemark::detail::cereal_reader)
CEREAL_SETUP_ARCHIVE_TRAITS(tidemark::detail::cereal_reader, tidemark::detail::cereal_writer)

#endif
