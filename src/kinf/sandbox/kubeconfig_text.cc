// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/kubeconfig_text.h"

#include <fmt/format.h>

#include "kinf/base/base64.h"
#include "kinf/sandbox/store/ordered_json.h"

namespace kinf::sandbox {

std::string kubeconfig_text(const std::string& url, const std::string& token,
                            const std::string& authority_pem) {
  // kubectl asks for a user name if the user has no credentials.
  const std::string secret = token.empty() ? "sandbox" : token;
  std::string authority;
  if (!authority_pem.empty()) {
    authority = "\n    certificate-authority-data: " + base64_encode(authority_pem);
  }
  return fmt::format(R"(apiVersion: v1
kind: Config
clusters:
- name: sandbox
  cluster:
    server: {}{}
contexts:
- name: sandbox
  context:
    cluster: sandbox
    user: sandbox
    namespace: default
current-context: sandbox
users:
- name: sandbox
  user:
    token: {}
)",
                     url, authority, to_text(Json(secret)));
}

}  // namespace kinf::sandbox
