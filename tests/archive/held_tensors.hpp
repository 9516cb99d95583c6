// SPDX-License-Identifier: BSL-1.0
// archive/held_tensors.hpp: an archive held as a list of tensors, for tests of the walk up and down without a file.
#ifndef TIDEMARK_TESTS_ARCHIVE_HELD_TENSORS_HPP
#define TIDEMARK_TESTS_ARCHIVE_HELD_TENSORS_HPP

#include <tidemark/archive/decode.hpp>
#include <tidemark/archive/encode.hpp>

#include <functional>
#include <string>
#include <vector>

namespace held {

using namespace tidemark;
using namespace tidemark::detail;

struct tensor {
  std::string name;
  dtype type;
  std::vector<std::uint64_t> shape;
  std::string bytes;

  friend bool operator==(const tensor&, const tensor&) = default;
};
using tensors = std::vector<tensor>;

/// Everything that a save of `state` would write.
template <class T>
tensors encode(const T& state, std::size_t buffer_size = 64) {
  const save_plan plan = plan_of(state);
  tensors all;
  for (const auto& t : plan.tensors()) {
    tensor made{std::string(t.info.name), t.info.type, {t.info.shape.begin(), t.info.shape.end()}, {}};
    if (t.write == nullptr) {
      if (t.info.bytes != 0) made.bytes.assign(static_cast<const char*>(t.source), static_cast<std::size_t>(t.info.bytes));
    } else {
      std::vector<std::byte> buffer(buffer_size);
      output_stream out(buffer, [](void* to, bytes_view piece) { *static_cast<std::string*>(to) += text_of(piece); }, &made.bytes);
      t.write(t.source, out);
      out.flush();
    }
    bool fits = true;
    if (made.bytes.size() != t.info.bytes || tensor_bytes(made.type, made.shape, fits) != t.info.bytes) throw std::logic_error("wrong size of " + made.name);
    all.push_back(std::move(made));
  }
  return all;
}

/// Such a list as a decoder sees it. Hands bytes out in pieces of `piece` bytes.
class input final : public tensor_input {
 public:
  explicit input(const tensors& all, std::size_t piece = 7) : all_(all), piece_(piece), is_claimed_(all.size()) {
    for (const auto& t : all_) infos_.push_back({t.name, t.type, t.shape, 0, t.bytes.size()});
  }
  const tensor_info* find(std::string_view name) override {
    for (std::size_t i = 0; i < infos_.size(); ++i) {
      if (infos_[i].name == name) {
        is_claimed_[i] = true;
        return &infos_[i];
      }
    }
    return nullptr;
  }
  input_stream open(const tensor_info& info) override {
    open_ = bytes_of(bytes(info));
    return input_stream(open_.size(), [](void* self) { return static_cast<input*>(self)->next(); }, this);
  }
  std::uint64_t tensor_count() const noexcept override { return infos_.size(); }
  std::uint64_t data_bytes() const noexcept override {
    std::uint64_t sum = 0;
    for (const auto& t : all_) sum += t.bytes.size();
    return sum;
  }
  void defer_check(const tensor_info&) override {}
  void defer_copy(const tensor_info& info, bytes_span to) override {
    later_.push_back([this, &info, to] { if (!to.empty()) std::memcpy(to.data(), bytes(info).data(), to.size()); });
  }
  void defer_append(const tensor_info& info, void* container, append_function append) override {
    later_.push_back([this, &info, container, append] { if (!bytes(info).empty()) append(container, bytes_of(bytes(info))); });
  }
  void run_deferred() {
    for (const auto& f : later_) f();
    later_.clear();
  }
  bool all_claimed() const { return std::find(is_claimed_.begin(), is_claimed_.end(), false) == is_claimed_.end(); }

 private:
  const std::string& bytes(const tensor_info& info) const { return all_[static_cast<std::size_t>(&info - infos_.data())].bytes; }
  bytes_view next() {
    if (open_.empty()) throw error({.code = errc::corrupt, .problem = "read past the end"});
    const bytes_view piece = open_.first(std::min(piece_, open_.size()));
    open_ = open_.subspan(piece.size());
    return piece;
  }

  const tensors& all_;
  std::size_t piece_;
  std::vector<bool> is_claimed_;
  std::vector<tensor_info> infos_;
  bytes_view open_;
  std::vector<std::function<void()>> later_;
};

/// Checks without a target, then decodes into `state`. Throws what the walk throws.
template <class T>
void decode(const tensors& all, T& state, std::size_t piece = 7) {
  input in(all, piece);
  decode_state<T>(in, nullptr);
  decode_state(in, &state);
  in.run_deferred();
  if (!in.all_claimed()) throw std::logic_error("a tensor was not claimed");
}

/// "step U64 []" for each tensor.
inline std::string listing(const tensors& all) {
  std::string text;
  for (const auto& t : all) text += t.name + ' ' + shape_text(t.type, t.shape) + '\n';
  return text;
}

}  // namespace held
#endif
