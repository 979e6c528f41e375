// SPDX-License-Identifier: Apache-2.0
// owned_pod: a pod of a ReplicaSet and of a node, for tests of indices.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kinf/api/object.h"

namespace kinf::test {

/// With a `node` it also has an annotation.
inline ObjectPtr owned_pod(std::string_view name, std::vector<Label> labels,
                           std::string_view node = {}) {
  const std::string json = node.empty() ? "{}"
                                        : R"({"metadata":{"annotations":{"a.b/c":"x"}},)"
                                          R"("spec":{"nodeName":")" +
                                              std::string(node) + "\"}}";
  ObjectFacts facts;
  facts.ns = "default";
  facts.name = name;
  facts.labels = std::move(labels);
  facts.owners = {{"apps/v1", "ReplicaSet", "web-5d", "u1", true},
                  {"v1", "Node", "n1", "u2", false}};
  facts.json = json;
  return Object::create(facts);
}

}  // namespace kinf::test
