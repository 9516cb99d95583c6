// SPDX-License-Identifier: BSL-1.0
// run/last_checkpoint.hpp: the checkpoint that a run saved or resumed from last, with which a state is compared before it is saved again (floor: run).
#ifndef TIDEMARK_RUN_LAST_CHECKPOINT_HPP
#define TIDEMARK_RUN_LAST_CHECKPOINT_HPP

#include <tidemark/run/checkpoint_writer.hpp>
#include <tidemark/run/run_folder.hpp>
#include <tidemark/run/saved_checkpoint.hpp>

#include <exception>
#include <string>

namespace tidemark::detail {

struct last_checkpoint {
  saved_checkpoint saved;
  checkpoint_label label;

  /// Whether just this state was saved so. Linear in the state.
  template <class Ops>
  bool holds(const checkpoint_writer<Ops>& writer, plan_view plan, const std::string& identity) const {
    return writer.digest(plan, identity, label) == saved.digest;
  }

  /// Whether it is on the disk by now. One that is not, or is gone, has to be saved once more.
  template <class Ops>
  bool is_made_durable(const run_folder<Ops>& folder) noexcept {
    if (saved.level == durability::power) return true;
    try {
      folder.make_durable(saved.path.substr(saved.path.rfind('/') + 1));
      saved.level = durability::power;
      return true;
    } catch (const std::exception&) {
      return false;
    }
  }
};

}  // namespace tidemark::detail
#endif
