// SPDX-License-Identifier: Apache-2.0
#include "kinf/query/text_pattern.h"

#include <fmt/format.h>

#include <regex>

namespace kinf {

struct TextPattern::Expression {
  std::regex regex;
};

Result<TextPattern> TextPattern::parse(std::string_view text, bool ignore_case) {
  // With __polynomial, libstdc++ does not recurse for each character of the text.
  auto flags = std::regex::ECMAScript | std::regex_constants::__polynomial | std::regex::nosubs;
  if (ignore_case) flags |= std::regex::icase;
  try {
    const std::regex checked(text.begin(), text.end(), flags);  // refuses `)(`, which fits below
    TextPattern pattern;
    pattern.expression_ = std::make_shared<const Expression>(
        Expression{std::regex(fmt::format("[^]*(?:{})[^]*", text), flags)});
    return pattern;
  } catch (const std::regex_error&) {
    return fail(ErrorKind::usage, fmt::format("invalid regular expression {}", text));
  }
}

/// Matches the whole text in one pass: regex_search starts again at each character.
bool TextPattern::is_in(std::string_view text) const {
  return std::regex_match(text.begin(), text.end(), expression_->regex);
}

}  // namespace kinf
