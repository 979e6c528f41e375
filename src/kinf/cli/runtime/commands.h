// SPDX-License-Identifier: Apache-2.0
// The commands of kinf. Each returns its exit code, or an error that the caller reports.
#pragma once

#include <stop_token>

#include "kinf/base/clock.h"
#include "kinf/base/error.h"
#include "kinf/cli/runtime/environment.h"
#include "kinf/cli/runtime/exit_code.h"
#include "kinf/cli/runtime/exit_request.h"

namespace kinf {

struct ApiResourcesCommand;
struct CheckCommand;
struct CompleteCommand;
struct CompletionCommand;
struct CopyCommand;
struct DemoCommand;
struct GetCommand;
struct HistoryCommand;
struct IndexCommand;
struct InfoCommand;
struct RecordCommand;
struct RawCommand;
struct RunCommand;
struct SandboxCommand;
struct SubresourceCommand;
struct WaitCommand;
struct WatchCommand;
class Outage;
class ReplayClock;

/// Passed to every command. Threads: the main thread; any thread may use `clock` and
/// `exit_request`.
struct CommandContext {
  const Environment& environment;
  Clock& clock;
  ExitRequest& exit_request;
  std::stop_token stop;           ///< stop is requested when the exit code is set
  ReplayClock* replay = nullptr;  ///< with --from, the same object as `clock`; else null
  Outage* outage = nullptr;       ///< of the cluster, if the command has several; else null
};

// Each overload runs one command.
Result<ExitCode> run_command(const WatchCommand& command, const CommandContext& context);
/// Runs `get` and `watch --once`.
Result<ExitCode> run_command(const GetCommand& command, const CommandContext& context);
Result<ExitCode> run_command(const SubresourceCommand& command, const CommandContext& context);
Result<ExitCode> run_command(const RawCommand& command, const CommandContext& context);
Result<ExitCode> run_command(const HistoryCommand& command, const CommandContext& context);
Result<ExitCode> run_command(const IndexCommand& command, const CommandContext& context);
Result<ExitCode> run_command(const RecordCommand& command, const CommandContext& context);
Result<ExitCode> run_command(const RunCommand& command, const CommandContext& context);
Result<ExitCode> run_command(const WaitCommand& command, const CommandContext& context);
Result<ExitCode> run_command(const DemoCommand& command, const CommandContext& context);
Result<ExitCode> run_command(const CheckCommand& command, const CommandContext& context);
Result<ExitCode> run_command(const ApiResourcesCommand& command, const CommandContext& context);
Result<ExitCode> run_command(const InfoCommand& command, const CommandContext& context);
Result<ExitCode> run_command(const CopyCommand& command, const CommandContext& context);
ExitCode completion_command(const CompletionCommand& command);
/// Waits for the server for a short time only. On a timeout, ends the process instead of returning,
/// because a thread may still be blocked.
ExitCode complete_command(const CompleteCommand& command, const Environment& environment);
Result<ExitCode> run_command(const SandboxCommand& command, const CommandContext& context);

}  // namespace kinf
