// SPDX-License-Identifier: Apache-2.0
// The syntax tree of a template in kubectl's dialect of JSONPath, which is text with actions in
// braces: `{range .items[*]}{.metadata.name}{"\n"}{end}`. parse_jsonpath() makes it, JsonPath
// evaluates it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/base/error.h"

namespace kinf::jsonpath {

enum class NodeType {
  list,        ///< one action: `children` are applied one after another
  text,        ///< literal text or a quoted string, in `text`
  field,       ///< `.name`
  array,       ///< `[1]`, `[0:2]`, `[::2]`, `[*]`
  filter,      ///< `[?(left operator right)]`; `text` is the operator, or `exists`
  integer,     ///< `{3}`
  number,      ///< `{1.5}`
  boolean,     ///< `{true}`
  wildcard,    ///< `.*`
  recursive,   ///< `..`
  union_of,    ///< `[0,2]`, `['a','b']`; each child a list
  identifier,  ///< `range`, `end`, and any other word
};

/// One number of a slice `[from:to:step]`.
struct SliceBound {
  std::int64_t value = 0;
  bool known = false;
  bool derived = false;  ///< `to` of a single index: from + 1
};

struct Node {
  NodeType type = NodeType::list;
  std::string text;
  std::int64_t integer = 0;
  double number = 0;
  std::array<SliceBound, 3> slice{};
  std::vector<Node> children;  ///< of a filter: the left and the right list
};

/// Parses a template. Returns its top level: text nodes and one list per action. Errors: usage,
/// worded as in kubectl. Behaviour: client-go util/jsonpath/parser.go.
Result<std::vector<Node>> parse_jsonpath(std::string_view text);

}  // namespace kinf::jsonpath
