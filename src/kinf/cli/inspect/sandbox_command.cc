// SPDX-License-Identifier: Apache-2.0
// kinf sandbox: runs the embedded API server for other programs, or a relay that injects faults in
// front of an existing server.
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>

#include "kinf/base/files.h"
#include "kinf/base/log.h"
#include "kinf/cli/flags/moment.h"
#include "kinf/cli/flags/sandbox_flags.h"
#include "kinf/cli/inspect/foreground_command.h"
#include "kinf/cli/runtime/commands.h"
#include "kinf/cli/runtime/file_writer.h"
#include "kinf/sandbox/fault_relay.h"
#include "kinf/sandbox/sandbox.h"

namespace kinf {
namespace {

/// The most bytes that the kubeconfig of a sandbox can have. A larger file is not from a sandbox.
constexpr std::size_t kOwnKubeconfigBytes = 1 << 20;
/// The time between SIGTERM and SIGKILL for the command after `--`.
constexpr std::chrono::seconds kTerminationGrace{5};

/// A kubeconfig file at a given path, or a temporary one that the destructor deletes.
class KubeconfigFile {
 public:
  /// Writes `text` to `path`, or to a new file in `temp_folder` if `path` is empty. Fails if `path`
  /// is a file that no sandbox wrote.
  static Result<std::unique_ptr<KubeconfigFile>> write(const std::string& path,
                                                       const std::string& temp_folder,
                                                       const std::string& text) {
    auto file = std::make_unique<KubeconfigFile>();
    const Result<void> chosen = path.empty() ? file->create_in(temp_folder) : file->choose(path);
    if (!chosen) return fail(chosen);
    if (const Result<void> written = write_private_file(file->path_, text); !written) {
      return fail(written);
    }
    return file;
  }
  ~KubeconfigFile() {
    if (is_temporary_) ::unlink(path_.c_str());
  }
  /// Returns an absolute path, because $KUBECONFIG must work in any directory.
  const std::string& path() const { return path_; }

 private:
  Result<void> create_in(const std::string& folder) {
    std::string name = folder + "/kinf-sandbox.XXXXXX";
    const FileDescriptor created(::mkstemp(name.data()));
    if (!created.is_open()) {
      return fail(ErrorKind::internal, "cannot create a file in {}: {}", folder,
                  std::strerror(errno))
          .with_hint(
              "set TMPDIR to a folder that kinf may write, or name a file with --kubeconfig-out");
    }
    path_ = name;
    is_temporary_ = true;
    return {};
  }

  Result<void> choose(const std::string& path) {
    std::error_code error;
    path_ = std::filesystem::absolute(path, error).string();
    if (error) return fail(ErrorKind::internal, "{}: {}", path, error.message());
    if (!std::filesystem::is_regular_file(path_, error)) return {};
    const Result<std::string> before = read_file(path_, kOwnKubeconfigBytes);
    if (before && (before->empty() || Sandbox::is_own_kubeconfig(*before))) return {};
    return fail(ErrorKind::usage, "{}: exists, and no sandbox wrote it", path)
        .with_hint("choose another file, or remove this one");
  }

  std::string path_;
  bool is_temporary_ = false;
};

std::vector<std::string> with_variable(std::vector<std::string> environment,
                                       const std::string& name, const std::string& value) {
  std::erase_if(environment,
                [&](const std::string& entry) { return entry.starts_with(name + "="); });
  environment.push_back(name + "=" + value);
  return environment;
}

ExitCode wait_for_exit(const CommandContext& context) {
  while (!context.exit_request.code()) context.exit_request.wait(context.clock);
  return *context.exit_request.code();
}

/// Runs the command after `--` with the environment variable `name` set to `value`. Returns when
/// the command ends or kinf receives a signal. On a signal, sends SIGTERM to the command, and
/// SIGKILL if it has not ended after kTerminationGrace.
Result<ExitCode> run_child(const std::vector<std::string>& command, const std::string& name,
                           const std::string& value, const CommandContext& context) {
  const Result<std::unique_ptr<ForegroundCommand>> child = ForegroundCommand::start(
      command, with_variable(context.environment.all, name, value), context.exit_request);
  if (!child) return fail(child);
  const ExitCode code = wait_for_exit(context);
  (*child)->terminate(context.clock, kTerminationGrace);
  return code;
}

/// Serves until a signal arrives or the command after `--` ends.
Result<ExitCode> serve(const SandboxCommand& command, Sandbox& sandbox,
                       const CommandContext& context) {
  const Result<std::string> url = sandbox.start();
  if (!url) return fail(url);
  const Result<std::unique_ptr<KubeconfigFile>> file = KubeconfigFile::write(
      command.kubeconfig_out, context.environment.temp_folder, sandbox.kubeconfig_text());
  if (!file) return fail(file);
  if (!command.options.tls && !command.global.config.overrides.token.empty()) {
    log::warning("kubectl, client-go and kinf send --token only over TLS; add --tls");
  }
  if (!command.command.empty()) {
    return run_child(command.command, "KUBECONFIG", (*file)->path(), context);
  }
  log::notice("sandbox on {}", *url);
  const ExitCode written = write_stdout(fmt::format("export KUBECONFIG={}\n", (*file)->path()));
  return written == ExitCode::ok ? wait_for_exit(context) : written;
}

/// Relays until a signal arrives or the command after `--` ends.
Result<ExitCode> relay(const SandboxCommand& command, const CommandContext& context) {
  FaultRelay relay(
      {command.options.listen, command.relay, command.options.faults, command.options.listen_any},
      context.clock);
  if (const Result<void> started = relay.start(); !started) return fail(started);
  log::notice("relay on {} to {}; faults at run time: POST {}/sandbox/fault?spec=FAULT",
              relay.address(), command.relay, relay.control_url());
  if (!command.command.empty()) {
    return run_child(command.command, "KINF_SANDBOX_RELAY", relay.address(), context);
  }
  const ExitCode written = write_stdout(relay.address() + "\n");
  return written == ExitCode::ok ? wait_for_exit(context) : written;
}

/// Raises the limit on open descriptors to 16384, or to the permitted maximum if that is lower, so
/// that thousands of watches fit.
void raise_descriptor_limit() {
  constexpr rlim_t kEnough = 16384;
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= kEnough) return;
  limit.rlim_cur = std::min(limit.rlim_max, kEnough);
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

Result<ExitCode> serve_sandbox(const SandboxCommand& command, const CommandContext& context) {
  raise_descriptor_limit();
  SandboxOptions options = command.options;
  options.token = command.global.config.overrides.token;
  options.controllers = !command.no_controllers;
  options.relay = true;
  if (!command.scenario.empty()) options.scenario = command.scenario;
  const ReplayFlags& replay = command.global.replay;
  if (!replay.from.empty()) {
    const Result<RecordedMoment> moment = recorded_moment(replay, context.clock.wall());
    if (!moment) return fail(moment);
    options.past = {replay.from, moment->time, moment->version, !replay.since.empty(),
                    moment->before_end};
    options.stop = context.stop;
  }
  Sandbox sandbox(std::move(options), context.clock);
  return serve(command, sandbox, context);
}

}  // namespace

Result<ExitCode> run_command(const SandboxCommand& command, const CommandContext& context) {
  return command.relay.empty() ? serve_sandbox(command, context) : relay(command, context);
}

}  // namespace kinf
