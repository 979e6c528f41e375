// SPDX-License-Identifier: Apache-2.0
// The syntax tree of a kubectl JSONPath template: text with actions in braces, such as
// `{range .items[*]}{.metadata.name}{"\n"}{end}`. parse_jsonpath() builds the tree and JsonPath
// evaluates it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/base/error.h"
#include "kinf/query/text_pattern.h"

namespace kinf::jsonpath {

enum class NodeType {
  list,        ///< one action: applies `children` one after the other
  text,        ///< literal text or a quoted string, in `text`
  field,       ///< `.name`
  array,       ///< `[1]`, `[0:2]`, `[::2]`, `[*]`
  filter,      ///< `[?(left operator right)]`; `text` is the operator, or `exists`; the children
               ///< of `&&`, `||` and `!` are filters
  integer,     ///< `{3}`
  number,      ///< `{1.5}`
  boolean,     ///< `{true}`
  wildcard,    ///< `.*`
  recursive,   ///< `..`
  union_of,    ///< `[0,2]`, `['a','b']`; each child is a `list`
  identifier,  ///< `range`, `end` or any other word
};

/// One number of a slice `[from:to:step]`.
struct SliceBound {
  std::int64_t value = 0;
  bool known = false;
  bool derived = false;  ///< true for `to` of a single index, which is from + 1
};

struct Node {
  NodeType type = NodeType::list;
  std::string text;
  std::int64_t integer = 0;
  double number = 0;
  std::array<SliceBound, 3> slice{};
  std::vector<Node> children{};          ///< a comparison has two: its operands, each a `list`
  std::optional<TextPattern> pattern{};  ///< the right operand of the operator `=~`
};

enum class Dialect {
  kinf,     ///< that of kubectl plus `&&`, `||`, `!`, `=~` and parentheses in filters
  kubectl,  ///< that of client-go util/jsonpath/parser.go
};

/// Parses a template. Returns its top-level nodes: text nodes, and one node of type `list` per
/// action. Fails with usage errors in kubectl's words.
Result<std::vector<Node>> parse_jsonpath(std::string_view text, Dialect dialect = Dialect::kinf);

}  // namespace kinf::jsonpath
