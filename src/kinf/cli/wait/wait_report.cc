// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/wait/wait_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "kinf/base/ascii.h"
#include "kinf/base/log.h"
#include "kinf/cli/flags/wait_flags.h"
#include "kinf/columns/fields.h"
#include "kinf/columns/human_duration.h"
#include "kinf/kubernetes/rollout_status.h"
#include "kinf/print/objects_printer.h"
#include "kinf/print/secret_mask.h"
#include "kinf/print/time_text.h"
#include "kinf/query/jsonpath.h"

namespace kinf {
namespace {

using columns::field;
using columns::text;
using Json = nlohmann::json;

/// The maximum length in bytes of a text from the server in one line.
constexpr std::size_t kShownText = 300;

std::string cut(std::string text) {
  if (text.size() <= kShownText) return text;
  std::size_t end = kShownText;
  // Do not cut within a UTF-8 character.
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0u) == 0x80u) --end;
  return text.substr(0, end) + "…";
}

/// Returns ` (REASON: MESSAGE)`, without the parts that are empty.
std::string in_parentheses(const std::string& reason, const std::string& message) {
  if (reason.empty() && message.empty()) return {};
  const char* const between = reason.empty() || message.empty() ? "" : ": ";
  return fmt::format(" ({}{}{})", reason, between, cut(message));
}

std::string text_of(const StatusCondition& condition) {
  return fmt::format("{}={}{}{}", condition.type, condition.status,
                     condition.outdated ? " of an older generation" : "",
                     in_parentheses(condition.reason, condition.message));
}

std::string status_text(const Condition& condition, const Object& object) {
  const std::optional<StatusCondition> found = condition.status_of(object);
  if (found) return "condition " + text_of(*found);
  std::vector<std::string> types;
  for (const StatusCondition& other : status_conditions(object)) types.push_back(other.type);
  std::string missing = "no condition " + condition.subject();
  if (!types.empty()) missing += fmt::format(", only {}", fmt::join(types, ", "));
  return cut(std::move(missing));
}

std::string path_text(const Condition& condition, const AwaitedObject& object) {
  const Result<std::vector<std::string>> values = condition.values_of(*object.last);
  const std::string& path = condition.subject();
  if (!values || values->empty()) return path + " has no value";
  if (is_secret_type(*object.source->type)) return path + " has another value";
  return fmt::format("{} is {}", path, cut(values->front()));
}

/// Describes an object that exists although its deletion is awaited.
std::string existence(const Object& object) {
  Scratch scratch;
  const Json document = parse_document(object.json(scratch));
  std::string state =
      object.deleting() ? "being deleted" : "exists, its deletion was not requested";
  std::vector<std::string> finalizers;
  for (const Json& finalizer : columns::elements(field(document, "metadata", "finalizers"))) {
    finalizers.push_back(text(finalizer));
  }
  if (!finalizers.empty()) state += fmt::format(", finalizers: {}", fmt::join(finalizers, ", "));
  return cut(std::move(state));
}

/// Returns the state of a container that is not ready. Empty if the container is ready.
std::string container_state(const Json& status) {
  const Json& waiting = field(status, "state", "waiting");
  if (waiting.is_object()) {
    return "waiting" +
           in_parentheses(text(field(waiting, "reason")), text(field(waiting, "message")));
  }
  const Json& ended = field(status, "state", "terminated");
  if (ended.is_object()) {
    return fmt::format("terminated with exit code {}{}", columns::number(field(ended, "exitCode")),
                       in_parentheses(text(field(ended, "reason")), text(field(ended, "message"))));
  }
  return columns::is_true(field(status, "ready")) ? "" : "running, not ready";
}

/// Returns how the container ended before it was started again. Empty if it was not.
std::string earlier_end(const Json& status) {
  const Json& ended = field(status, "lastState", "terminated");
  if (!ended.is_object()) return {};
  return fmt::format(", last ended with exit code {}{}", columns::number(field(ended, "exitCode")),
                     in_parentheses(text(field(ended, "reason")), text(field(ended, "message"))));
}

void add_containers(std::vector<std::string>& lines, const Json& statuses, std::string_view kind) {
  for (const Json& status : columns::elements(statuses)) {
    const std::string state = container_state(status);
    const bool is_done = field(status, "state", "terminated").is_object() &&
                         columns::number(field(status, "state", "terminated", "exitCode")) == 0;
    if (state.empty() || (kind != "container" && is_done)) continue;
    std::string line = fmt::format("{} {}: {}", kind, text(field(status, "name")), state);
    if (const auto restarts = columns::number(field(status, "restartCount")); restarts > 0) {
      line += fmt::format(", restarts: {}", restarts);
    }
    line += earlier_end(status);
    lines.push_back(std::move(line));
  }
}

}  // namespace

std::string condition_state(const Condition& condition, const AwaitedObject& object) {
  switch (condition.form()) {
    case Condition::Form::create: return object.exists ? "exists" : "does not exist";
    case Condition::Form::deletion: return object.exists ? existence(*object.last) : "deleted";
    case Condition::Form::status: return status_text(condition, *object.last);
    case Condition::Form::jsonpath: return path_text(condition, object);
    case Condition::Form::rollout: return "rollout: " + condition.rollout_of(*object.last).text;
    case Condition::Form::jq: break;
  }
  return condition.text();
}

std::string last_state(const WaitGoal& goal, const AwaitedObject& object, Clock::Wall now) {
  if (!object.last)
    return "never existed" + (object.ns.empty() ? "" : " in namespace " + object.ns);
  if (!object.exists) return "deleted " + human_age(object.changed, now) + " ago";
  std::vector<std::string> states;
  for (std::size_t i = 0; i < goal.conditions.size(); ++i) {
    const Condition& condition = goal.conditions[i];
    if (object.met[i]) continue;
    const bool is_jq = condition.form() == Condition::Form::jq;
    states.push_back(is_jq ? condition.text() + " does not hold"
                           : condition_state(condition, object));
  }
  return fmt::format("{}", fmt::join(states, "; "));
}

std::vector<std::string> reasons(const WaitGoal& goal, const Object& object) {
  constexpr std::size_t kShownLines = 8;
  std::vector<std::string> lines;
  Scratch scratch;
  const Json document = parse_document(object.json(scratch));
  if (object.kind() == "Pod") {
    const Json& status = field(document, "status");
    add_containers(lines, field(status, "initContainerStatuses"), "init container");
    add_containers(lines, field(status, "containerStatuses"), "container");
  }
  for (const StatusCondition& condition : status_conditions(object)) {
    const bool is_named = std::ranges::any_of(goal.conditions, [&](const Condition& one) {
      if (one.form() != Condition::Form::status) return false;
      const std::optional<StatusCondition> named = one.status_of(object);
      return named && named->type == condition.type;
    });
    const bool is_failure = equals_ignoring_case(condition.type, "Failed") ||
                            equals_ignoring_case(condition.type, "ReplicaFailure");
    if (is_named || (condition.status == "True" && !is_failure)) continue;
    lines.push_back("condition " + text_of(condition));
  }
  if (lines.size() > kShownLines) lines.resize(kShownLines);
  return lines;
}

std::string resource_name(const AwaitedObject& object) {
  return object.source->type->gvr.resource + "/" + object.name;
}

std::string kind_name(const AwaitedObject& object) {
  return to_lower(object.source->type->kind) + "/" + object.name;
}

namespace {

/// Returns `pod/web-1 condition met`, with the name of the cluster.
std::string met_line(const AwaitedObject& object) {
  const WaitSource& source = *object.source;
  const std::string cluster = source.cluster.empty() ? "" : source.cluster + ": ";
  return cluster + typed_name(*source.type, object.name) + " condition met";
}

/// Returns ` at 2026-11-22T10:14:03.118Z, resourceVersion 8812`, as far as it is known.
std::string moment_text(const AwaitedObject& object, Moments moments) {
  std::string text;
  if (moments == Moments::none) return text;
  if (moments == Moments::times) {
    text = time_text(TimeForm::rfc3339, object.satisfied_at, {});
  }
  if (!object.satisfying_version.empty()) {
    text += (text.empty() ? "resourceVersion " : ", resourceVersion ") + object.satisfying_version;
  }
  return text.empty() ? text : " at " + text;
}

bool has_met(const AwaitedObject& object) { return object.is_satisfied && object.last; }

Result<std::string> object_text(const AwaitedObject& object, const WaitCommand& command,
                                Moments moments) {
  const WaitSource& source = *object.source;
  if (!command.has_output) {
    return met_line(object) + moment_text(object, moments) + "\n";
  }
  PrintOptions options;
  static_cast<ShowOptions&>(options) = command.output;
  const auto printed = objects_text({{source.type, {object.last}}}, options, false, object.changed);
  if (!printed) return fail(printed);
  return printed->text;
}

}  // namespace

Result<std::string> met_text(const WaitTracker& tracker, const WaitCommand& command,
                             Moments moments) {
  const std::size_t times = command.goal.any ? 1 : command.goal.conditions.size();
  const bool is_yaml = command.has_output && command.output.format == OutputFormat::yaml;
  std::string text;
  for (const AwaitedObject& object : tracker.objects()) {
    if (!has_met(object)) continue;
    const Result<std::string> one = object_text(object, command, moments);
    if (!one) return one;
    for (std::size_t i = 0; i < times; ++i) {
      if (is_yaml && !text.empty()) text += "---\n";
      text += *one;
    }
  }
  return text;
}

void log_moments(const WaitTracker& tracker, Moments moments) {
  for (const AwaitedObject& object : tracker.objects()) {
    if (has_met(object)) log::notice("{}{}", met_line(object), moment_text(object, moments));
  }
}

}  // namespace kinf
