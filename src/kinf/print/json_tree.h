// SPDX-License-Identifier: Apache-2.0
// JsonTree: a JSON document as a tree of spans of its own text. Nothing is converted, so numbers
// and strings can be printed exactly as the server wrote them. For printing only, not for queries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "kinf/base/error.h"

namespace kinf {

/// Threads: immutable after parse(). Views into the text given to parse(), which must outlive it.
class JsonTree {
 public:
  enum class Kind : std::uint8_t { object, array, string, scalar };

  struct Node {
    std::string_view key;   ///< with its quotes; empty for elements and for the root
    std::string_view text;  ///< the whole value; strings with their quotes
    Kind kind = Kind::scalar;
    std::uint32_t end = 0;  ///< index of the first node behind this one's descendants
  };

  /// A protocol error for what is no single JSON value, or is nested deeper than kMaxDepth.
  static Result<JsonTree> parse(std::string_view text);
  static constexpr std::size_t kMaxDepth = 512;

  const Node& root() const { return nodes_.front(); }
  bool is_empty(const Node& node) const { return node.end == index_of(node) + 1; }
  /// In the order of the text.
  std::vector<const Node*> children(const Node& node) const;
  /// The members of an object in the order of their keys, as kubectl prints them.
  std::vector<const Node*> sorted_children(const Node& node) const;

 private:
  class Parser;

  std::uint32_t index_of(const Node& node) const {
    return static_cast<std::uint32_t>(&node - nodes_.data());
  }

  std::vector<Node> nodes_;  ///< never empty; each node is followed by its descendants
};

}  // namespace kinf
