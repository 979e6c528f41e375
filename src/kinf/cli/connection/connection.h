// SPDX-License-Identifier: Apache-2.0
// Connection: a client of one API server, set up from the global flags. Owns the configuration,
// credentials, discovery and, with --sandbox, the embedded server.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "kinf/base/clock.h"
#include "kinf/cli/flags/command_line.h"
#include "kinf/cli/runtime/environment.h"
#include "kinf/client/client.h"
#include "kinf/recording/play/recording_player.h"
#include "kinf/recording/play/stream_player.h"
#include "kinf/sandbox/sandbox.h"

namespace kinf {

/// Connection options that a command sets.
struct ConnectionNeeds {
  std::optional<Clock::Duration> request_timeout;
  bool retry_forbidden = false;
  bool play_scenario = true;  ///< false: the sandbox stays in the initial state
  double speed = 1;           ///< factor at which the scenario plays
  bool relay = false;         ///< the sandbox can inject faults of connections
  /// Called from a sandbox thread when its scenario ends.
  std::function<void()> on_scenario_end;
  ReplayClock* replay = nullptr;  ///< must be set with --from
};

/// Threads: one owner. `stop` cancels blocking calls.
class Connection {
 public:
  /// Reads files and starts the sandbox; sends no request yet. Errors: usage.
  static Result<std::unique_ptr<Connection>> open(const GlobalFlags& flags,
                                                  const ConnectionNeeds& needs,
                                                  const Environment& environment, Clock& clock,
                                                  std::stop_token stop);

  /// Returns the resource type named `word`. Blocks on discovery requests.
  Result<ResourceType> resolve(std::string_view word);
  /// Returns the resource type named `word`, or all types of the category `word`, such as `all`,
  /// that can be watched. Blocks on discovery requests.
  Result<std::vector<ResourceType>> expand(std::string_view word);
  /// Returns all types of the server. Blocks on discovery requests.
  Result<std::vector<ApiResource>> all_types();
  /// Like expand(), but waits until the server has the type `word`, `deadline` is reached, or stop
  /// is requested. Logs once that it waits.
  Result<std::vector<ResourceType>> wait_for_type(std::string_view word, Clock::Mono deadline);
  /// Makes resolve() ask the server again; it remembers the types.
  void forget_types() { client_->discovery().forget(); }
  Result<std::unique_ptr<HttpListerWatcher>> source(HttpSource source);
  /// Returns the type that resolve() or expand() returned, with its other names.
  Result<ApiResource> describe(const ResourceType& type);
  /// Returns where the credentials come from. Only without --from.
  const CredentialSource& credentials() const { return client_->credentials(); }
  /// Returns a client with its own connections to the server.
  Result<std::unique_ptr<ApiClient>> new_client();
  /// Returns what `ask` returns. Repeats it for up to 3 s while it fails with temporary errors.
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
  /// Returns what takes the place of a server (--from): recording() or stream(); or null.
  Player* player() const {
    return recording_ ? static_cast<Player*>(recording_.get()) : stream_.get();
  }
  RecordingPlayer* recording() const { return recording_.get(); }
  StreamPlayer* stream() const { return stream_.get(); }
  /// Returns the name of player() for messages: a path or `standard input`.
  std::string played_name() const;
  /// Returns all types of player(). For a pipe, see StreamPlayer::types(); it may block.
  Result<std::vector<ResourceType>> played_types();
  /// Returns --speed.
  std::optional<double> replay_speed() const { return replay_speed_; }
  /// Returns null for a real server.
  Sandbox* sandbox() { return sandbox_.get(); }
  /// Returns true if the sandbox scenario has ended and `version` includes its last change. Always
  /// false for a real server.
  bool has_scenario_ended_at(std::string_view version) const;
  /// Returns a hint if `word`, an unknown object or type, is the name of a sandbox scenario.
  /// Otherwise returns an empty string.
  std::string sandbox_hint(std::string_view word) const;
  /// Returns a hint for an unreachable server.
  std::string network_hint() const;

 private:
  static constexpr std::chrono::seconds kPatience{3};
  /// Waits for a moment and returns true if a retry after `error` makes sense before `deadline`.
  bool pause_after(const Error& error, Clock::Mono deadline);
  /// Adds the hint for the failure to find `word`.
  Error with_hint(Error error, std::string_view word) const;
  Connection(Clock& clock, const Environment& environment, std::stop_token stop)
      : clock_(clock), environment_(environment), stop_(std::move(stop)) {}
  Result<void> start_sandbox(const GlobalFlags& flags, const ConnectionNeeds& needs);
  Result<void> configure(const GlobalFlags& flags, const ConnectionNeeds& needs);
  /// Opens the recording or stream. `ns`: the namespace that the flags name, or empty.
  Result<void> open_player(const ReplayFlags& flags, const ConnectionNeeds& needs,
                           const std::string& ns);
  Result<void> open_recording(const std::string& path, const PlayedTime& time, ReplayClock& clock);
  Result<void> open_stream(const std::string& path, const PlayedTime& time, ReplayClock& clock);
  Result<std::vector<ResourceType>> expand_played(std::string_view word);
  /// Adds the types of the stream to `played_types_`.
  Result<void> read_stream_types();

  Clock& clock_;
  const Environment& environment_;
  std::stop_token stop_;
  bool retry_forbidden_ = false;
  bool server_named_ = false;  ///< --server is given
  std::unique_ptr<Sandbox> sandbox_;
  std::unique_ptr<RecordingPlayer> recording_;
  std::unique_ptr<StreamPlayer> stream_;
  std::optional<double> replay_speed_;
  std::vector<ApiResource> played_types_;  ///< of the recording, or known in the stream
  /// Of the stream; nullopt: not read yet.
  std::optional<std::vector<ResourceType>> stream_types_;
  ClientConfig config_;
  std::unique_ptr<Client> client_;  ///< null with --from
};

}  // namespace kinf
