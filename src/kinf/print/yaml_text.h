// SPDX-License-Identifier: Apache-2.0
// Prints JSON as YAML in block style, laid out as kubectl does. A string is quoted only if a reader
// would not get the same string back. Numbers keep the bytes of the server.
#pragma once

#include <string>
#include <string_view>

#include "kinf/print/json_tree.h"

namespace kinf {

/// Where `out` ends: at the start of a line, after a key (`key:`) or after a dash (`-`).
enum class YamlPlace { document, behind_key, behind_dash };
/// Appends a value and a line end; members are sorted by key. `indent` counts spaces.
void append_yaml(std::string& out, const JsonTree& tree, const JsonTree::Node& node,
                 std::size_t indent, YamlPlace place);

/// Appends a string as a YAML scalar, without a line end. If `may_be_block`, a text of several
/// lines becomes a literal block, indented by `indent` spaces.
void append_yaml_string(std::string& out, std::string_view text, std::size_t indent,
                        bool may_be_block);

}  // namespace kinf
