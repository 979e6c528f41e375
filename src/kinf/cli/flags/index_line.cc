// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kinf/cli/flags/command_lines.h"
#include "kinf/cli/flags/flag_checks.h"
#include "kinf/cli/flags/index_form.h"
#include "kinf/cli/flags/usage_error.h"

namespace kinf {

Result<CommandLine> index_line(ParsedFlags& parsed) {
  if (parsed.index.informer.types.size() > 1) return usage("index takes exactly one type", "index");
  if (parsed.index.informer.resync.count() > 0 && !parsed.index.watch) {
    return usage("--resync needs --watch", "index");
  }
  const bool reads_more = std::ranges::any_of(parsed.index.by, &IndexSpec::needs_whole_object) ||
                          reads_beyond_metadata(parsed.index.output);
  Result<void> fine = check_metadata(parsed.index.informer, reads_more, "index");
  if (fine) {
    fine = check_replay(parsed.index.global, parsed.index.informer, parsed.index.watch, "index");
  }
  parsed.index.informer.record.show_secrets = parsed.index.output.show_secrets;
  if (fine) {
    fine = check_recording(parsed.index.global, parsed.index.informer, parsed.index.watch, "index");
  }
  if (fine) fine = check_output(parsed.index);
  if (!fine) return std::unexpected(std::move(fine).error());
  return parsed.index;
}

}  // namespace kinf
