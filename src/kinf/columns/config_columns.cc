// SPDX-License-Identifier: Apache-2.0
// The cells of objects that configure others: secrets, quotas, leases, roles, budgets, autoscalers
// and priorities.
#include <fmt/format.h>

#include "kinf/columns/fields.h"
#include "kinf/columns/kind_columns.h"

namespace kinf::columns {
namespace {

/// Returns a number or a percentage, such as `1` or `50%`; `otherwise` if it is missing.
std::string amount_or(const Json& value, std::string_view otherwise) {
  if (value.is_number_integer()) return std::to_string(number(value));
  const std::string written = text(value);
  return written.empty() ? std::string(otherwise) : written;
}

/// Returns the current and the wanted value of one metric of an autoscaler: `cpu: 30%/80%`.
std::string metric_text(const Json& spec, const Json& status) {
  std::string key = text(field(spec, "type"));
  if (!key.empty()) key.front() = static_cast<char>(key.front() | 0x20);  // in lower case
  const Json& wanted = field(spec, key.c_str(), "target");
  const Json& current = field(status, key.c_str(), "current");
  const std::string name = text(field(spec, key.c_str(), "name"));
  const std::string prefix = name.empty() ? "" : name + ": ";
  const Json& utilization = field(wanted, "averageUtilization");
  if (utilization.is_number_integer()) {
    const Json& now = field(current, "averageUtilization");
    const std::string shown =
        now.is_number_integer() ? fmt::format("{}%", number(now)) : "<unknown>";
    return fmt::format("{}{}/{}%", prefix, shown, number(utilization));
  }
  const bool is_average = !field(wanted, "averageValue").is_null();
  const char* const value = is_average ? "averageValue" : "value";
  const bool says_average = is_average && (key == "external" || key == "object");
  return fmt::format("{}{}/{}{}", prefix, amount_or(field(current, value), "<unknown>"),
                     amount_or(field(wanted, value), "<auto>"), says_average ? " (avg)" : "");
}

std::string metrics_text(const Json& autoscaler) {
  constexpr std::size_t kShownMetrics = 2;
  const auto& specs = elements(field(autoscaler, "spec", "metrics"));
  const auto& statuses = elements(field(autoscaler, "status", "currentMetrics"));
  if (specs.empty()) return "<none>";
  std::vector<std::string> shown;
  for (std::size_t i = 0; i < specs.size() && i < kShownMetrics; ++i) {
    shown.push_back(metric_text(specs[i], i < statuses.size() ? statuses[i] : Json()));
  }
  const std::string joined_text = fmt::format("{}", fmt::join(shown, ", "));
  if (specs.size() <= kShownMetrics) return joined_text;
  return fmt::format("{} + {} more...", joined_text, specs.size() - kShownMetrics);
}

/// Returns the names of the subjects of a kind, those of service accounts with their namespace.
std::string subjects(const Json& binding, std::string_view kind) {
  std::vector<std::string> names;
  for (const Json& subject : elements(field(binding, "subjects"))) {
    if (text(field(subject, "kind")) != kind) continue;
    const std::string ns = kind == "ServiceAccount" ? text(field(subject, "namespace")) + "/" : "";
    names.push_back(ns + text(field(subject, "name")));
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

Json secret_cells(const Json& object, Clock::Wall now) {
  return Json::array({name_of(object), text(field(object, "type")),
                      members(field(object, "data")).size(), age(object, now)});
}

Json lease_cells(const Json& object, Clock::Wall now) {
  return Json::array(
      {name_of(object), text(field(object, "spec", "holderIdentity")), age(object, now)});
}

Json resource_quota_cells(const Json& object, Clock::Wall now) {
  std::string requests;
  std::string limits;
  for (const auto& [resource, hard] : members(field(object, "status", "hard"))) {
    std::string& column = resource.starts_with("limits.") ? limits : requests;
    if (!column.empty()) column += ", ";
    column += fmt::format("{}: {}/{}", resource,
                          amount_or(field(object, "status", "used", resource.c_str()), "0"),
                          amount_or(hard, "0"));
  }
  return Json::array({name_of(object), requests, limits, age(object, now)});
}

Json dated_cells(const Json& object, Clock::Wall /*now*/) {
  return Json::array({name_of(object), text(field(object, "metadata", "creationTimestamp"))});
}

Json role_binding_cells(const Json& object, Clock::Wall now) {
  return Json::array(
      {name_of(object),
       text(field(object, "roleRef", "kind")) + "/" + text(field(object, "roleRef", "name")),
       age(object, now), subjects(object, "User"), subjects(object, "Group"),
       subjects(object, "ServiceAccount")});
}

Json priority_class_cells(const Json& object, Clock::Wall now) {
  return Json::array({name_of(object), number(field(object, "value")),
                      is_true(field(object, "globalDefault")) ? "true" : "false", age(object, now),
                      text(field(object, "preemptionPolicy"))});
}

Json disruption_budget_cells(const Json& object, Clock::Wall now) {
  return Json::array({name_of(object), amount_or(field(object, "spec", "minAvailable"), "N/A"),
                      amount_or(field(object, "spec", "maxUnavailable"), "N/A"),
                      number(field(object, "status", "disruptionsAllowed")), age(object, now)});
}

Json autoscaler_cells(const Json& object, Clock::Wall now) {
  const Json& target = field(object, "spec", "scaleTargetRef");
  return Json::array(
      {name_of(object), text(field(target, "kind")) + "/" + text(field(target, "name")),
       metrics_text(object), amount_or(field(object, "spec", "minReplicas"), "<unset>"),
       number(field(object, "spec", "maxReplicas")),
       number(field(object, "status", "currentReplicas")), age(object, now)});
}

Json scale_cells(const Json& object, Clock::Wall now) {
  return Json::array({name_of(object), number(field(object, "spec", "replicas")),
                      number(field(object, "status", "replicas")), age(object, now)});
}

}  // namespace kinf::columns
