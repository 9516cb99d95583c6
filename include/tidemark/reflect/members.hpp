// SPDX-License-Identifier: BSL-1.0
// reflect/members.hpp: the members of plain aggregates: how many, which types, which names, and where; the facade of floor reflect.
#ifndef TIDEMARK_REFLECT_MEMBERS_HPP
#define TIDEMARK_REFLECT_MEMBERS_HPP

#include <tidemark/reflect/defect.hpp>
#include <tidemark/reflect/names.hpp>
#include <tidemark/reflect/tie.hpp>

#endif
