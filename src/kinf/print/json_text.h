// SPDX-License-Identifier: Apache-2.0
// Prints JSON documents on one line or indented. Copies scalars unchanged.
#pragma once

#include <string>
#include <string_view>

#include "kinf/print/json_tree.h"

namespace kinf {

/// Appends a document on one line. Copies it unchanged unless it has line breaks; then removes the
/// white space between tokens.
void append_one_line(std::string& out, std::string_view json);

/// Appends a value as kubectl -o json does: members sorted by key, four spaces per level. `depth`
/// is the nesting level of the value.
void append_indented(std::string& out, const JsonTree& tree, const JsonTree::Node& node,
                     std::size_t depth);

}  // namespace kinf
