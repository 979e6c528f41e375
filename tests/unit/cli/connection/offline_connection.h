// SPDX-License-Identifier: Apache-2.0
// OfflineConnection: a Connection that never opens a socket. The types come from the discovery
// cache, and each further request fails because the user's credentials do.
#pragma once

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "fakes/fake_clock.h"
#include "fakes/fixture.h"
#include "fakes/temp_folder.h"
#include "kinf/api/group_version_resource.h"
#include "kinf/cli/connection/connection.h"
#include "kinf/cli/flags/command_line.h"
#include "kinf/cli/flags/global_flags.h"
#include "kinf/cli/runtime/commands.h"
#include "kinf/cli/runtime/exit_request.h"
#include "kinf/client/discovery.h"

namespace kinf::test {

inline constexpr const char* kOfflineServer = "https://offline.example:6443";

struct OfflineConnection {
  /// The kubeconfig has the contexts `prod` (the current one, namespace `shop`) and `others`. The
  /// user's credentials come from a program that fails if `denies_credentials`. Otherwise it takes
  /// long, but stop is requested from the start and ends it.
  explicit OfflineConnection(GlobalFlags flags = {}, const std::vector<std::string>& others = {},
                             bool denies_credentials = false)
      : global(std::move(flags)) {
    std::string contexts;
    for (const std::string& name : others) {
      contexts += fmt::format(", {{name: {}, context: {{cluster: c, user: u}}}}", name);
    }
    global.config.kubeconfig = folder.write(
        "config", fmt::format("current-context: prod\n"
                              "clusters: [{{name: c, cluster: {{server: '{}'}}}}]\n"
                              "users: [{{name: u, user: {{exec: {{command: /bin/{}, args: ['60'], "
                              "apiVersion: client.authentication.k8s.io/v1, interactiveMode: "
                              "Never}}}}}}]\n"
                              "contexts: [{{name: prod, context: {{cluster: c, user: u, "
                              "namespace: shop}}}}{}]\n",
                              kOfflineServer, denies_credentials ? "false" : "sleep", contexts));
    global.cache_dir = folder.path("cache");
    if (!denies_credentials) stop.request_stop();
    Result<std::unique_ptr<Connection>> opened =
        Connection::open(global, {}, environment, clock, stop.get_token());
    if (!opened) FAIL(opened.error().message);
    connection = *std::move(opened);
    keep_types();
  }

  /// What commands get; its stop is not requested.
  CommandContext context() {
    return CommandContext{environment, clock, exit_request, std::stop_token()};
  }

  FakeClock clock;
  TempFolder folder;
  Environment environment;
  ExitRequest exit_request;
  std::stop_source stop;
  GlobalFlags global;
  std::unique_ptr<Connection> connection;

 private:
  /// Writes what an earlier run would have left in the cache of this server and user.
  void keep_types() {
    const ClientConfig& config = connection->config();
    const std::string user =
        fmt::format("{} {} as {} {}", config.user, config.username, config.impersonate.user,
                    fmt::join(config.impersonate.groups, ","));
    const DiscoveryCache cache(global.cache_dir, kOfflineServer, user, clock);
    cache.keep("/version", "{}");
    cache.keep("/api/v1", fixture("discovery/api-v1.json"));
    cache.keep("/apis", fixture("discovery/apis-aggregated.json"));
  }
};

}  // namespace kinf::test
