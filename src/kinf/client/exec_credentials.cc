// SPDX-License-Identifier: Apache-2.0
// Runs the plugin without holding a lock. Other threads that need the credential wait on a
// condition variable, which also wakes on stop. With a mutex, they could not be stopped while a
// user logs in.
#include <fmt/format.h>

#include "kinf/base/duration.h"
#include "kinf/base/log.h"
#include "kinf/base/visible_text.h"
#include "kinf/client/credential_kinds.h"
#include "kinf/client/impersonation_headers.h"
#include "kinf/process/child_process.h"

namespace kinf {
namespace {

/// A plugin that takes longer than this is reported: the command is silent until the plugin ends.
constexpr std::chrono::seconds kPatience(5);

std::string base_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

std::unexpected<Error> not_installed(const ExecConfig& exec) {
  Error error(ErrorKind::auth,
              fmt::format("exec: executable {} not found", visible_text(exec.command)));
  error.hint = exec.install_hint;
  if (error.hint.empty()) {
    error.hint =
        "the kubeconfig requires this credential plugin (users[].user.exec): install it or "
        "add it to PATH";
  }
  return std::unexpected(std::move(error));
}

/// Converts a failure to run the plugin to kind auth, unless it is kind stopped.
std::unexpected<Error> run_error(const ExecConfig& exec, Error error) {
  if (error.kind == ErrorKind::stopped) return std::unexpected(std::move(error));
  if (error.kind == ErrorKind::not_found) return not_installed(exec);
  return fail(ErrorKind::auth,
              fmt::format("exec: executable {}: {}", visible_text(exec.command), error.message));
}

Result<> check_exit(const ExecConfig& exec, const ChildExit& exit) {
  if (exit.signal != 0) {
    return fail(ErrorKind::auth, fmt::format("exec: executable {} was killed by signal {}",
                                             visible_text(exec.command), exit.signal));
  }
  if (exit.code != 0) {
    return fail(ErrorKind::auth, fmt::format("exec: executable {} failed with exit code {}",
                                             visible_text(exec.command), exit.code));
  }
  return {};
}

}  // namespace

ExecCredentials::ExecCredentials(const ClientConfig& config, std::vector<std::string> headers,
                                 CredentialOptions options, Clock& clock)
    : config_(config), headers_(std::move(headers)), options_(std::move(options)), clock_(&clock) {}

Result<RequestIdentity> ExecCredentials::identity() {
  {
    MutexLock lock(mu_);
    while (asking_ && !options_.stop.stop_requested()) answered_.wait(mu_, options_.stop);
    if (asking_) return fail(ErrorKind::stopped, "stopped");
    const bool expired = held_ && held_->expires && clock_->wall() > *held_->expires;
    if (held_ && !expired) return held_->identity;
    asking_ = true;
  }
  Result<Held> fresh = ask_plugin();
  MutexLock lock(mu_);
  asking_ = false;
  answered_.notify_all();
  if (!fresh) {
    Error error = std::move(fresh).error().within("getting credentials");
    if (error.hint.empty()) error.hint = "check the credential plugin (users[].user.exec)";
    return std::unexpected(std::move(error));
  }
  held_ = *std::move(fresh);
  return held_->identity;
}

void ExecCredentials::invalidate(const RequestIdentity& refused) {
  MutexLock lock(mu_);
  if (held_ && held_->identity == refused) held_.reset();
}

std::string ExecCredentials::description() const {
  return "exec: " + visible_text(base_name(config_.exec->command));
}

std::optional<Clock::Wall> ExecCredentials::expires_at() const {
  MutexLock lock(mu_);
  return held_ ? held_->expires : std::nullopt;
}

Result<bool> ExecCredentials::is_interactive() const {
  const std::string& mode = config_.exec->interactive_mode;
  if (mode == "Never") return false;
  if (mode != "Always") {
    return options_.stdin_is_terminal && options_.stdin_taken.empty();
  }
  std::string problem;
  if (!options_.stdin_is_terminal) {
    problem = "standard input is not a terminal";
  } else if (!options_.stdin_taken.empty()) {
    problem = "standard input is unavailable: " + options_.stdin_taken;
  }
  if (problem.empty()) return true;
  return fail(ErrorKind::auth, "exec plugin cannot support interactive mode: " + problem);
}

Result<ExecCredentials::Held> ExecCredentials::ask_plugin() const {
  const ExecConfig& exec = *config_.exec;
  const Result<bool> interactive = is_interactive();
  if (!interactive) return std::unexpected(interactive.error());
  const Result<std::string> info = exec_info(config_, exec, *interactive);
  if (!info) return std::unexpected(info.error());

  ChildCommand command;
  command.path = find_executable(exec.command, options_.environment);
  if (command.path.empty()) return not_installed(exec);
  command.arguments = exec.args;
  command.environment = options_.environment;
  for (const auto& [name, value] : exec.env) command.environment.push_back(name + "=" + value);
  command.environment.push_back("KUBERNETES_EXEC_INFO=" + *info);
  command.interactive = *interactive;

  const auto limit = *interactive ? options_.interactive_timeout : options_.exec_timeout;
  command.slow_after = kPatience;
  command.on_slow = [this, limit] {
    log::notice("waiting for the credential plugin {}; it is ended after {}",
                visible_text(base_name(config_.exec->command)), duration_text(limit));
  };
  const Result<ChildExit> exit = run_child(command, *clock_, clock_->now() + limit, options_.stop);
  if (!exit) return run_error(exec, exit.error());
  if (auto good = check_exit(exec, *exit); !good) return std::unexpected(std::move(good).error());
  Result<ExecAnswer> answer = read_exec_credential(exit->output, exec.api_version);
  if (!answer) return std::unexpected(std::move(answer).error());
  if (!is_header_value(answer->token)) {
    return fail(ErrorKind::auth, "exec plugin returned a token with control characters");
  }
  Held held{{headers_, answer->cert_pem, answer->key_pem}, answer->expires};
  if (!answer->token.empty()) {
    held.identity.headers.push_back("Authorization: Bearer " + answer->token);
  }
  return held;
}

}  // namespace kinf
