// SPDX-License-Identifier: Apache-2.0
// JSON documents as text: on one line, indented. Scalars keep the bytes they came with.
#pragma once

#include <string>
#include <string_view>

#include "kinf/print/json_tree.h"

namespace kinf {

/// Appends a document so that it takes no more than one line: the bytes as they are, or without
/// the blanks between its parts if it was spread over lines.
void append_one_line(std::string& out, std::string_view json);

/// Appends a value as kubectl does for -o json: members sorted by key, four blanks a level.
/// `depth` is the level the value itself stands on.
void append_indented(std::string& out, const JsonTree& tree, const JsonTree::Node& node,
                     std::size_t depth);

}  // namespace kinf
