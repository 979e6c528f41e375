// SPDX-License-Identifier: Apache-2.0
// The kubeconfig of a sandbox.
#pragma once

#include <string>

namespace kinf::sandbox {

/// As YAML, with one context `sandbox` that is the current one. `authority_pem` is for a URL with
/// https.
std::string kubeconfig_text(const std::string& url, const std::string& token,
                            const std::string& authority_pem);

}  // namespace kinf::sandbox
