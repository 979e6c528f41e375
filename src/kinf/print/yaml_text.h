// SPDX-License-Identifier: Apache-2.0
// Prints JSON as YAML in block style with the layout of kubectl. Quotes a string only if a parser
// would otherwise not read back the same string. Copies numbers unchanged.
#pragma once

#include <string>
#include <string_view>

#include "kinf/print/json_tree.h"

namespace kinf {

// The next functions decide whether a string needs quotes, so that parsers of YAML 1.1 and 1.2 read
// back the same string.

/// Returns true for characters that must be escaped: control characters, and characters that break
/// lines or are invisible (next line, line and paragraph separator, byte order mark).
bool is_special_in_yaml(char32_t rune);

/// Returns whether some YAML parser reads the text without quotes as a number, a boolean, null or a
/// date.
bool yaml_resolves_to_non_string(std::string_view text);

/// The YAML styles in which a string can be written, provided that yaml_resolves_to_non_string() is
/// false for it.
struct YamlStringShape {
  bool plain_allowed = false;       ///< may be written without quotes
  bool block_allowed = false;       ///< may be written as a literal block (`|`)
  bool special_characters = false;  ///< must be written in double quotes
};
YamlStringShape yaml_string_shape(std::string_view text);

/// The place in `out` at which a value is appended: at the start of a line, after a key (`key:`) or
/// after a dash (`-`).
enum class YamlPlace { document, behind_key, behind_dash };
/// Appends a value and a line end. Sorts members by key. `indent` is in spaces.
void append_yaml(std::string& out, const JsonTree& tree, const JsonTree::Node& node,
                 std::size_t indent, YamlPlace place);

/// Appends a string as a YAML scalar, without a line end. If `may_be_block`, writes a text of
/// several lines as a literal block, indented by `indent` spaces.
void append_yaml_string(std::string& out, std::string_view text, std::size_t indent,
                        bool may_be_block);

}  // namespace kinf
