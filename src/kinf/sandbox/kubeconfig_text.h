// SPDX-License-Identifier: Apache-2.0
// Writes a kubeconfig for clients of a sandbox.
#pragma once

#include <string>
#include <string_view>

namespace kinf::sandbox {

/// The first line of each kubeconfig of a sandbox. kinf overwrites only files that begin with this
/// line.
inline constexpr std::string_view kKubeconfigMark = "# Written by kinf sandbox.";

/// Returns a kubeconfig as YAML. Its only context is `name`. `authority_pem` is the server's CA
/// certificate, or empty if `url` is http. If `token` is empty, the user gets a placeholder token,
/// which the server ignores. `ns` is the namespace of the context.
std::string kubeconfig_text(const std::string& name, const std::string& url,
                            const std::string& token, const std::string& authority_pem,
                            const std::string& ns = "default");

}  // namespace kinf::sandbox
