// SPDX-License-Identifier: Apache-2.0
// kinf copy: copies a part of a recording to a new file.
#include <fmt/format.h>

#include "kinf/base/assign.h"
#include "kinf/base/log.h"
#include "kinf/base/number_text.h"
#include "kinf/cli/flags/inspect_flags.h"
#include "kinf/cli/flags/moment.h"
#include "kinf/cli/runtime/commands.h"
#include "kinf/recording/recorded_moment.h"
#include "kinf/recording/recording_copier.h"
#include "kinf/recording/recording_reader.h"

namespace kinf {
namespace {

/// Returns the time that `text` means. Reads the recording `from` if that is needed.
Result<std::optional<Clock::Wall>> time_of(const std::string& text, const std::string& from,
                                           Clock::Wall now) {
  const Result<RecordedMoment> moment = parse_recorded_moment(text, now);
  if (!moment) return fail(moment);
  if (!moment->before_end && !moment->version) return moment->time;
  Result<std::unique_ptr<RecordingReader>> reader = RecordingReader::open(from);
  if (!reader) return fail(reader);
  return time_in(**reader, *moment);
}

Result<CopyOptions> options_of(const CopyCommand& command, Clock::Wall now) {
  CopyOptions options{.since = {}, .until = {}, .namespaces = command.namespaces};
  const ReplayFlags& replay = command.global.replay;
  const auto read = [&](const std::string& text, std::string_view flag,
                        std::optional<Clock::Wall>& into) -> Result<void> {
    if (text.empty()) return {};
    Result<void> parsed = assign(into, time_of(text, command.from, now));
    return parsed ? parsed : Result<void>(fail(parsed.error().within(flag)));
  };
  Result<void> done = read(replay.since, "--since", options.since);
  if (done) done = read(replay.until_time, "--until-time", options.until);
  if (!done) return fail(done);
  if (options.since && options.until && *options.since > *options.until) {
    return fail(ErrorKind::usage, "--since is later than --until-time");
  }
  return options;
}

}  // namespace

Result<ExitCode> run_command(const CopyCommand& command, const CommandContext& context) {
  const Result<CopyOptions> options = options_of(command, context.clock.wall());
  if (!options) return fail(options);
  const Result<CopyResult> copied =
      copy_recording(command.from, command.to, *options, context.stop);
  if (!copied) return fail(copied);
  log::notice(
      "{}: {}, {}, {}", command.to, counted(static_cast<std::size_t>(copied->objects), "object"),
      counted(static_cast<std::size_t>(copied->versions), "version"), size_text(copied->bytes));
  if (copied->damaged == 0) return ExitCode::ok;
  return fail(ErrorKind::protocol, "{} is damaged: {} left out, the first is {}", command.from,
              counted(static_cast<std::size_t>(copied->damaged), "version"), copied->first_damaged);
}

}  // namespace kinf
