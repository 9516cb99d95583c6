// SPDX-License-Identifier: BSL-1.0
// sink/any_sink.hpp: any sink, or any source, behind one type, so that a program can choose at run time (floor: sink).
#ifndef TIDEMARK_SINK_ANY_SINK_HPP
#define TIDEMARK_SINK_ANY_SINK_HPP

#include <tidemark/core/bytes.hpp>
#include <tidemark/core/sink.hpp>
#include <tidemark/sink/opened_writer.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

namespace tidemark {

/// One save into an `any_sink`, which must outlive it where the sink that it holds must. Movable.
class any_sink_writer {
 public:
  /// Takes the writer that `sink` opens.
  template <class S>
    requires Sink<S>
  any_sink_writer(S& sink, std::uint64_t total_bytes) : any_sink_writer(detail::open_writer(sink, total_bytes)) {}

  void write(std::span<const std::byte> bytes) { write_(writer_.get(), bytes); }
  durability commit() { return commit_(writer_.get()); }

 private:
  template <class W>
  explicit any_sink_writer(std::unique_ptr<W> writer)
      : writer_(writer.release(), [](void* w) { delete static_cast<W*>(w); }),
        write_([](void* w, detail::bytes_view bytes) { static_cast<W*>(w)->write(bytes); }),
        commit_([](void* w) { return static_cast<W*>(w)->commit(); }) {}

  std::unique_ptr<void, void (*)(void*)> writer_;
  void (*write_)(void*, detail::bytes_view);
  durability (*commit_)(void*);
};

/// Holds a sink of any type. A value that can be moved, not copied; of one that was moved from, only assignment is defined.
///
///     tidemark::any_sink to = small ? tidemark::any_sink(tidemark::memory{}) : tidemark::any_sink(tidemark::atomic_file{path});
///
/// `std::ref(sink)` refers to a sink instead, which must then outlive it: how a program keeps hold of a `memory`.
/// Cost: two allocations a save, one indirect call for each `write`.
class any_sink {
 public:
  template <class S>
    requires(!std::same_as<std::remove_cvref_t<S>, any_sink> && Sink<std::remove_cvref_t<S>>)
  any_sink(S&& sink) : any_sink(new std::remove_cvref_t<S>(std::forward<S>(sink)), [](void* s) { delete static_cast<std::remove_cvref_t<S>*>(s); }) {}

  template <Sink S>
    requires(!std::is_const_v<S>)
  any_sink(std::reference_wrapper<S> sink) : any_sink(&sink.get(), [](void*) {}) {}

  any_sink_writer open(std::uint64_t total_bytes) { return open_(sink_.get(), total_bytes); }
  std::string name() const { return name_(sink_.get()); }

 private:
  template <class S>
  any_sink(S* sink, void (*remove)(void*))
      : sink_(sink, remove), open_([](void* s, std::uint64_t total_bytes) { return any_sink_writer(*static_cast<S*>(s), total_bytes); }),
        name_([](const void* s) { return std::string(static_cast<const S*>(s)->name()); }) {}

  std::unique_ptr<void, void (*)(void*)> sink_;
  any_sink_writer (*open_)(void*, std::uint64_t);
  std::string (*name_)(const void*);
};

/// Holds a source of any type. Copies share it, and it goes with the last of them; several threads may read through one or through
/// copies. `std::cref(source)` refers to a source instead, which must then outlive it.
/// A contiguous source is read like any other: its bytes are copied.
class any_source {
 public:
  template <class S>
    requires(!std::same_as<std::remove_cvref_t<S>, any_source> && Source<std::remove_cvref_t<S>>)
  any_source(S&& source) : any_source(std::make_shared<const std::remove_cvref_t<S>>(std::forward<S>(source))) {}

  template <class S>
    requires Source<std::remove_const_t<S>>
  any_source(std::reference_wrapper<S> source) : any_source(std::shared_ptr<const std::remove_const_t<S>>(std::shared_ptr<const void>(), &source.get())) {}

  std::uint64_t size() const { return size_(source_.get()); }
  std::string name() const { return name_(source_.get()); }
  void read(std::uint64_t offset, std::span<std::byte> into) const { read_(source_.get(), offset, into); }

 private:
  template <class S>
  explicit any_source(std::shared_ptr<const S> source)
      : source_(std::move(source)), size_([](const void* s) { return static_cast<std::uint64_t>(static_cast<const S*>(s)->size()); }),
        name_([](const void* s) { return std::string(static_cast<const S*>(s)->name()); }),
        read_([](const void* s, std::uint64_t offset, detail::bytes_span into) { static_cast<const S*>(s)->read(offset, into); }) {}

  std::shared_ptr<const void> source_;
  std::uint64_t (*size_)(const void*);
  std::string (*name_)(const void*);
  void (*read_)(const void*, std::uint64_t, detail::bytes_span);
};

}  // namespace tidemark
#endif
