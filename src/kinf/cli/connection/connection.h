// SPDX-License-Identifier: Apache-2.0
// Connection: where a command reads its objects, according to the global flags: an API server, or
// the recording or stream of --from. Owns the configuration, credentials, discovery and, with
// --sandbox, the embedded server.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/base/clock.h"
#include "kinf/base/error.h"
#include "kinf/client/client_config.h"

namespace kinf {

class ApiClient;
class Client;
class CredentialSource;
class HttpListerWatcher;
class ListerWatcher;
class Object;
class PlayedInput;
class ReplayClock;
class Sandbox;
struct ApiResource;
struct Environment;
struct GlobalFlags;
struct HttpSource;
struct ResourceType;

/// Connection options that a command sets.
struct ConnectionNeeds {
  std::optional<Clock::Duration> request_timeout{};
  bool retry_forbidden = false;
  bool play_scenario = true;  ///< false if the sandbox or the recording must not change
  double speed = 1;           ///< factor at which the scenario plays
  bool relay = false;         ///< the sandbox can inject connection faults
  /// Called from a thread of the sandbox when the scenario ends.
  std::function<void()> on_scenario_end{};
  ReplayClock* replay = nullptr;  ///< must be set with --from
};

/// The source that one informer reads.
struct InformerSource {
  std::unique_ptr<ListerWatcher> watcher;
  HttpListerWatcher* http = nullptr;  ///< the same object as `watcher`; null with --from
  /// Applies the selectors that the source does not apply. Empty if the source applies all of them.
  std::function<bool(const Object& object)> selects{};
};

/// Threads: one owner. `stop` cancels blocking calls.
class Connection {
 public:
  /// Reads files and starts the sandbox; sends no request yet. Errors: usage; internal, for a bad
  /// or missing kubeconfig.
  static Result<std::unique_ptr<Connection>> open(const GlobalFlags& flags,
                                                  const ConnectionNeeds& needs,
                                                  const Environment& environment, Clock& clock,
                                                  std::stop_token stop);
  ~Connection();
  /// Returns what open() does, for a status line: `connecting to the server`.
  static std::string opening_text(const GlobalFlags& flags);

  /// Returns the resource type named `word`. Blocks on discovery requests.
  Result<ResourceType> resolve(std::string_view word);
  /// Returns the resource type named `word`. If `word` is a category, such as `all`, returns its
  /// types that can be watched; if it is RequestedType::kAll, the namespaced types that can.
  /// Blocks on discovery requests. Fails for a type that cannot be watched, unless the command only
  /// lists.
  Result<std::vector<ResourceType>> expand(std::string_view word);
  /// Returns all types of the server. Blocks on discovery requests. Errors: usage, with --from.
  Result<std::vector<ApiResource>> all_types();
  /// Returns all types that have objects in the recording or stream. Errors: usage, for a server.
  Result<std::vector<ResourceType>> take_all_types();
  /// Like expand(), but waits until the server has the type `word`, `deadline` is reached, or stop
  /// is requested. Logs once that it waits.
  Result<std::vector<ResourceType>> wait_for_type(std::string_view word, Clock::Mono deadline);
  /// Drops the remembered types, so that resolve() asks the server again.
  void forget_types();
  /// Returns the source of an informer. Sends no request. `description` names it in messages.
  /// Errors: usage.
  Result<InformerSource> informer_source(HttpSource source, const std::string& description);
  /// Returns a source that reads a server. Errors: usage, with --from.
  Result<std::unique_ptr<HttpListerWatcher>> source(HttpSource source);
  /// Returns `type` with its short names and categories. `type` must come from resolve() or
  /// expand().
  Result<ApiResource> describe(const ResourceType& type);
  /// Returns where the credentials come from. Do not call it with --from.
  const CredentialSource& credentials() const;
  /// Returns a client with its own connections to the server. Errors: usage, with --from.
  Result<std::unique_ptr<ApiClient>> new_client();
  /// Calls `ask` and returns its result. Repeats the call for up to 3 s while it fails with a
  /// temporary error.
  template <class Ask>
  auto patiently(Ask ask) -> decltype(ask()) {
    const Clock::Mono deadline = clock_.now() + kPatience;
    while (true) {
      auto answer = ask();
      if (answer || !pause_after(answer.error(), deadline)) return answer;
    }
  }
  std::stop_token stop_token() const { return stop_; }
  Clock& clock() const { return clock_; }

  const ClientConfig& config() const { return config_; }
  /// Returns the recording or stream of --from, which replaces the server; null if there is a
  /// server.
  PlayedInput* played() const { return played_.get(); }
  /// Returns whether the server decides what the user may read. A recording has no such rules.
  bool checks_access() const { return played_ == nullptr; }
  /// Returns whether there is a default namespace, config().default_namespace. A stream has none.
  bool has_default_namespace() const;
  /// Returns whether the values of Secrets are masked in the recording that is read.
  bool masks_secrets() const;
  /// Returns the name of the source, for messages: `the server`, a path or `standard input`.
  std::string origin() const;
  /// Returns the server of --sandbox, or null.
  Sandbox* sandbox() { return sandbox_.get(); }
  /// Returns whether the sandbox scenario has ended and `version` includes its last change. Always
  /// false for a real server.
  bool has_scenario_ended_at(std::string_view version) const;
  /// Returns a hint if `word`, an unknown object or type, is the name of a sandbox scenario.
  /// Otherwise returns an empty string.
  std::string sandbox_hint(std::string_view word) const;
  /// Returns a hint for an unreachable server.
  std::string network_hint() const;
  /// Returns the flags of the command that select the server and the user, each after a space, so
  /// that a hint can name a command about the same connection: ` --context prod --as dev`. Contains
  /// no password and no token.
  const std::string& repeated_flags() const { return repeated_flags_; }

 private:
  static constexpr std::chrono::seconds kPatience{3};
  Connection(Clock& clock, const Environment& environment, std::stop_token stop);
  Result<void> start_sandbox(const GlobalFlags& flags, const ConnectionNeeds& needs);
  Result<void> configure(const GlobalFlags& flags, const ConnectionNeeds& needs);
  Result<void> open_played(const GlobalFlags& flags, const ConnectionNeeds& needs);
  /// Waits 250 ms if a retry after `error` can succeed and `deadline` has not passed. Returns
  /// whether to retry.
  bool pause_after(const Error& error, Clock::Mono deadline);
  /// Adds a hint to `error`, which occurred when the type `word` was looked up.
  Error with_hint(Error error, std::string_view word) const;

  Clock& clock_;
  const Environment& environment_;
  std::stop_token stop_;
  bool retry_forbidden_ = false;
  bool follows_ = false;       ///< the command watches the types that it resolves
  bool server_named_ = false;  ///< --server is given
  std::string repeated_flags_;
  std::unique_ptr<Sandbox> sandbox_;
  std::unique_ptr<PlayedInput> played_;  ///< null without --from
  ClientConfig config_;
  std::unique_ptr<Client> client_;  ///< null with --from
};

}  // namespace kinf
