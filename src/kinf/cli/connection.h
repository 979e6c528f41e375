// SPDX-License-Identifier: Apache-2.0
// Connection: from the global flags to an API server that can be asked: configuration,
// credentials, discovery, and the sandbox in this process if that is what was asked for.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "kinf/base/clock.h"
#include "kinf/cli/command_line.h"
#include "kinf/cli/environment.h"
#include "kinf/cli/local_sandbox.h"
#include "kinf/client/credentials.h"
#include "kinf/client/discovery.h"
#include "kinf/client/http_lister_watcher.h"

namespace kinf {

/// What a command adds to the global flags.
struct ConnectionNeeds {
  std::optional<Clock::Duration> request_timeout;
  bool play_scenario = true;  ///< of a sandbox; else all stays as it is at first
  double speed = 1;           ///< of the scenario
};

/// Threads: one owner; `stop` ends what blocks.
class Connection {
 public:
  /// Reads files and starts the sandbox, but asks the server nothing yet. Errors: usage.
  static Result<std::unique_ptr<Connection>> open(const GlobalFlags& flags,
                                                  const ConnectionNeeds& needs,
                                                  const Environment& environment, Clock& clock,
                                                  std::stop_token stop);

  /// What a word of the user means. Blocks on discovery.
  Result<ResourceType> resolve(std::string_view word);
  /// The same; a word that means nothing to the server is asked about until it does, or `deadline`
  /// or the end of the command comes. Says once that it waits.
  Result<ResourceType> wait_for_type(std::string_view word, Clock::Mono deadline);
  Result<std::unique_ptr<HttpListerWatcher>> source(HttpSource source);

  const ClientConfig& config() const { return config_; }
  /// Null if a real server was asked for.
  LocalSandbox* sandbox() { return sandbox_.get(); }
  /// What to do when there is no server.
  std::string network_hint() const;

 private:
  Result<ApiResource> resolve_patiently(std::string_view word);
  Connection(Clock& clock, const Environment& environment, std::stop_token stop)
      : clock_(clock), environment_(environment), stop_(std::move(stop)) {}
  Result<void> configure(const GlobalFlags& flags, const ConnectionNeeds& needs);

  Clock& clock_;
  const Environment& environment_;
  std::stop_token stop_;
  std::unique_ptr<LocalSandbox> sandbox_;
  ClientConfig config_;
  std::unique_ptr<CredentialSource> credentials_;
  std::unique_ptr<ApiClient> client_;
  std::optional<DiscoveryCache> discovery_cache_;
  std::unique_ptr<Discovery> discovery_;
  std::shared_ptr<WatchListMemory> watch_lists_ = std::make_shared<WatchListMemory>();
};

}  // namespace kinf
