// SPDX-License-Identifier: BSL-1.0
// run/checkpointer.hpp: saves a run as it goes, keeps what is worth keeping, and brings it back (floor: run).
#ifndef TIDEMARK_RUN_CHECKPOINTER_HPP
#define TIDEMARK_RUN_CHECKPOINTER_HPP

#include <tidemark/archive/encode.hpp>
#include <tidemark/run/background_queue.hpp>
#include <tidemark/run/cadence.hpp>
#include <tidemark/run/checkpoint_writer.hpp>
#include <tidemark/run/child_answer.hpp>
#include <tidemark/run/kept_failure.hpp>
#include <tidemark/run/last_checkpoint.hpp>
#include <tidemark/run/options.hpp>
#include <tidemark/run/resume.hpp>
#include <tidemark/run/run_record.hpp>
#include <tidemark/run/staged_state.hpp>
#include <tidemark/sink/child_process.hpp>
#include <tidemark/sink/folder_lock.hpp>
#include <tidemark/sink/process.hpp>
#include <tidemark/sink/stop_signals.hpp>
#include <tidemark/store/failures.hpp>

#include <algorithm>
#include <chrono>
#include <concepts>
#include <cstdint>
#include <exception>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace tidemark {

struct tick_result {
  bool saved = false;  ///< a save was done, or begun in the background
  bool stop = false;   ///< leave the loop, then call `finish`: a signal, the deadline, or the stop token
};

/// The checkpoints of one run in one folder, of which it is the only writer.
///
///     tidemark::checkpointer run{"run", {.every_steps = 500, .every = 60s, .keep_last = 3}};
///     if (auto at = run.resume(state)) std::cout << "resumed at step " << at->step << '\n';
///     while (state.step < total) {
///       train_step(state);
///       if (run.tick(state, state.step).stop) break;
///     }
///     run.finish(state);
///
/// One thread calls it. Destruction waits for saves under way, and tells nobody of their errors: call `finish` or `wait`.
/// The contract: docs/durability.md, "A run".
template <class Ops>
class basic_checkpointer {
  using clock = std::chrono::steady_clock;

 public:
  /// Creates the folder where it is missing, takes its lock, and removes what interrupted saves of earlier processes left.
  /// Throws `error`: locked, naming who writes there; invalid_value (options that nobody can mean); not_found, io.
  template <detail::PathLike P>
  explicit basic_checkpointer(const P& folder, checkpointer_options options = {}, Ops ops = {})
      : options_((detail::require_usable(options), std::move(options))),
        folder_(ops, detail::absolute_path(detail::path_text(folder)), true, options_.compression.suffix),
        lock_(folder_.folder(), folder_.path()),
        record_(folder_, {options_.keep_last, options_.keep_every, options_.keep_best, options_.keep_geometric}, options_.compression),
        writer_{folder_.path(), options_.shards, options_.durability, options_.compression, options_.cancel, ops},
        cadence_({options_.every_steps, detail::clock_duration(options_.every), options_.deadline}, clock::now()) {
    if (options_.catch_signals) signals_.emplace(catch_stop_signals());
  }
  basic_checkpointer(const basic_checkpointer&) = delete;
  basic_checkpointer& operator=(const basic_checkpointer&) = delete;

  /// As the function `resume`: the newest checkpoint that is whole, into `state`; nothing where there is none yet. Waits for saves under way.
  template <class T>
  std::optional<resumed_checkpoint> resume(T& state) {
    return resume_with(state, nullptr);
  }
  /// The same; the next older one is tried where `accept(const T&)` does not say yes.
  template <class T, std::predicate<const T&> Accept>
  std::optional<resumed_checkpoint> resume(T& state, Accept accept) {
    return resume_with(state, std::move(accept));
  }

  /// Saves if it is time to, and says whether to stop: after a signal, near the deadline, or once a stop is requested, the state is saved
  /// whatever the cadence. Rethrows the error of an earlier background save, once. In the background the file holds the state as it is
  /// now, whatever the program then does with it.
  /// Throws `error`: as `save`. The first call also throws what no later save could do: limit (more tensors than a header holds).
  /// Cost of one that is not due: a clock reading.
  template <class T>
  [[nodiscard]] tick_result tick(const T& state, std::uint64_t step, const metric_list& metrics = {}) {
    failure_.rethrow();
    if (!std::exchange(has_ticked_, true)) check_plan(state);
    if (step < last_step_) forget_saved_step();
    last_step_ = step;
    const auto decision = decide(step);
    const bool is_asked = stop_requested() || options_.cancel.requested();
    const bool stop = decision.stop || is_asked;
    if (options_.cancel.requested()) return {false, true};  // a save would be cancelled
    if (!decision.is_due() && !(is_asked && !is_saved_step(step))) return {false, stop};
    if (options_.background != background::off && options_.busy == when_busy::skip && !stop && !queue_.has_room()) return {false, stop};
    if (options_.background == background::off) save(state, step, metrics);
    else static_cast<void>(save_in_background(state, step, metrics));
    const std::lock_guard lock(mutex_);
    cadence_.returned(clock::now());
    return {true, stop};
  }

  /// Saves now and returns when it is committed. Waits for background saves before it. Then `latest` names the new checkpoint, and what need
  /// not be kept is removed.
  /// Throws `error`: no_space, with what is needed and what is free, before anything is written; as `save` to a file. A failed save changes
  /// nothing; after commit_unknown nothing older is removed.
  template <class T>
  saved_checkpoint save(const T& state, std::uint64_t step, const metric_list& metrics = {}) {
    detail::require_restorable<T>();
    queue_.wait();
    failure_.rethrow();
    return save_with(writer_, state, step, metrics);
  }

  /// Begins a save as `options.background` says (staged where that is off) and returns when the state may change. The future has what
  /// became of it; an error is also thrown by the next `tick`, `save`, `wait` or `finish`, whichever comes first.
  /// Waits where two saves are under way. Throws `error`: no_space; unsupported (a fork beside CUDA); io (no process, no thread).
  template <class T>
  std::shared_future<saved_checkpoint> save_in_background(const T& state, std::uint64_t step, const metric_list& metrics = {}) {
    detail::require_restorable<T>();
    queue_.wait_for_room();
    if (options_.background == background::fork) return fork_save(state, step, metrics);
    auto copy = free_copy();
    begun_save begun = begin(state, step, metrics);
    return starting(step, [&] {
      saving([&] { copy->take(std::move(begun.plan), detail::threads_or_default(0)); });
      return enqueue([this, copy = std::move(copy), label = std::move(begun.label), &identity = detail::identity_text_of<T>()] {
        return commit(label, [&] { return write(writer_, {copy->tensors(), copy->bytes()}, identity, label); });
      });
    });
  }

  /// Waits for all background saves, and throws the error of the first that failed and was not thrown yet.
  void wait() {
    queue_.wait();
    failure_.rethrow();
  }

  /// The last save of a run, at level `power`, of the step of the last `tick`, `save` or `resume` (or `step`). Where the last checkpoint
  /// holds just this state it is made durable instead, and no other is written. Waits for background saves. It saves also after a stop was
  /// requested, and after an earlier save has failed: that error is thrown when this one is done. Throws as `save`.
  template <class T>
  void finish(const T& state) { finish(state, last_step_); }
  template <class T>
  void finish(const T& state, std::uint64_t step) {
    detail::require_restorable<T>();
    queue_.wait();
    if (!is_saved(state, step)) {
      auto last = writer_;
      last.durability = durability::power;
      last.cancel = {};
      save_with(last, state, step, last_ && last_->saved.step == step ? last_->label.metrics : metric_list{});
    }
    failure_.rethrow();
  }

  /// Keeps the newest checkpoint of this step whatever the options say, also in later processes, until `unpin`. Waits for saves under way.
  /// Throws `error`: not_found, io.
  void pin(std::uint64_t step) { queue_.wait(), record_.pin(step, true); }
  void unpin(std::uint64_t step) { queue_.wait(), record_.pin(step, false); }

  const std::string& folder() const noexcept { return folder_.path(); }
  const checkpointer_options& options() const noexcept { return options_; }

 private:
  tick_decision decide(std::uint64_t step) {
    const std::lock_guard lock(mutex_);
    return cadence_.due(step, clock::now());
  }
  bool is_saved_step(std::uint64_t step) const {
    const std::lock_guard lock(mutex_);
    return last_saved_step_ == step;
  }
  /// The run has gone back: when it comes to that step again, it comes with another state.
  void forget_saved_step() {
    const std::lock_guard lock(mutex_);
    last_saved_step_.reset();
  }

  template <class T, class Accept>
  std::optional<resumed_checkpoint> resume_with(T& state, Accept accept) {
    return detail::doing("resume from", [&] { return folder_.path(); }, [&] {
      queue_.wait();
      folder_.require_in_place();
      auto resumed = detail::resume_in(state, folder_, {.compression = options_.compression}, std::move(accept), [&](std::uint64_t sequence) { record_.mark_damaged(sequence); });
      if (resumed) {
        last_step_ = resumed->step;
        forget_saved_step();
        cadence_.resumed(resumed->step, clock::now());
        last_.reset();
        const bool is_newest = std::all_of(resumed->skipped.begin(), resumed->skipped.end(), [](const auto& passed) { return passed.is_damaged; });
        if (is_newest) {  // else a later resume would take one that was rejected here
          last_ = {{resumed->step, resumed->sequence, resumed->path, resumed->report.bytes, 0, durability::none, resumed->report.digest},
                   {{resumed->sequence, resumed->step}, resumed->metrics, options_.metadata}};
        }
      }
      return resumed;
    });
  }

  /// An error that leaves `f` says what was being done, and where.
  template <class F>
  decltype(auto) saving(F&& f) const {
    return detail::doing("save", [&] { return folder_.path(); }, std::forward<F>(f));
  }

  template <class T>
  detail::save_plan plan_of(const T& state) {
    return saving([&] {
      auto plan = detail::plan_of(state);
      const std::lock_guard lock(mutex_);
      cadence_.expect_bytes(plan.bytes());
      if (!options_.compression.wrap) folder_.require_space(plan.bytes());  // a compressed one is shorter by nobody knows how much
      return plan;
    });
  }

  template <class T>
  void check_plan(const T& state) {
    detail::require_restorable<T>();
    saving([&] {
      const auto plan = detail::plan_of(state);
      const std::lock_guard lock(mutex_);
      cadence_.expect_bytes(plan.bytes());  // for the deadline, before any save was measured
      static_cast<void>(writer_.lay_out(plan, detail::identity_text_of<T>(), {{}, {}, options_.metadata}));
    });
  }

  detail::checkpoint_label label_of(std::uint64_t step, const metric_list& metrics) { return {{record_.next_sequence(), step}, metrics, options_.metadata}; }

  struct begun_save {
    detail::save_plan plan;
    detail::checkpoint_label label;
  };

  /// From here on the save counts as tried: one that there is no space for, or that code of the user's ends, is not tried at every tick.
  template <class T>
  begun_save begin(const T& state, std::uint64_t step, const metric_list& metrics) {
    {
      const std::lock_guard lock(mutex_);
      cadence_.started(step, clock::now());
      last_step_ = step;
      last_saved_step_ = step;
    }
    try {
      auto plan = plan_of(state);
      return {std::move(plan), label_of(step, metrics)};
    } catch (...) {
      has_failed(step);
      throw;
    }
  }

  template <class T>
  saved_checkpoint save_with(const detail::checkpoint_writer<Ops>& writer, const T& state, std::uint64_t step, const metric_list& metrics) {
    const begun_save begun = begin(state, step, metrics);
    return commit(begun.label, [&] { return write(writer, begun.plan, detail::identity_text_of<T>(), begun.label); });
  }

  /// In whatever thread or process: when its turn has come.
  saved_checkpoint write(const detail::checkpoint_writer<Ops>& writer, detail::plan_view plan, const std::string& identity, const detail::checkpoint_label& label) const {
    saving([&] { folder_.require_in_place(); });
    return writer.write(plan, identity, label);
  }

  /// A background save that could not even be started has failed like any other.
  template <class Start>
  std::shared_future<saved_checkpoint> starting(std::uint64_t step, Start&& start) {
    try {
      return start();
    } catch (const std::system_error& e) {
      has_failed(step);
      throw error({.code = errc::io, .action = "save", .file = folder_.path(), .problem = std::string("no thread could be started (") + e.what() + ')'});
    } catch (...) {
      has_failed(step);
      throw;
    }
  }

  /// Runs a save, makes it the newest, and keeps account of how it went.
  template <class Save>
  saved_checkpoint commit(const detail::checkpoint_label& label, Save&& run_save) {
    try {
      saved_checkpoint saved = run_save();
      record_.add(saved, label.metrics);
      const std::lock_guard lock(mutex_);
      cadence_.finished(std::chrono::duration_cast<clock::duration>(std::chrono::duration<double>(saved.seconds)));
      last_ = {saved, label};
      return saved;
    } catch (const error& e) {
      if (e.code() == errc::commit_unknown) record_.add_uncertain({label.name.step, label.name.sequence, writer_.path_of(label.name)}, label.metrics);
      has_failed(label.name.step);
      throw;
    } catch (...) {
      has_failed(label.name.step);
      throw;
    }
  }

  void has_failed(std::uint64_t step) {
    const std::lock_guard lock(mutex_);
    cadence_.failed(step);
    if (last_saved_step_ == step) last_saved_step_.reset();
  }

  template <class T>
  std::shared_future<saved_checkpoint> fork_save(const T& state, std::uint64_t step, const metric_list& metrics) {
    detail::refuse_fork_beside_cuda(folder_.folder().ops());
    const begun_save begun = begin(state, step, metrics);
    const auto& identity = detail::identity_text_of<T>();
    return starting(step, [&] {
      // A stop that comes later would not be seen in the child, whose memory is a copy, and the question may wait there for a thread that it lacks.
      auto alone = writer_;
      alone.cancel = [is_cancelled = options_.cancel.requested()] { return is_cancelled; };
      auto child = std::make_shared<detail::child_process>(saving([&] {
        return detail::child_process::start([&] { return detail::answer_of([&] { return write(alone, begun.plan, identity, begun.label); }); });
      }));
      return enqueue([this, child = std::move(child), label = begun.label] { return commit(label, [&] { return answer_from(*child, label); }); });
    });
  }

  /// A child that was killed cannot remove what it had begun, and a run whose children are killed again and again would fill the disk.
  saved_checkpoint answer_from(detail::child_process& child, const detail::checkpoint_label& label) const {
    return detail::doing("save", [&] { return writer_.path_of(label.name); }, [&] { return detail::await_answer(child, options_.cancel, [&] { folder_.sweep(label.name); }); });
  }

  /// Of the copies that are not in use, one; there are never more than saves under way.
  std::shared_ptr<detail::staged_state> free_copy() {
    const std::lock_guard lock(mutex_);  // orders what the thread has read before what will be written
    for (const auto& copy : copies_) {
      if (copy.use_count() == 1) return copy;
    }
    return copies_.emplace_back(std::make_shared<detail::staged_state>());
  }

  std::shared_future<saved_checkpoint> enqueue(std::function<saved_checkpoint()> run_save) {
    auto result = std::make_shared<std::promise<saved_checkpoint>>();
    std::shared_future<saved_checkpoint> future = result->get_future().share();
    queue_.push([this, result, run_save = std::move(run_save)]() mutable {
      try {
        saved_checkpoint saved = run_save();
        release(run_save);
        result->set_value(std::move(saved));
      } catch (...) {
        release(run_save);
        failure_.keep(std::current_exception());
        result->set_exception(std::current_exception());
      }
    });
    return future;
  }

  /// Its copy of the state is free again before anybody learns that it is done.
  void release(std::function<saved_checkpoint()>& run_save) {
    const std::lock_guard lock(mutex_);
    run_save = nullptr;
  }

  /// Whether the last checkpoint is of this step, holds just this state, and is on the disk by now.
  template <class T>
  bool is_saved(const T& state, std::uint64_t step) {
    if (!last_ || last_->saved.step != step) return false;
    return detail::doing("finish", [&] { return folder_.path(); }, [&] {
      const auto plan = detail::plan_of(state);
      return last_->holds(writer_, plan, detail::identity_text_of<T>()) && last_->is_made_durable(folder_);
    });
  }

  checkpointer_options options_;
  detail::run_folder<Ops> folder_;
  basic_folder_lock<Ops> lock_;
  detail::run_record<Ops> record_;
  std::optional<stop_signals> signals_;
  detail::checkpoint_writer<Ops> writer_;
  std::uint64_t last_step_ = 0;
  std::optional<std::uint64_t> last_saved_step_;
  bool has_ticked_ = false;
  std::vector<std::shared_ptr<detail::staged_state>> copies_;

  detail::kept_failure failure_;
  mutable std::mutex mutex_;  // of what follows, which background saves touch
  cadence cadence_;
  std::optional<detail::last_checkpoint> last_;

  detail::background_queue queue_{2};  // last: its jobs use all of the above
};

using checkpointer = basic_checkpointer<file_ops>;

}  // namespace tidemark
#endif
