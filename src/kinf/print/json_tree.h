// SPDX-License-Identifier: Apache-2.0
// JsonTree: a JSON document as a tree of views into its text, for printing. Values are not
// converted, so that numbers and strings are printed exactly as the server sent them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/base/error.h"

namespace kinf {

/// The views point into the text passed to parse(), which must outlive the tree. Threads: immutable
/// after parse().
class JsonTree {
 public:
  enum class Kind : std::uint8_t { object, array, string, scalar };

  struct Node {
    std::string_view key;   ///< key with quotes; empty for array elements and for the root
    std::string_view text;  ///< the complete text of the value; strings include their quotes
    Kind kind = Kind::scalar;
    std::uint32_t end = 0;  ///< index of the first node after the descendants of this node
  };

  /// Fails with kind `protocol` if `text` is not a single JSON value or is nested deeper than
  /// limits::kPrintedDepth. Does not check the contents of strings.
  static Result<JsonTree> parse(std::string_view text);

  const Node& root() const { return nodes_.front(); }
  bool is_empty(const Node& node) const { return node.end == index_of(node) + 1; }
  /// Returns the members or elements of a node, in document order.
  std::vector<const Node*> children(const Node& node) const;
  /// Returns the members of an object sorted by key, as kubectl prints them, or the elements of an
  /// array in document order.
  std::vector<const Node*> sorted_children(const Node& node) const;

 private:
  class Parser;

  std::uint32_t index_of(const Node& node) const {
    return static_cast<std::uint32_t>(&node - nodes_.data());
  }

  std::vector<Node> nodes_;  ///< never empty; the descendants of a node follow it
};

/// Appends a document on one line. Copies it unchanged unless it has line breaks; then removes the
/// white space between tokens.
void append_one_line(std::string& out, std::string_view json);

/// Appends a value as kubectl -o json does: members sorted by key, four spaces per level. `depth`
/// is the nesting level of the value.
void append_indented(std::string& out, const JsonTree& tree, const JsonTree::Node& node,
                     std::size_t depth);

}  // namespace kinf
