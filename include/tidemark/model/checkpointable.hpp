// SPDX-License-Identifier: BSL-1.0
// model/checkpointable.hpp: the concept that everything else asks for (floor: model).
#ifndef TIDEMARK_MODEL_CHECKPOINTABLE_HPP
#define TIDEMARK_MODEL_CHECKPOINTABLE_HPP

#include <tidemark/model/verdict.hpp>

namespace tidemark {

/// True only if every member of every member can be saved and restored. Never a hard error for a complete type.
/// Why it is false, and what to do, is said by the first public function that is given the type, as a line that
/// begins with `tidemark:`.
template <class T>
concept Checkpointable = detail::verdict_of<T>.reason == detail::refusal::none;

/// Checkpointable, or holding memory that the program owns (array_ref, span): such a state is saved, and restored into that memory
/// where its extents are the stored ones; `load`, which makes a new state, has nothing to put there.
template <class T>
concept Restorable = detail::restorable_verdict_of<T>.reason == detail::refusal::none;

}  // namespace tidemark
#endif
