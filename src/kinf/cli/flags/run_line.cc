// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/flags/command_lines.h"
#include "kinf/cli/flags/flag_checks.h"

namespace kinf {

Result<CommandLine> run_line(ParsedFlags& parsed) {
  Result<void> fine =
      check_metadata(parsed.run.informer, parsed.run.filter.needs_whole_object(), "run");
  parsed.run.informer.record.show_secrets = parsed.run.show_secrets;
  if (fine) fine = check_replay(parsed.run.global, parsed.run.informer, true, "run");
  if (fine) fine = check_recording(parsed.run.global, parsed.run.informer, true, "run");
  parsed.run.informer.state.show_secrets = parsed.run.show_secrets;
  parsed.run.informer.state.after_run = true;
  if (fine) fine = check_state(parsed.run.global, parsed.run.informer, true, "run");
  if (!fine) return std::unexpected(std::move(fine).error());
  return parsed.run;
}

}  // namespace kinf
