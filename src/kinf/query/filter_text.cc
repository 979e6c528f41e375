// SPDX-License-Identifier: Apache-2.0
#include "kinf/query/filter_text.h"

#include <cstddef>

#include "kinf/base/trimmed.h"

namespace kinf::jsonpath {
namespace {

/// Walks through a filter and tells which bytes are outside of quotes and brackets.
class Outside {
 public:
  /// Takes the next byte. Returns false for a closing bracket without an opening one.
  bool take(char c) {
    if (escaped_) {
      escaped_ = false;
    } else if (quote_ != 0) {
      escaped_ = c == '\\';
      if (c == quote_) quote_ = 0;
    } else if (c == '"' || c == '\'') {
      quote_ = c;
    } else if (c == '(' || c == '[' || c == '{') {
      ++depth_;
    } else if (c == ')' || c == ']' || c == '}') {
      if (depth_ == 0) return false;
      --depth_;
    }
    return true;
  }
  bool is_outside() const { return quote_ == 0 && depth_ == 0; }

 private:
  char quote_ = 0;
  bool escaped_ = false;
  std::size_t depth_ = 0;
};

}  // namespace

std::optional<std::string_view> filter_body(std::string_view text) {
  Outside outside;
  for (std::size_t i = 0; i < text.size() && text[i] != '\n'; ++i) {
    if (!outside.take(text[i])) return text.substr(0, i);
  }
  return std::nullopt;
}

std::optional<std::pair<std::string_view, std::string_view>> split_filter(std::string_view text,
                                                                          std::string_view word) {
  Outside outside;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (outside.is_outside() && text.substr(i).starts_with(word)) {
      return std::pair(text.substr(0, i), text.substr(i + word.size()));
    }
    if (!outside.take(text[i])) break;
  }
  return std::nullopt;
}

bool is_in_parentheses(std::string_view text) {
  if (!text.starts_with('(') || !text.ends_with(')')) return false;
  const auto body = filter_body(text.substr(1));
  return body && body->size() + 2 == text.size();
}

bool is_extended_filter(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with('(') || (text.starts_with('!') && !text.starts_with("!="))) return true;
  return split_filter(text, "&&") || split_filter(text, "||") || split_filter(text, "=~");
}

}  // namespace kinf::jsonpath
