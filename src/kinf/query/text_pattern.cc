// SPDX-License-Identifier: Apache-2.0
#include "kinf/query/text_pattern.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <regex>
#include <vector>

#include "kinf/base/ascii.h"
#include "kinf/base/limits.h"

namespace kinf {
namespace {

/// Counts the states of the automaton that libstdc++ builds for a pattern, or a few more: libstdc++
/// copies a part with `{N}` N times. Stops counting above limits::kPatternStates.
class StateCounter {
 public:
  explicit StateCounter(std::string_view pattern) : rest_(pattern) {}

  std::size_t count() {
    while (!rest_.empty() && sum_ <= limits::kPatternStates) {
      const char c = rest_.front();
      rest_.remove_prefix(1);
      step(c);
    }
    for (const std::size_t outer : outer_) sum_ += outer;
    return sum_;
  }

 private:
  void step(char c) {
    switch (c) {
      case '(': outer_.push_back(std::exchange(sum_, 0)); break;
      case ')':
        if (outer_.empty()) break;
        last_ = sum_ + 2;
        sum_ = outer_.back() + last_;
        outer_.pop_back();
        break;
      case '{': repeat(); break;
      case '*':
      case '+':
      case '?':
      case '|':
        sum_ += 2;
        last_ += 2;
        break;
      case '\\':
        rest_.remove_prefix(std::min<std::size_t>(1, rest_.size()));
        add_one();
        break;
      default: add_one();
    }
  }
  void add_one() {
    last_ = 1;
    ++sum_;
  }
  /// Reads `2}`, `2,}` or `2,5}`.
  void repeat() {
    const std::string_view bounds = rest_.substr(0, rest_.find('}'));
    rest_.remove_prefix(std::min(bounds.size() + 1, rest_.size()));
    std::size_t most = 0;
    for (std::size_t at = 0; at < bounds.size();
         at = std::min(bounds.find(',', at), bounds.size()) + 1) {
      std::size_t bound = 0;
      const auto [end, error] =
          std::from_chars(bounds.data() + at, bounds.data() + bounds.size(), bound);
      most = std::max(most, error == std::errc() ? bound : limits::kPatternStates + 1);
    }
    const std::size_t before = last_;
    const std::size_t copy = last_ + (bounds.find(',') == std::string_view::npos ? 0 : 2);
    last_ = std::min(limits::kPatternStates + 1,
                     copy * std::clamp<std::size_t>(most, 1, limits::kPatternStates + 1));
    sum_ += last_ - std::min(before, last_);
  }

  std::string_view rest_;
  std::vector<std::size_t> outer_;  ///< `sum_` of each group around the current one
  std::size_t sum_ = 0;             ///< the number of states of the current group so far
  std::size_t last_ = 0;            ///< the number of states that a repetition here would copy
};

std::unexpected<Error> refused(std::string_view text, std::string_view why) {
  return fail(ErrorKind::usage, "invalid regular expression {}{}", text, why);
}

}  // namespace

struct TextPattern::Expression {
  std::regex regex;
  std::size_t states;
};

Result<TextPattern> TextPattern::parse(std::string_view text, bool ignore_case) {
  if (text.size() > limits::kPatternBytes) {
    return refused(text.substr(0, 20),
                   fmt::format("…: longer than {} bytes", limits::kPatternBytes));
  }
  const std::size_t states = StateCounter(text).count();
  if (states > limits::kPatternStates) return refused(text, ": it repeats too much");
  auto flags = std::regex::ECMAScript | std::regex::nosubs;
#if defined(__GLIBCXX__)
  // Without this flag, libstdc++ recurses for each character of the text. libc++ never does.
  flags |= std::regex_constants::__polynomial;
#endif
  if (ignore_case) flags |= std::regex::icase;
  try {
    // Check the pattern alone, because `)(` is invalid, but `(?:)()` below would be valid.
    const std::regex checked(text.begin(), text.end(), flags);
    TextPattern pattern;
    pattern.expression_ = std::make_shared<const Expression>(
        Expression{std::regex(fmt::format("[^]*(?:{})[^]*", text), flags), states});
    return pattern;
  } catch (const std::regex_error&) {
    return refused(text, "");
  }
}

/// Matches the whole text in one pass, because regex_search() would start again at each character.
Result<bool> TextPattern::is_in(std::string_view text) const {
  const auto too_long = [&] {
    return fail(ErrorKind::protocol, "a text of {} bytes is too long for this regular expression",
                text.size());
  };
  if (text.size() > limits::kPatternSteps / (expression_->states + 1)) return too_long();
  try {
    return std::regex_match(text.begin(), text.end(), expression_->regex);
  } catch (const std::regex_error&) {  // libc++ gives up after too many steps
    return too_long();
  }
}

namespace jsonpath {

namespace {

/// Reads a filter byte by byte and tracks whether the position is outside of quotes and brackets.
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

}  // namespace jsonpath

}  // namespace kinf
