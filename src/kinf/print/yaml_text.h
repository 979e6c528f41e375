// SPDX-License-Identifier: Apache-2.0
// YAML out of JSON: block style laid out as kubectl's, each string quoted as far as it must be to
// come back as the same string. Numbers keep the bytes they came with.
#pragma once

#include <string>
#include <string_view>

#include "kinf/print/json_tree.h"

namespace kinf {

/// Appends a value, members sorted by key, with a line end behind it. `indent` counts blanks.
/// `out` stands behind a key (`key:`) or a dash (`-`), or at the start of a line.
enum class YamlPlace { document, behind_key, behind_dash };
void append_yaml(std::string& out, const JsonTree& tree, const JsonTree::Node& node,
                 std::size_t indent, YamlPlace place);

/// Appends a string as a YAML scalar without a line end; a text of several lines becomes a block
/// whose lines are indented by `indent` blanks, if `may_be_block`.
void append_yaml_string(std::string& out, std::string_view text, std::size_t indent,
                        bool may_be_block);

}  // namespace kinf
