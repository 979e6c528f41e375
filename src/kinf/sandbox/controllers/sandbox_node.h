// SPDX-License-Identifier: Apache-2.0
// The nodes of the sandbox.
#pragma once

#include <string>

#include "kinf/sandbox/store/ordered_json.h"

namespace kinf::sandbox {

/// Returns the Node `node-N` as its kubelet registers it, ready since `now`. N counts from 1.
Json sandbox_node(int number, const std::string& now);

/// Returns true if the sandbox runs the pods of this node. Nodes of loaded manifests usually have
/// another runtime.
bool is_sandbox_node(const Json& node);
/// Returns true if a kubelet outside the sandbox runs the pods of this node.
bool has_other_runtime(const Json& node);
/// Returns the InternalIP of a node, or an empty string.
std::string node_address(const Json& node);

}  // namespace kinf::sandbox
