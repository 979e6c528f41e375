// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/kubeconfig_text.h"

#include "kinf/base/base64.h"
#include "kinf/sandbox/store/ordered_json.h"

namespace kinf::sandbox {

std::string kubeconfig_text(const std::string& url, const std::string& token,
                            const std::string& authority_pem) {
  // Without a token an empty user would make kubectl ask for a name.
  const std::string secret = token.empty() ? "sandbox" : token;
  return "apiVersion: v1\n"
         "kind: Config\n"
         "clusters:\n"
         "- name: sandbox\n"
         "  cluster:\n"
         "    server: " +
         url + "\n" +
         (authority_pem.empty()
              ? ""
              : "    certificate-authority-data: " + base64_encode(authority_pem) + "\n") +
         "contexts:\n"
         "- name: sandbox\n"
         "  context:\n"
         "    cluster: sandbox\n"
         "    user: sandbox\n"
         "    namespace: default\n"
         "current-context: sandbox\n"
         "users:\n"
         "- name: sandbox\n"
         "  user:\n"
         "    token: " +
         to_text(Json(secret)) + "\n";
}

}  // namespace kinf::sandbox
