// SPDX-License-Identifier: Apache-2.0
// Finds the parts of a JSONPath filter: what is outside of its quotes and brackets.
#pragma once

#include <optional>
#include <string_view>
#include <utility>

namespace kinf::jsonpath {

/// Returns the text up to the parenthesis that closes the filter; `text` is what follows `[?(`.
/// Returns nullopt if there is none on the same line.
std::optional<std::string_view> filter_body(std::string_view text);

/// Splits `text` at the first `word` outside of quotes and brackets. Returns nullopt if there is
/// none.
std::optional<std::pair<std::string_view, std::string_view>> split_filter(std::string_view text,
                                                                          std::string_view word);

/// Returns true if `text` is one expression in parentheses.
bool is_in_parentheses(std::string_view text);

/// Returns true for a filter that only kinf understands: with `&&`, `||`, `=~`, a leading `!`, or
/// parentheses around a part of it.
bool is_extended_filter(std::string_view text);

}  // namespace kinf::jsonpath
