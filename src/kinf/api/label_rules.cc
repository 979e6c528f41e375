// SPDX-License-Identifier: Apache-2.0
// Implements IsQualifiedName and IsValidLabelValue of apimachinery pkg/util/validation.
#include "kinf/api/label_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace kinf {
namespace {

constexpr std::size_t kLongestName = 63;
constexpr std::size_t kLongestPrefix = 253;

constexpr std::string_view kQualified =
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "
    "alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for "
    "validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
constexpr std::string_view kSubdomain =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or "
    "'.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used "
    "for validation is "
    "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
constexpr std::string_view kValue =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or "
    "'.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  "
    "or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

bool is_lower(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }
bool is_alphanumeric(char c) { return is_lower(c) || (c >= 'A' && c <= 'Z'); }
bool is_name_character(char c) { return is_alphanumeric(c) || c == '-' || c == '_' || c == '.'; }

bool is_name(std::string_view text) {
  return !text.empty() && is_alphanumeric(text.front()) && is_alphanumeric(text.back()) &&
         std::all_of(text.begin(), text.end(), is_name_character);
}

bool is_subdomain(std::string_view text) {
  while (true) {
    const std::size_t dot = std::min(text.find('.'), text.size());
    const std::string_view part = text.substr(0, dot);
    const auto may_stand = [](char c) { return is_lower(c) || c == '-'; };
    if (part.empty() || !is_lower(part.front()) || !is_lower(part.back()) ||
        !std::all_of(part.begin(), part.end(), may_stand)) {
      return false;
    }
    if (dot == text.size()) return true;
    text.remove_prefix(dot + 1);
  }
}

void add(std::string& problems, std::string_view problem) {
  if (!problems.empty()) problems += "; ";
  problems += problem;
}

std::string too_long(std::size_t longest) {
  return fmt::format("must be no more than {} bytes", longest);
}

}  // namespace

std::string label_key_problem(std::string_view key) {
  std::string problems;
  std::string_view name = key;
  if (const auto slash = key.find('/'); slash != std::string_view::npos) {
    const std::string_view prefix = key.substr(0, slash);
    name = key.substr(slash + 1);
    if (name.find('/') != std::string_view::npos) {
      return fmt::format(
          "a valid label key {} with an optional DNS subdomain prefix and '/' (e.g. "
          "'example.com/MyName')",
          kQualified);
    }
    if (prefix.empty()) {
      add(problems, "prefix part must be non-empty");
    } else {
      if (prefix.size() > kLongestPrefix) add(problems, "prefix part " + too_long(kLongestPrefix));
      if (!is_subdomain(prefix)) add(problems, fmt::format("prefix part {}", kSubdomain));
    }
  }
  if (name.empty()) {
    add(problems, "name part must be non-empty");
  } else if (name.size() > kLongestName) {
    add(problems, "name part " + too_long(kLongestName));
  }
  if (!is_name(name)) add(problems, fmt::format("name part {}", kQualified));
  return problems;
}

std::string label_value_problem(std::string_view value) {
  std::string problems;
  if (value.size() > kLongestName) add(problems, too_long(kLongestName));
  if (!value.empty() && !is_name(value)) add(problems, kValue);
  return problems;
}

std::optional<std::int64_t> label_integer(std::string_view value) {
  if (value.starts_with('+') && !value.starts_with("+-")) value.remove_prefix(1);
  std::int64_t number = 0;
  const auto [end, failed] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (failed != std::errc{} || end != value.data() + value.size()) return std::nullopt;
  return number;
}

}  // namespace kinf
