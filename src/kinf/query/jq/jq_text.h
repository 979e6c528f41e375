// SPDX-License-Identifier: Apache-2.0
// JqText: the rest of a jq program that is read from left to right, token by token. For the files
// that decide something about programs; libjq has the real parser.
#pragma once

#include <algorithm>
#include <optional>
#include <string_view>

#include "kinf/base/ascii.h"

namespace kinf {

class JqText {
 public:
  explicit JqText(std::string_view program) : rest_(program) {}

  static bool starts_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  }
  static bool is_in_name(char c) { return starts_name(c) || is_digit(c); }

  bool empty() const { return rest_.empty(); }
  /// Returns the next character. The text must not be empty.
  char front() const { return rest_.front(); }
  /// Returns the character after the next one, or '\0'.
  char second() const { return rest_.size() > 1 ? rest_[1] : '\0'; }
  bool at(char c) const { return !rest_.empty() && rest_.front() == c; }
  bool at(std::string_view text) const { return rest_.starts_with(text); }
  bool at_name() const { return !rest_.empty() && is_in_name(rest_.front()); }

  void skip(std::size_t count) { rest_.remove_prefix(count); }
  void skip_blanks() {
    constexpr std::string_view kBlanks = " \t\n\r";
    rest_.remove_prefix(std::min(rest_.find_first_not_of(kBlanks), rest_.size()));
  }
  bool take(char c) {
    if (!at(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool take(std::string_view text) {
    if (!at(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }
  /// Reads `word` if no longer name starts here.
  bool take_word(std::string_view word) {
    if (!at(word) || (rest_.size() > word.size() && is_in_name(rest_[word.size()]))) return false;
    rest_.remove_prefix(word.size());
    return true;
  }
  template <class Is>
  std::string_view take_while(Is is) {
    const auto end = std::ranges::find_if_not(rest_, is);
    const std::string_view taken(rest_.begin(), end);
    rest_.remove_prefix(taken.size());
    return taken;
  }
  /// Reads a name and returns it. Returns an empty string if there is none.
  std::string_view name() {
    if (rest_.empty() || !starts_name(rest_.front())) return {};
    return take_while(is_in_name);
  }
  /// Reads a string and returns what is between its quotes. Returns nullopt if there is none, and
  /// for a string with `\(`, because that contains a program.
  std::optional<std::string_view> string() {
    if (!at('"')) return std::nullopt;
    std::size_t end = 1;
    while (end < rest_.size() && rest_[end] != '"') {
      if (rest_[end] == '\\' && rest_.substr(end + 1).starts_with('(')) return std::nullopt;
      end += rest_[end] == '\\' ? 2 : 1;
    }
    if (end >= rest_.size()) return std::nullopt;
    const std::string_view found = rest_.substr(1, end - 1);
    rest_.remove_prefix(end + 1);
    return found;
  }

 private:
  std::string_view rest_;
};

}  // namespace kinf
