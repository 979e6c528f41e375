// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/scenarios/scenario_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "kinf/base/duration.h"
#include "kinf/base/limits.h"
#include "kinf/kubernetes/manifest_files.h"
#include "kinf/sandbox/scenarios/manifests.h"

namespace kinf::sandbox {
namespace {

/// The time from a pod's deletion to its removal.
constexpr std::chrono::seconds kPodTermination(1);
constexpr std::array<const char*, 4> kActions = {"apply", "patch", "delete", "fault"};

std::unexpected<Error> usage_error(std::string message) {
  return fail(ErrorKind::usage, std::move(message));
}

/// Returns the first string that begins with `$now` but is not a time, or an empty string.
std::string wrong_time(const Json& json) {
  if (json.is_string()) {
    const std::string& value = json.get_ref<const std::string&>();
    return value.starts_with("$now") && !is_relative_time(value) ? value : "";
  }
  if (!json.is_structured()) return "";
  for (const Json& member : json) {
    if (std::string wrong = wrong_time(member); !wrong.empty()) return wrong;
  }
  return "";
}

Result<void> check_object(const Json& object) {
  if (const Result<void> checked = check_manifest(object); !checked) return checked;
  if (const std::string wrong = wrong_time(object); !wrong.empty()) {
    return usage_error(
        fmt::format("\"{}\" is not a time; use $now, $now-SECONDS or $now+SECONDS", wrong));
  }
  return {};
}

Result<std::chrono::milliseconds> time_of(const Json& at) {
  std::optional<std::chrono::nanoseconds> time;
  if (at.is_number()) {
    const double seconds = at.get<double>();
    if (std::isfinite(seconds) && std::abs(seconds) < 1e9) {
      time = std::chrono::nanoseconds(std::llround(seconds * 1e9));
    }
  } else if (at.is_string()) {
    time = parse_duration(at.get_ref<const std::string&>());
  }
  if (at.is_null())
    return usage_error("\"at\" is missing; use a number of seconds or a duration such as 2m");
  if (!time || *time < std::chrono::nanoseconds(0) || *time > limits::kScenarioTime) {
    return usage_error(fmt::format(
        "\"at\" is {}; use a number of seconds or a duration such as 1.5s or 2m", to_text(at)));
  }
  return std::chrono::duration_cast<std::chrono::milliseconds>(*time);
}

/// Returns the action of a step. Fails if the step has no action, several actions or an unknown
/// member.
Result<std::string> action_of(const Json& step) {
  if (!step.is_object())
    return usage_error("not a map with \"at\" and one of apply, patch, delete, fault");
  std::string action;
  for (const auto& [key, value] : step.items()) {
    if (std::ranges::find(kActions, key) != kActions.end()) {
      if (!action.empty())
        return usage_error(
            fmt::format("both \"{}\" and \"{}\" are set; use one of them", action, key));
      action = key;
    } else if (key != "at" && key != "now") {
      return usage_error(fmt::format(
          "unknown member \"{}\"; available members: at, apply, patch, delete, fault, now", key));
    }
  }
  if (action.empty())
    return usage_error("the step has no action; use one of: apply, patch, delete, fault");
  return action;
}

Result<void> add_deletion(std::chrono::milliseconds at, const Json& object, const Json& now,
                          std::vector<ScenarioStep>& steps) {
  if (!now.is_null() && !now.is_boolean()) return usage_error("\"now\" must be true or false");
  if (now == true) {
    steps.push_back({at, StepAction::force_delete, object});
    return {};
  }
  steps.push_back({at, StepAction::delete_gracefully, object});
  const BuiltInType* type =
      find_built_in_kind(text(field(object, "apiVersion")), text(field(object, "kind")));
  if (type != nullptr && type->has(TypeTrait::runs_on_node)) {
    steps.push_back({at + kPodTermination, StepAction::finish_deletion, object});
  }
  return {};
}

Result<void> add_step(const Json& step, std::vector<ScenarioStep>& steps) {
  const Result<std::string> action = action_of(step);
  if (!action) return std::unexpected(action.error());
  const Result<std::chrono::milliseconds> at = time_of(field(step, "at"));
  if (!at) return std::unexpected(at.error());
  if (step.contains("now") && *action != "delete") {
    return usage_error("\"now\" is only allowed with \"delete\"");
  }
  const Json& what = field(step, *action);
  if (*action == "fault") {
    if (!what.is_string())
      return usage_error("\"fault\" must be a string such as gone or cut:every=30s");
    Result<FaultSpec> fault = parse_fault(what.get<std::string>());
    if (!fault) return std::unexpected(std::move(fault).error());
    steps.push_back({*at, StepAction::fault, Json(), *std::move(fault)});
    return {};
  }
  if (const Result<void> checked = check_object(what); !checked) {
    return std::unexpected(checked.error().within(*action));
  }
  if (*action == "delete") return add_deletion(*at, what, field(step, "now"), steps);
  steps.push_back({*at, *action == "apply" ? StepAction::apply : StepAction::patch, what});
  return {};
}

Result<Scenario> scenario_from(const Json& document) {
  if (!document.is_object()) return usage_error("not a map with \"objects\" and \"steps\"");
  for (const auto& [key, value] : document.items()) {
    if (key != "objects" && key != "steps") {
      return usage_error(
          fmt::format("unknown member \"{}\"; available members: objects, steps", key));
    }
    if (!value.is_null() && !value.is_array()) {
      return usage_error(fmt::format("\"{}\" is not a list", key));
    }
  }
  Scenario scenario;
  for (const Json& object : field(document, "objects")) {
    if (const Result<void> checked = check_object(object); !checked) {
      return std::unexpected(
          checked.error().within(fmt::format("object {}", scenario.initial.size() + 1)));
    }
    scenario.initial.push_back(object);
  }
  for (std::size_t number = 0; const Json& step : field(document, "steps")) {
    ++number;
    if (const Result<void> added = add_step(step, scenario.steps); !added) {
      return std::unexpected(added.error().within(fmt::format("step {}", number)));
    }
  }
  std::ranges::stable_sort(scenario.steps, {}, &ScenarioStep::at);
  return scenario;
}

}  // namespace

Result<Scenario> parse_scenario(std::string_view text, const std::string& file) {
  Result<std::vector<Json>> documents = parse_documents(text, file.ends_with(".json"));
  if (!documents) return std::unexpected(std::move(documents).error().within(file));
  std::erase_if(*documents, [](const Json& document) { return document.is_null(); });
  if (documents->size() != 1) {
    return usage_error(
        fmt::format("{}: {} documents; a scenario is one document with \"objects\" and \"steps\"",
                    file, documents->size()));
  }
  Result<Scenario> scenario = scenario_from(documents->front());
  if (!scenario) return std::unexpected(std::move(scenario).error().within(file));
  return scenario;
}

Result<Scenario> read_scenario_file(const std::string& file) {
  const Result<std::string> text = read_manifest_file(file);
  if (!text) return std::unexpected(text.error());
  return parse_scenario(*text, file);
}

}  // namespace kinf::sandbox
