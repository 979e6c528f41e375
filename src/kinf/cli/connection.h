// SPDX-License-Identifier: Apache-2.0
// Connection: an API server to talk to, from the global flags: configuration, credentials,
// discovery, and with --sandbox the embedded server itself.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "kinf/base/clock.h"
#include "kinf/cli/command_line.h"
#include "kinf/cli/environment.h"
#include "kinf/client/credentials.h"
#include "kinf/client/discovery.h"
#include "kinf/client/http_lister_watcher.h"
#include "kinf/sandbox/sandbox.h"

namespace kinf {

/// What a command adds to the global flags.
struct ConnectionNeeds {
  std::optional<Clock::Duration> request_timeout;
  bool retry_forbidden = false;
  bool play_scenario = true;  ///< of a sandbox; false: its first state stays
  double speed = 1;           ///< of the scenario
  /// Called from a thread of the sandbox when its scenario has ended.
  std::function<void()> on_scenario_end;
};

/// Threads: one owner; `stop` ends what blocks.
class Connection {
 public:
  /// Reads files and starts the sandbox; sends no request yet. Errors: usage.
  static Result<std::unique_ptr<Connection>> open(const GlobalFlags& flags,
                                                  const ConnectionNeeds& needs,
                                                  const Environment& environment, Clock& clock,
                                                  std::stop_token stop);

  /// The type that the user's `word` names. Blocks on discovery.
  Result<ResourceType> resolve(std::string_view word);
  /// As resolve(), but while the server does not know `word`, asks again until it does, or until
  /// `deadline` or stop. Logs once that it waits.
  Result<ResourceType> wait_for_type(std::string_view word, Clock::Mono deadline);
  /// Makes resolve() ask the server again; it remembers the types.
  void forget_types() { discovery_ = std::make_unique<Discovery>(*client_); }
  Result<std::unique_ptr<HttpListerWatcher>> source(HttpSource source);

  const ClientConfig& config() const { return config_; }
  /// Null for a real server.
  Sandbox* sandbox() { return sandbox_.get(); }
  /// Whether the sandbox's scenario has ended and `version` includes its last change. Never true
  /// for a real server.
  bool has_scenario_ended_at(std::string_view version) const;
  /// For an object or type `word` that does not exist: what to do if it names a scenario. Empty
  /// otherwise.
  std::string sandbox_hint(std::string_view word) const;
  /// What to do when there is no server.
  std::string network_hint() const;

 private:
  Result<ApiResource> resolve_patiently(std::string_view word);
  Connection(Clock& clock, const Environment& environment, std::stop_token stop)
      : clock_(clock), environment_(environment), stop_(std::move(stop)) {}
  Result<void> start_sandbox(const GlobalFlags& flags, const ConnectionNeeds& needs);
  Result<void> configure(const GlobalFlags& flags, const ConnectionNeeds& needs);

  Clock& clock_;
  const Environment& environment_;
  std::stop_token stop_;
  bool retry_forbidden_ = false;
  bool server_named_ = false;  ///< by --server
  std::unique_ptr<Sandbox> sandbox_;
  ClientConfig config_;
  std::unique_ptr<CredentialSource> credentials_;
  std::unique_ptr<ApiClient> client_;
  std::optional<DiscoveryCache> discovery_cache_;
  std::unique_ptr<Discovery> discovery_;
  std::shared_ptr<WatchListMemory> watch_lists_ = std::make_shared<WatchListMemory>();
};

}  // namespace kinf
