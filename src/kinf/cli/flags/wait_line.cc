// SPDX-License-Identifier: Apache-2.0
// Checks the flags of WaitCommand. flag_texts.cc parses --for.
#include <fmt/format.h>

#include <algorithm>

#include "kinf/base/duration.h"
#include "kinf/cli/flags/parsed_flags.h"
#include "kinf/cli/flags/usage_error.h"

namespace kinf {
namespace {

/// Rejects goals that can never be met.
Result<void> check_goal(const WaitCommand& command) {
  const WaitGoal& goal = command.goal;
  const auto is_rollout = [](const Condition& one) {
    return one.form() == Condition::Form::rollout;
  };
  if (std::ranges::any_of(goal.failures, is_rollout)) {
    return fail(ErrorKind::usage, "--fail-on: rollout holds when a rollout is complete")
        .with_hint("--for=rollout ends with 3 by itself when a rollout fails");
  }
  if (goal.duration == Clock::Duration::zero()) return {};
  if (!command.global.replay.from.empty()) {
    return usage("--for-duration cannot be used with --from, which is not played in time", "wait");
  }
  if (goal.ever) return usage("--for-duration cannot be used with --ever", "wait");
  if (goal.duration >= command.timeout) {
    return fail(ErrorKind::usage, "--for-duration {} needs a longer --timeout than {}",
                duration_text(goal.duration), duration_text(command.timeout))
        .with_hint("for example --timeout 10m, or --timeout=-1s for a week");
  }
  return {};
}

/// Rejects types without names, unless a flag selects the objects.
Result<void> check_selected(const WaitCommand& command) {
  const InformerFlags& flags = command.informer;
  const bool is_selected = command.all || command.goal.count || !flags.selector.empty() ||
                           !flags.field_selector.empty() || flags.where || flags.failing ||
                           !flags.namespace_selector.empty() || !flags.owner.empty();
  const bool is_named = std::ranges::none_of(
      flags.types, [](const RequestedType& type) { return type.names.empty(); });
  if (is_selected || is_named) return {};
  return fail(ErrorKind::usage, "resource(s) were provided, but no name was specified")
      .with_hint("add names, -l LABELS or --all");
}

/// Rejects formats that kubectl wait does not have.
Result<void> check_format(const WaitCommand& command) {
  if (!command.has_output) return {};
  const OutputFlags& output = command.output;
  if (output.is_document() || output.jsonpath || output.format == OutputFormat::name) return {};
  return usage(fmt::format("-o {} cannot be used with wait, only json, yaml, name, jsonpath=, "
                           "jsonpath-as-json= and jsonpath-file=",
                           format_word(output.format)),
               "wait");
}

/// Sets the timeout. With --from, the default is a week instead of 30 s, because the end of the
/// recording or stream also ends the command.
void take_timeout(WaitCommand& command, const std::optional<Clock::Duration>& given) {
  constexpr std::chrono::hours kWeek{24 * 7};
  if (!command.global.replay.from.empty()) command.timeout = kWeek;
  command.timeout = given.value_or(command.timeout);
}

}  // namespace

Result<CommandLine> wait_line(ParsedFlags& parsed) {
  WaitCommand& command = parsed.wait;
  static_cast<InformerCommand&>(command) = {parsed.global, parsed.informer};
  command.output = parsed.output;
  command.has_output = !parsed.texts.output.value_or("").empty();
  if (command.goal.conditions.empty()) {
    return fail(ErrorKind::usage, "no condition to wait for")
        .with_hint("for example: --for=condition=Ready");
  }
  take_timeout(command, parsed.limits.timeout);
  Result<void> fine = check_selected(command);
  if (fine) fine = check_goal(command);
  if (fine) fine = check_format(command);
  if (fine) fine = check_recordings(parsed, true);
  if (!fine) return fail(fine);
  if (command.informer.metadata == MetadataMode::on && command.goal.needs_status()) {
    return usage("--metadata requests no status, which condition= and rollout need", "wait");
  }
  const bool reads_more =
      command.goal.reads_beyond_metadata() || reads_beyond_metadata(command.output);
  fine = check_metadata(parsed, reads_more);
  if (!fine) return fail(fine);
  return command;
}

}  // namespace kinf
