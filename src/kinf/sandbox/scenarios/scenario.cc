// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/scenarios/scenario.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "kinf/base/ascii.h"
#include "kinf/base/timestamp.h"
#include "kinf/sandbox/scenarios/built_in_scenarios.h"
#include "kinf/sandbox/scenarios/scenario_file.h"

namespace kinf::sandbox {
namespace {

constexpr std::string_view kPrefix = "$now";

std::string resolve_time(const std::string& text, Clock::Wall now) {
  const std::int64_t offset = std::strtoll(text.c_str() + kPrefix.size(), nullptr, 10);
  const auto time = std::chrono::floor<std::chrono::seconds>(now) + std::chrono::seconds(offset);
  return timestamp_text(time);
}

template <class Number>
bool read_setting(std::string_view value, Number least, Number most, Number& into) {
  const auto number = parse_number<Number>(value);
  if (!number || !(*number >= least && *number <= most)) return false;
  into = *number;
  return true;
}

bool read_churn_setting(std::string_view setting, ChurnSettings& into) {
  const std::size_t equals = setting.find('=');
  if (equals == std::string_view::npos) return false;
  const std::string_view name = setting.substr(0, equals);
  const std::string_view value = setting.substr(equals + 1);
  if (name == "objects") return read_setting<std::uint64_t>(value, 1, 100'000, into.objects);
  if (name == "rate") return read_setting(value, 0.001, 10'000.0, into.rate);
  if (name == "changes") return read_setting<std::uint64_t>(value, 1, 1'000'000, into.changes);
  if (name == "seed") return read_setting<std::uint64_t>(value, 0, UINT64_MAX, into.seed);
  return false;
}

/// Parses the settings of churn. `settings` is the text after the name: empty, or beginning with a
/// colon.
Result<Scenario> parse_churn(const std::string& name, std::string_view settings) {
  ChurnSettings churn;
  while (!settings.empty()) {
    settings.remove_prefix(1);
    const std::string_view setting = settings.substr(0, settings.find(':'));
    settings.remove_prefix(setting.size());
    if (read_churn_setting(setting, churn)) continue;
    return fail(
        ErrorKind::usage,
        fmt::format("scenario \"{}\": invalid setting \"{}\"; expected :objects=1..100000, "
                    ":rate=CHANGES_PER_SECOND up to 10000, :changes=NUMBER after which it ends, or "
                    ":seed=NUMBER",
                    name, setting));
  }
  return churn_scenario(churn);
}

bool is_file(const std::string& name) {
  std::error_code ignored;
  return name.find('/') != std::string::npos || name.ends_with(".yaml") || name.ends_with(".yml") ||
         name.ends_with(".json") || std::filesystem::is_regular_file(name, ignored);
}

}  // namespace

Result<Scenario> find_scenario(const std::string& name) {
  if (name == "quiet") return Scenario{};
  if (name == "nettool") return nettool_scenario();
  if (name == "rollout") return rollout_scenario();
  if (name == "crashloop") return crashloop_scenario();
  if (name == "churn" || name.starts_with("churn:")) {
    return parse_churn(name, std::string_view(name).substr(std::string_view("churn").size()));
  }
  if (is_file(name)) return read_scenario_file(name);
  return fail(ErrorKind::usage,
              fmt::format("unknown scenario \"{}\"; available: {}, or a YAML file", name,
                          fmt::join(scenario_names(), ", ")));
}

std::vector<std::string> scenario_names() {
  return {"churn", "crashloop", "nettool", "quiet", "rollout"};
}

bool is_relative_time(std::string_view text) {
  if (!text.starts_with(kPrefix)) return false;
  text.remove_prefix(kPrefix.size());
  if (text.empty()) return true;
  constexpr std::size_t kDigits = 10;  // about 300 years in seconds
  if (text.front() != '-' && text.front() != '+') return false;
  text.remove_prefix(1);
  return !text.empty() && text.size() <= kDigits && std::ranges::all_of(text, is_digit);
}

Json resolve_times(Json object, Clock::Wall now) {
  if (object.is_string() && is_relative_time(object.get_ref<const std::string&>())) {
    return resolve_time(object.get_ref<const std::string&>(), now);
  }
  if (object.is_structured()) {
    for (Json& member : object) member = resolve_times(std::move(member), now);
  }
  return object;
}

}  // namespace kinf::sandbox
