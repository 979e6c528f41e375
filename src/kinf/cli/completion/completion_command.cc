// SPDX-License-Identifier: Apache-2.0
// `kinf completion` and `kinf __complete`, which the completion scripts call.
#include <fmt/format.h>

#include <cstdlib>
#include <future>
#include <thread>

#include "kinf/base/duration.h"
#include "kinf/base/log.h"
#include "kinf/cli/commands.h"
#include "kinf/cli/completion/completer.h"
#include "kinf/cli/completion/completion_script.h"
#include "kinf/cli/completion/server_world.h"
#include "kinf/cli/file_writer.h"

namespace kinf {
namespace {

/// The time that the user waits for the server. Longer is worse than no candidates.
Clock::Duration time_limit(const Environment& environment) {
  constexpr auto kDefault = std::chrono::milliseconds(300);
  const Result<Clock::Duration> given = parse_duration_flag(environment.completion_timeout);
  return given ? *given : Clock::Duration(kDefault);
}

}  // namespace

ExitCode completion_command(const CompletionCommand& command) {
  return write_stdout(completion_script(command.shell));
}

ExitCode complete_command(const CompleteCommand& command) {
  log::configure({.verbosity = 0, .quiet = true});
  Environment environment = read_environment();
  environment.stdin_is_terminal = false;  // a credential plugin must not ask while the user types
  RealClock clock;
  std::stop_source stop;
  std::promise<std::string> promise;
  std::future<std::string> text = promise.get_future();
  // A thread, because name resolution, disks and servers may block for longer than a user waits.
  std::jthread worker([&] {
    const TypedLine line = read_typed_line(command.words);
    ServerWorld world(typed_global_flags(line), environment, clock, stop.get_token());
    promise.set_value(completion_text(complete(line, world)));
  });
  if (text.wait_for(time_limit(environment)) == std::future_status::ready) {
    return write_stdout(text.get());
  }
  write_stdout(completion_text({}));
  std::_Exit(static_cast<int>(ExitCode::ok));  // does not wait for the thread
}

}  // namespace kinf
