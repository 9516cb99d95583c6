// SPDX-License-Identifier: BSL-1.0
// durability/disk_model.hpp: every disk that a power cut may leave after any number of recorded calls.
#ifndef TIDEMARK_TESTS_DURABILITY_DISK_MODEL_HPP
#define TIDEMARK_TESTS_DURABILITY_DISK_MODEL_HPP

#include "disk.hpp"

#include <tidemark/core/bytes.hpp>
#include <tidemark/core/digest.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace durability {

/// What was recorded: the disk before, all of it durable, and every change since.
struct recording {
  image before;
  image after;  ///< as the running system sees it
  std::vector<event> events;
};

/// The rules, which are those of no one filesystem but what POSIX lets all of them do:
/// a sync makes the earlier changes of that node durable, and of nothing else; a file's sync does not reach the folder that names it.
/// Each change that is not durable is on the disk or not, whatever became of those before and after it: each entry of a folder, each size,
/// each piece of data, which may also be zeros (its blocks were given to the file, and never written). A rename within a folder is one change.
class crash {
 public:
  crash(const recording& of, std::size_t calls_made, std::size_t pieces_a_write) : now_(of.before) {
    for (std::size_t i = now_.size(); i < of.after.size(); ++i) now_.push_back({of.after[i].is_folder, of.after[i].mode});
    std::vector<std::size_t> synced(now_.size(), 0);
    for (std::size_t i = 0; i < calls_made; ++i) {
      const event& e = of.events[i];
      if (e.what == event::kind::sync) synced[static_cast<std::size_t>(e.node)] = i;
      if (e.what == event::kind::begin) newest_ = e.target;
      if (e.what == event::kind::acknowledge) oldest_ = e.target;
    }
    for (std::size_t i = 0; i < calls_made; ++i) {
      const event& e = of.events[i];
      if (e.what == event::kind::sync || e.what == event::kind::begin || e.what == event::kind::acknowledge) continue;
      if (i < synced[static_cast<std::size_t>(e.node)]) {
        carry_out(now_, e);
      } else if (e.what != event::kind::data) {
        open_.push_back({e, 2});
      } else {
        const std::size_t size = e.bytes.size(), pieces = std::clamp<std::size_t>(size / 60, 1, pieces_a_write), piece = (size + pieces - 1) / pieces;
        for (std::size_t at = 0; at < size; at += piece) {
          open_.push_back({{.what = e.what, .node = e.node, .offset = e.offset + at, .bytes = e.bytes.substr(at, piece)}, 3});
        }
      }
    }
  }

  int oldest() const { return oldest_; }  ///< the version that was acknowledged last
  int newest() const { return newest_; }  ///< the version whose save has begun

  /// Calls `look` with each disk, or, where there are more than `limit`, with the corners and others at random. `look` returns whether to go on.
  template <class Look>
  bool for_each(std::size_t limit, Look look) const {
    std::size_t all = 1;
    for (const change& c : open_) all = all > limit ? all : all * c.ways;
    std::vector<unsigned> choice(open_.size(), 0);
    if (all <= limit) {
      for (std::size_t i = 0; i < all; ++i) {
        if (!look(with(choice))) return false;
        for (std::size_t k = 0; k < choice.size() && ++choice[k] == open_[k].ways; ++k) choice[k] = 0;
      }
      return true;
    }
    for (unsigned way = 0; way < 3; ++way) {
      for (std::size_t k = 0; k <= open_.size(); ++k) {
        for (const unsigned other : {0u, 1u}) {
          for (std::size_t j = 0; j < open_.size(); ++j) choice[j] = std::min(j == k ? way : other, open_[j].ways - 1);
          if (!look(with(choice))) return false;
        }
      }
    }
    std::minstd_rand random{7};
    for (std::size_t i = 0; i < limit; ++i) {
      for (std::size_t k = 0; k < choice.size(); ++k) choice[k] = static_cast<unsigned>(random() / 7 % open_[k].ways);
      if (!look(with(choice))) return false;
    }
    return true;
  }

 private:
  struct change {
    event what;
    unsigned ways;
  };

  /// 0: not on the disk; 1: there; 2, of data: zeros.
  image with(const std::vector<unsigned>& choice) const {
    image made = now_;
    for (std::size_t k = 0; k < choice.size(); ++k) {
      if (choice[k] == 1) carry_out(made, open_[k].what);
      if (choice[k] == 2) {
        event zeros = open_[k].what;
        zeros.bytes.assign(zeros.bytes.size(), '\0');
        carry_out(made, zeros);
      }
    }
    return made;
  }

  image now_;  // what is durable
  std::vector<change> open_;
  int oldest_ = 0, newest_ = 0;
};

/// What can be reached from the root, as one number.
inline std::array<std::uint64_t, 2> content_of(const image& disk) {
  std::string text;
  const auto number = [&](std::size_t n) { text.append(reinterpret_cast<const char*>(&n), sizeof n); };
  const auto walk = [&](const auto& self, int at) -> void {
    const node& n = disk[static_cast<std::size_t>(at)];
    text += n.is_folder ? 'd' : 'f';
    number(n.bytes.size());
    text += n.bytes;
    number(n.entries.size());
    for (const auto& [name, target] : n.entries) {
      number(name.size());
      text += name;
      self(self, target);
    }
  };
  walk(walk, 0);
  const auto digest = tidemark::detail::digest_of(tidemark::detail::bytes_of(text));
  std::array<std::uint64_t, 2> result{};
  static_assert(sizeof digest.bytes == sizeof result);
  std::memcpy(result.data(), digest.bytes.data(), sizeof result);
  return result;
}

}  // namespace durability
#endif
