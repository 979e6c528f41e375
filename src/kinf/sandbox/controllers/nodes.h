// SPDX-License-Identifier: Apache-2.0
// The nodes of the sandbox, and the rules that decide which pods a node accepts.
#pragma once

#include <string>

#include "kinf/sandbox/store/ordered_json.h"

namespace kinf::sandbox {

/// Returns the Node `node-N` as its kubelet registers it. Its condition Ready is true since `now`.
/// `number` is N and begins at 1.
Json sandbox_node(int number, const std::string& now);

/// Returns whether the sandbox runs the pods of this node. The nodes in loaded manifests usually
/// have another container runtime.
bool is_sandbox_node(const Json& node);
/// Returns whether a kubelet outside the sandbox runs the pods of this node.
bool has_other_runtime(const Json& node);
/// Returns the InternalIP of a node, or an empty string.
std::string node_address(const Json& node);

/// Returns why the pod cannot run on the node, such as `node(s) were unschedulable`, or an empty
/// string.
std::string node_refusal(const Json& pod, const Json& node);

/// Returns the node that the pod's node affinity names, or an empty string. The pods of DaemonSets
/// name their node in this way.
std::string required_node(const Json& pod);

}  // namespace kinf::sandbox
