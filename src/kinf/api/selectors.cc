// SPDX-License-Identifier: Apache-2.0
#include "kinf/api/selectors.h"

#include <algorithm>

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
    case LabelOperator::exists: return value.has_value();
    case LabelOperator::does_not_exist: return !value;
    case LabelOperator::equals:
    case LabelOperator::double_equals:
    case LabelOperator::in: return value && is_among(requirement.values, *value);
    case LabelOperator::not_equals:
    case LabelOperator::not_in: return !value || !is_among(requirement.values, *value);
    case LabelOperator::greater_than:
    case LabelOperator::less_than:
      return value && compares(requirement.op, *value, requirement.values.front());
  }
  return false;
}

std::string_view symbol(LabelOperator op) {
  // In the order of LabelOperator.
  constexpr std::string_view kSymbols[] = {"", "", "=", "==", "!=", " in ", " notin ", ">", "<"};
  static_assert(std::size(kSymbols) == static_cast<std::size_t>(LabelOperator::less_than) + 1);
  return kSymbols[static_cast<std::size_t>(op)];
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
  if (!requirements) return fail(requirements);
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

namespace {

constexpr std::string_view kSpecial = "\\,=";

/// Splits at commas that are not escaped by a backslash.
std::vector<std::string_view> split_terms(std::string_view text) {
  std::vector<std::string_view> terms;
  std::size_t start = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == ',') {
      terms.push_back(text.substr(start, i - start));
      start = i + 1;
    }
  }
  terms.push_back(text.substr(start));
  return terms;
}

/// Returns the UTF-8 character that starts at `at`.
std::string_view character_at(std::string_view text, std::size_t at) {
  std::size_t size = 1;
  while (at + size < text.size() &&
         (static_cast<unsigned char>(text[at + size]) & 0xC0U) == 0x80U) {
    ++size;
  }
  return text.substr(at, size);
}

Result<std::string> unescape(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == ',' || text[i] == '=') {
      return fail(ErrorKind::usage, "invalid field selector: unescaped character in value: {}",
                  static_cast<int>(text[i]));
    }
    if (text[i] == '\\') {
      ++i;
      if (i == text.size() || kSpecial.find(text[i]) == std::string_view::npos) {
        return fail(ErrorKind::usage, "invalid field selector: invalid escape sequence: \\{}",
                    i == text.size() ? "" : character_at(text, i));
      }
    }
    out += text[i];
  }
  return out;
}

Result<FieldRequirement> parse_term(std::string_view term, std::string_view whole) {
  for (std::size_t at = 0; at < term.size(); ++at) {
    for (const std::string_view op : {"!=", "==", "="}) {
      if (!term.substr(at).starts_with(op)) continue;
      auto value = unescape(term.substr(at + op.size()));
      if (!value) return fail(value);
      return FieldRequirement{std::string(term.substr(0, at)), op != "!=", std::move(*value)};
    }
  }
  return fail(ErrorKind::usage, "invalid selector: '{}'; can't understand '{}'", whole, term);
}

}  // namespace

Result<FieldSelector> FieldSelector::parse(std::string_view text) {
  std::vector<std::string_view> terms = split_terms(text);
  std::sort(terms.begin(), terms.end());
  FieldSelector selector;
  for (const std::string_view term : terms) {
    if (term.empty()) continue;
    auto requirement = parse_term(term, text);
    if (!requirement) return fail(requirement);
    selector.requirements_.push_back(std::move(*requirement));
  }
  return selector;
}

bool FieldSelector::matches(const FieldLookup& fields) const {
  return std::all_of(requirements_.begin(), requirements_.end(),
                     [&](const FieldRequirement& requirement) {
                       return (fields(requirement.field) == requirement.value) == requirement.equal;
                     });
}

std::string FieldSelector::to_string() const {
  std::string out;
  for (const FieldRequirement& requirement : requirements_) {
    if (!out.empty()) out += ',';
    out.append(requirement.field)
        .append(requirement.equal ? "=" : "!=")
        .append(escape_field_value(requirement.value));
  }
  return out;
}

void select_name(std::string& selector, std::string_view name) {
  if (!selector.empty()) selector += ',';
  selector.append("metadata.name=").append(escape_field_value(name));
}

std::string escape_field_value(std::string_view value) {
  std::string out;
  for (const char c : value) {
    if (kSpecial.find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

}  // namespace kinf
