// SPDX-License-Identifier: Apache-2.0
// Any kubeconfig gives a config or an error of kind usage. The same holds for the client config and
// the namespace built from it, and for every context of it.
#include <cstdint>
#include <cstdlib>

#include "kinf/client/config_builder.h"
#include "kinf/client/config_choice.h"
#include "kinf/client/exec_credential.h"
#include "kinf/client/kubeconfig.h"

namespace kinf {
namespace {

void demand(bool held) {
  if (!held) std::abort();
}

template <class T>
void demand_usage(const Result<T>& result) {
  demand(result || (result.error().kind == ErrorKind::usage && !result.error().message.empty()));
}

/// Removes file names, so that the fuzzer reads no files; one could be a FIFO.
void forget_files(Kubeconfig& config) {
  for (auto& [name, cluster] : config.clusters) cluster.ca_file.clear();
  for (auto& [name, user] : config.users) {
    user.cert_file.clear();
    user.key_file.clear();
    user.token_file.clear();
  }
}

void check(std::string_view text) {
  Result<Kubeconfig> config = parse_kubeconfig(text, "fuzz");
  demand_usage(config);
  if (!config) return;
  forget_files(*config);
  ConfigOverrides overrides;
  const Result<ClientConfig> built = build_client_config(*config, overrides);
  demand_usage(built);
  if (built) demand(!built->host.empty() && !built->default_namespace.empty());
  if (built && built->exec) demand_usage(exec_info(*built, *built->exec, false));
  for (const auto& [name, context] : config->contexts) {
    overrides.context = name;
    demand_usage(build_client_config(*config, overrides));
  }
}

}  // namespace
}  // namespace kinf

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  kinf::check(text);
  // The output of a credential plugin goes through the same YAML reader.
  const auto answer = kinf::read_exec_credential(text, "client.authentication.k8s.io/v1");
  kinf::demand(answer || answer.error().kind == kinf::ErrorKind::auth);
  return 0;
}
