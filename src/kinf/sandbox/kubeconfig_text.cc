// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/kubeconfig_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "kinf/base/base64.h"
#include "kinf/sandbox/store/ordered_json.h"

namespace kinf::sandbox {
namespace {

/// Returns the name as a YAML string, without quotes if it cannot be read as another type.
std::string yaml_name(const std::string& name) {
  constexpr std::size_t kWordBytes = 5;  // the length of `false`; other YAML words are shorter
  const bool is_plain = name.size() > kWordBytes &&
                        std::ranges::all_of(name, [](char c) { return c >= 'a' && c <= 'z'; });
  return is_plain ? name : to_text(Json(name));
}

}  // namespace

std::string kubeconfig_text(const std::string& name, const std::string& url,
                            const std::string& token, const std::string& authority_pem,
                            const std::string& ns) {
  // Use a placeholder token, because kubectl asks for a user name if the kubeconfig has no
  // credentials.
  const std::string secret = token.empty() ? "sandbox" : token;
  const std::string quoted = yaml_name(name);
  std::string authority;
  if (!authority_pem.empty()) {
    authority = "\n    certificate-authority-data: " + base64_encode(authority_pem);
  }
  return fmt::format(R"({}
apiVersion: v1
kind: Config
clusters:
- name: {}
  cluster:
    server: {}{}
contexts:
- name: {}
  context:
    cluster: {}
    user: {}
    namespace: {}
current-context: {}
users:
- name: {}
  user:
    token: {}
)",
                     kKubeconfigMark, quoted, url, authority, quoted, quoted, quoted,
                     to_text(Json(ns)), quoted, quoted, to_text(Json(secret)));
}

}  // namespace kinf::sandbox
