// SPDX-License-Identifier: Apache-2.0
// JsonTree: a JSON document as a tree of views into its own text. Nothing is converted, so that
// numbers and strings can be printed exactly as the server wrote them. For printing, not for
// queries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "kinf/base/error.h"

namespace kinf {

/// Its views point into the text given to parse(), which must outlive the tree. Threads: immutable
/// after parse().
class JsonTree {
 public:
  enum class Kind : std::uint8_t { object, array, string, scalar };

  struct Node {
    std::string_view key;   ///< with quotes; empty for elements and for the root
    std::string_view text;  ///< the whole value; strings with quotes
    Kind kind = Kind::scalar;
    std::uint32_t end = 0;  ///< index of the first node after this one's descendants
  };

  /// Errors: protocol, if `text` is not one JSON value or is nested deeper than kMaxDepth. The
  /// contents of strings are not checked.
  static Result<JsonTree> parse(std::string_view text);
  static constexpr std::size_t kMaxDepth = 512;

  const Node& root() const { return nodes_.front(); }
  bool is_empty(const Node& node) const { return node.end == index_of(node) + 1; }
  /// Returns the members or elements of a node, in the order of the text.
  std::vector<const Node*> children(const Node& node) const;
  /// Returns the members of an object sorted by key, as kubectl prints them; elements keep their
  /// order.
  std::vector<const Node*> sorted_children(const Node& node) const;

 private:
  class Parser;

  std::uint32_t index_of(const Node& node) const {
    return static_cast<std::uint32_t>(&node - nodes_.data());
  }

  std::vector<Node> nodes_;  ///< never empty; each node is followed by its descendants
};

}  // namespace kinf
