// SPDX-License-Identifier: Apache-2.0
#include "kinf/columns/fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>
#include <set>
#include <vector>

#include "kinf/base/timestamp.h"
#include "kinf/columns/human_duration.h"

namespace kinf::columns {

const Json::object_t& members(const Json& json) {
  static const Json::object_t none;
  return json.is_object() ? json.get_ref<const Json::object_t&>() : none;
}

std::string joined(const Json& list, const char* key) {
  std::vector<std::string> parts;
  for (const Json& item : elements(list)) parts.push_back(text(field(item, key)));
  return fmt::format("{}", fmt::join(parts, ","));
}

bool has_condition(const Json& object, std::string_view type) {
  return std::ranges::any_of(elements(field(object, "status", "conditions")), [&](const Json& one) {
    return text(field(one, "type")) == type && text(field(one, "status")) == "True";
  });
}

std::string or_none(std::string text) {
  if (text.empty()) text = "<none>";
  return text;
}

std::optional<Clock::Wall> time(const Json& json) {
  const auto time = parse_timestamp(text(json));
  if (!time) return std::nullopt;
  return wall_time(*time);
}

std::string since(const Json& timestamp, Clock::Wall now) {
  const std::optional<Clock::Wall> then = time(timestamp);
  return then ? human_age(*then, now) : "<unknown>";
}

std::string name_of(const Json& object) { return text(field(object, "metadata", "name")); }

std::string age(const Json& object, Clock::Wall now) {
  return since(field(object, "metadata", "creationTimestamp"), now);
}

std::string balancer_addresses(const Json& object) {
  std::set<std::string> addresses;
  for (const Json& ingress : elements(field(object, "status", "loadBalancer", "ingress"))) {
    const std::string ip = text(field(ingress, "ip"));
    const std::string address = ip.empty() ? text(field(ingress, "hostname")) : ip;
    if (!address.empty()) addresses.insert(address);
  }
  return fmt::format("{}", fmt::join(addresses, ","));
}

std::string labels_text(const Json& labels) {
  std::vector<std::string> parts;
  for (const auto& [key, value] : members(labels)) parts.push_back(key + "=" + text(value));
  return or_none(fmt::format("{}", fmt::join(parts, ",")));
}

// Like metav1.FormatLabelSelector, also sorts the values of each expression. If keys are equal,
// labels come before expressions.
std::string selector_text(const Json& selector) {
  std::vector<std::pair<std::string, std::string>> parts;
  for (const auto& [key, value] : members(field(selector, "matchLabels"))) {
    parts.emplace_back(key, key + "=" + text(value));
  }
  for (const Json& expression : elements(field(selector, "matchExpressions"))) {
    const std::string key = text(field(expression, "key"));
    const std::string op = text(field(expression, "operator"));
    std::vector<std::string> values;
    for (const Json& value : elements(field(expression, "values"))) values.push_back(text(value));
    std::sort(values.begin(), values.end());
    const std::string list = fmt::format("({})", fmt::join(values, ","));
    if (op == "In") parts.emplace_back(key, key + " in " + list);
    if (op == "NotIn") parts.emplace_back(key, key + " notin " + list);
    if (op == "Exists") parts.emplace_back(key, key);
    if (op == "DoesNotExist") parts.emplace_back(key, "!" + key);
  }
  std::stable_sort(parts.begin(), parts.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  return or_none(fmt::format("{}", fmt::join(parts | std::views::values, ",")));
}

}  // namespace kinf::columns
