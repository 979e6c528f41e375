// SPDX-License-Identifier: Apache-2.0
// Writes a kubeconfig for clients of a sandbox.
#pragma once

#include <string>

namespace kinf::sandbox {

/// Returns a kubeconfig as YAML. Its only context is `sandbox`. `authority_pem` is the server's CA
/// certificate, or empty if `url` is http. If `token` is empty, the user gets a placeholder token,
/// which the server ignores.
std::string kubeconfig_text(const std::string& url, const std::string& token,
                            const std::string& authority_pem);

}  // namespace kinf::sandbox
