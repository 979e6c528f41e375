// SPDX-License-Identifier: Apache-2.0
// Decides whether a jq program may run inside kinf's own process.
#pragma once

#include <string_view>

namespace kinf {

/// Returns whether a program is proven to use memory and time in proportion to its document, and
/// only functions of libjq that cannot crash: paths, comparisons, `and`, `or`, `//`, `if`, sums,
/// literals, `any`, `all`, `map`, `select` and simple functions such as `length` and
/// `startswith("a")`. Returns false for regular expressions, dates, recursion, variables,
/// definitions, products of generators, text that is no program, and all else that it does not
/// know.
bool is_harmless_jq(std::string_view program);

}  // namespace kinf
