// SPDX-License-Identifier: Apache-2.0
// The kubeconfig that leads clients to a sandbox.
#pragma once

#include <string>

namespace kinf::sandbox {

/// Returns YAML with one context, `sandbox`, which is the current one. `authority_pem` is the CA
/// certificate for an https URL; empty for http. With an empty `token` the file has a token that
/// the server ignores.
std::string kubeconfig_text(const std::string& url, const std::string& token,
                            const std::string& authority_pem);

}  // namespace kinf::sandbox
