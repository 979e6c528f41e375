// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "kinf/cli/flags/command_lines.h"
#include "kinf/cli/flags/flag_checks.h"
#include "kinf/cli/flags/usage_error.h"

namespace kinf {

Result<CommandLine> record_line(ParsedFlags& parsed) {
  RecordCommand& command = parsed.record;
  command.informer.record.is_purpose = true;
  if (command.informer.record.file.empty()) {
    Error error(ErrorKind::usage, "no file to record to");
    error.hint = "for example: kinf record pods,events --to incident.kinf";
    return std::unexpected(std::move(error));
  }
  Result<void> fine =
      reject({{"--where", command.informer.where != nullptr},
              {"--must-exist", command.informer.must_exist},
              {"--owner", !command.informer.owner.empty()},
              {"--namespace-selector", !command.informer.namespace_selector.empty()}},
             "record", "record");
  if (fine) fine = check_recording(command.global, command.informer, true, "record");
  if (!fine) return std::unexpected(std::move(fine).error());
  return command;
}

}  // namespace kinf
