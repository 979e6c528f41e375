// SPDX-License-Identifier: Apache-2.0
// Prints JSON as YAML in block style with the layout of kubectl. Quotes a string only if a parser
// would otherwise read something else. Copies numbers unchanged.
#pragma once

#include <string>
#include <string_view>

#include "kinf/print/json_tree.h"

namespace kinf {

/// The end of `out`: at the start of a line, after a key (`key:`) or after a dash (`-`).
enum class YamlPlace { document, behind_key, behind_dash };
/// Appends a value and a line end. Sorts members by key. `indent` is in spaces.
void append_yaml(std::string& out, const JsonTree& tree, const JsonTree::Node& node,
                 std::size_t indent, YamlPlace place);

/// Appends a string as a YAML scalar, without a line end. If `may_be_block`, writes a text of
/// several lines as a literal block, indented by `indent` spaces.
void append_yaml_string(std::string& out, std::string_view text, std::size_t indent,
                        bool may_be_block);

}  // namespace kinf
