// SPDX-License-Identifier: Apache-2.0
// ObjectTrim: selects the fields of a document that are left out when the document is decoded,
// before the object enters the cache. The values that Object extracts (name, labels, owners, times)
// are read before fields are left out.
#pragma once

#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "kinf/api/object_path.h"

namespace kinf {

// JsonCutter: computes which bytes to omit so that members of a JSON object are removed together
// with their commas. Does not modify the text.

/// Threads: one owner.
class JsonCutter {
 public:
  /// Byte ranges (offset, length) of the text, in ascending order.
  using Cuts = std::vector<std::pair<std::size_t, std::size_t>>;

  JsonCutter(std::string_view json, Cuts& cuts) : json_(json), cuts_(cuts) {}

  /// Adds the range of one member to the cuts. `begin` is the opening quote of its name, `next` the
  /// comma or brace after its value.
  void cut(const char* begin, const char* next) {
    auto from = static_cast<std::size_t>(begin - json_.data());
    auto to = static_cast<std::size_t>(next - json_.data());
    if (*next == ',') {
      ++to;
    } else {
      from = before_comma(from);
    }
    cuts_.emplace_back(from, to - from);
  }

 private:
  /// Moves `from` back to the comma before this member, which is the last of its object. Cuts
  /// between the two positions become part of the new cut.
  std::size_t before_comma(std::size_t from) {
    constexpr std::string_view kBlanks = " \t\r\n";
    for (;;) {
      while (kBlanks.contains(json_[from - 1])) --from;
      if (cuts_.empty() || cuts_.back().first + cuts_.back().second != from) break;
      from = cuts_.back().first;
      cuts_.pop_back();
    }
    return json_[from - 1] == ',' ? from - 1 : from;
  }

  std::string_view json_;
  Cuts& cuts_;
};

/// Threads: immutable after construction; call from any thread.
class ObjectTrim {
 public:
  /// Leaves out the fields at `drop`. If `keep` is not empty, keeps only the fields at the paths in
  /// `keep` with their parents and descendants, apiVersion, kind, and these fields of the metadata:
  /// name, namespace, uid, resourceVersion, creationTimestamp and deletionTimestamp. Steps of the
  /// kind PathStep::Kind::element are not supported. Compares names as they are written in the
  /// document: a name with an escape never matches.
  ObjectTrim(const std::vector<ObjectPath>& drop, const std::vector<ObjectPath>& keep);

  /// Adds to `cuts`, which must be empty, the byte ranges of `json` to leave out. Returns false if
  /// `json` is not an object or is not valid JSON along a path. Recurses no deeper than the paths.
  bool cut(std::string_view json, JsonCutter::Cuts& cuts) const;

 private:
  class Walk;
  /// A node of the tree of paths. `step` leads from the parent node to this node.
  struct Node {
    PathStep step;
    bool is_end = false;  ///< a path ends here and selects everything below
    std::vector<Node> next;
  };

  static void add(Node& root, const ObjectPath& path);
  static const Node* find(const Node* node, PathStep::Kind kind, std::string_view name);

  Node drop_;
  Node keep_;
};

}  // namespace kinf
