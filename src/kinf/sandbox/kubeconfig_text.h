// SPDX-License-Identifier: Apache-2.0
// The kubeconfig of a sandbox.
#pragma once

#include <string>

namespace kinf::sandbox {

/// As YAML, with one context `sandbox` that is the current one.
std::string kubeconfig_text(const std::string& url, const std::string& token);

}  // namespace kinf::sandbox
