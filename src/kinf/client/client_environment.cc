// SPDX-License-Identifier: Apache-2.0
#include "kinf/client/config_choice.h"

#include <unistd.h>

#include <cstdlib>

#if defined(__APPLE__)
#include <crt_externs.h>
#endif

namespace kinf {
namespace {

char** all_variables() {
#if defined(__APPLE__)
  return *::_NSGetEnviron();  // a shared library has no `environ`
#else
  return environ;
#endif
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

/// Returns the variable `upper`, or `lower` if `upper` is empty or unset, as Go does.
std::string either(const char* upper, const char* lower) {
  std::string value = variable(upper);
  return value.empty() ? variable(lower) : value;
}

}  // namespace

ClientEnvironment read_client_environment() {
  ClientEnvironment environment;
  for (char** entry = all_variables(); entry != nullptr && *entry != nullptr; ++entry) {
    environment.all.emplace_back(*entry);
  }
  environment.config.kubeconfig = variable("KUBECONFIG");
  environment.config.home = variable("HOME");
  environment.config.in_cluster.service_host = variable("KUBERNETES_SERVICE_HOST");
  environment.config.in_cluster.service_port = variable("KUBERNETES_SERVICE_PORT");
  environment.config.system_cas.cert_file = variable("SSL_CERT_FILE");
  environment.config.system_cas.cert_dir = variable("SSL_CERT_DIR");
  environment.proxies.https_proxy = either("HTTPS_PROXY", "https_proxy");
  environment.proxies.http_proxy = either("HTTP_PROXY", "http_proxy");
  environment.proxies.no_proxy = either("NO_PROXY", "no_proxy");
  environment.stdin_is_terminal = ::isatty(STDIN_FILENO) == 1;
  return environment;
}

}  // namespace kinf
