// SPDX-License-Identifier: Apache-2.0
// Prints JSON documents: on one line, or indented. Scalars keep the bytes of the server.
#pragma once

#include <string>
#include <string_view>

#include "kinf/print/json_tree.h"

namespace kinf {

/// Appends a document on one line: its bytes as they are, or, if it has line breaks, without the
/// white space between its parts.
void append_one_line(std::string& out, std::string_view json);

/// Appends a value as kubectl does for -o json: members sorted by key, four spaces per level.
/// `depth` is the level of the value itself.
void append_indented(std::string& out, const JsonTree& tree, const JsonTree::Node& node,
                     std::size_t depth);

}  // namespace kinf
