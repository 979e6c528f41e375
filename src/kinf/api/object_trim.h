// SPDX-License-Identifier: Apache-2.0
// ObjectTrim: which fields of a document are left out when it is decoded, before the object enters
// the cache. What Object extracts (name, labels, owners, times) is read before.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kinf/api/json_cutter.h"
#include "kinf/api/object_path.h"

namespace kinf {

/// Threads: immutable after construction; call from any thread.
class ObjectTrim {
 public:
  /// Leaves out the fields at `drop`. If `keep` is not empty, it also leaves out every field that
  /// is neither at nor below nor above a path in `keep`; apiVersion, kind and, of the metadata,
  /// name, namespace, uid, resourceVersion, creationTimestamp and deletionTimestamp always stay.
  /// Steps of the kind PathStep::Kind::element are not supported. Compares names as they are
  /// written in the document: a name with an escape never matches.
  ObjectTrim(const std::vector<ObjectPath>& drop, const std::vector<ObjectPath>& keep);

  /// Adds the bytes of `json` to omit to `cuts`, which must be empty. Returns false if `json` is
  /// not an object or cannot be read where a path leads. Recurses no deeper than the paths.
  bool cut(std::string_view json, JsonCutter::Cuts& cuts) const;

 private:
  class Walk;
  /// A field on the way to the end of a path.
  struct Node {
    PathStep step;
    bool is_end = false;  ///< a path ends here and means everything below
    std::vector<Node> next;
  };

  static void add(Node& root, const ObjectPath& path);
  static const Node* find(const Node* node, PathStep::Kind kind, std::string_view name);

  Node drop_;
  Node keep_;
};

}  // namespace kinf
