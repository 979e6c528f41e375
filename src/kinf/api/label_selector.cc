// SPDX-License-Identifier: Apache-2.0
#include "kinf/api/label_selector.h"

#include <algorithm>

#include "kinf/api/label_rules.h"
#include "kinf/api/label_selector_parser.h"

namespace kinf {
namespace {

bool is_among(const std::vector<std::string>& values, std::string_view value) {
  return std::binary_search(values.begin(), values.end(), value, std::less<>());
}

/// Returns whether `value` and `limit` are integers and `value` `op` `limit` is true.
bool compares(LabelOperator op, std::string_view value, std::string_view limit) {
  const auto left = label_integer(value);
  const auto right = label_integer(limit);
  if (!left || !right) return false;
  return op == LabelOperator::greater_than ? *left > *right : *left < *right;
}

bool holds(const LabelRequirement& requirement, std::optional<std::string_view> value) {
  switch (requirement.op) {
    case LabelOperator::exists:
      return value.has_value();
    case LabelOperator::does_not_exist:
      return !value;
    case LabelOperator::equals:
    case LabelOperator::double_equals:
    case LabelOperator::in:
      return value && is_among(requirement.values, *value);
    case LabelOperator::not_equals:
    case LabelOperator::not_in:
      return !value || !is_among(requirement.values, *value);
    case LabelOperator::greater_than:
    case LabelOperator::less_than:
      return value && compares(requirement.op, *value, requirement.values.front());
  }
  return false;
}

std::string_view symbol(LabelOperator op) {
  switch (op) {
    case LabelOperator::equals:
      return "=";
    case LabelOperator::double_equals:
      return "==";
    case LabelOperator::not_equals:
      return "!=";
    case LabelOperator::in:
      return " in ";
    case LabelOperator::not_in:
      return " notin ";
    case LabelOperator::greater_than:
      return ">";
    case LabelOperator::less_than:
      return "<";
    case LabelOperator::exists:
    case LabelOperator::does_not_exist:
      break;
  }
  return "";
}

void print(const LabelRequirement& requirement, std::string& out) {
  const bool is_set =
      requirement.op == LabelOperator::in || requirement.op == LabelOperator::not_in;
  if (requirement.op == LabelOperator::does_not_exist) out += '!';
  out.append(requirement.key).append(symbol(requirement.op));
  if (is_set) out += '(';
  for (std::size_t i = 0; i < requirement.values.size(); ++i) {
    if (i > 0) out += ',';
    out += requirement.values[i];
  }
  if (is_set) out += ')';
}

}  // namespace

Result<LabelSelector> LabelSelector::parse(std::string_view text) {
  auto requirements = parse_label_requirements(text);
  if (!requirements) return std::unexpected(std::move(requirements).error());
  std::stable_sort(requirements->begin(), requirements->end(),
                   [](const auto& a, const auto& b) { return a.key < b.key; });
  LabelSelector selector;
  selector.requirements_ = std::move(*requirements);
  return selector;
}

LabelSelector LabelSelector::nothing() {
  LabelSelector selector;
  selector.nothing_ = true;
  return selector;
}

bool LabelSelector::matches(const Object& object) const {
  return matches([&](std::string_view key) { return object.label(key); });
}

bool LabelSelector::matches(const LabelLookup& labels) const {
  return !nothing_ && std::all_of(requirements_.begin(), requirements_.end(),
                                  [&](const LabelRequirement& requirement) {
                                    return holds(requirement, labels(requirement.key));
                                  });
}

std::string LabelSelector::to_string() const {
  std::string out;
  for (const LabelRequirement& requirement : requirements_) {
    if (!out.empty()) out += ',';
    print(requirement, out);
  }
  return out;
}

}  // namespace kinf
