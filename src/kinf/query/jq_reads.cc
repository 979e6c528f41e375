// SPDX-License-Identifier: Apache-2.0
// Reads programs with the tokens of jq's own lexer. Adding a path that is not read is harmless, so
// a suffix such as `.image` of `.spec.containers[].image` is simply added as a path of the input.
#include "kinf/query/jq_reads.h"

#include <algorithm>
#include <array>
#include <utility>

#include "kinf/base/ascii.h"

namespace kinf {
namespace {

constexpr int kReadNesting = 32;

bool starts_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_in_name(char c) { return starts_name(c) || is_digit(c); }

}  // namespace

/// Reads one program. Each function returns false if it does not understand the program.
class JqReads::Scanner {
 public:
  Scanner(std::string_view program, JqReads& reads) : rest_(program), reads_(reads) {}

  bool program() { return group(true, '\0') && rest_.empty(); }

 private:
  /// Reads up to `close` ('\0' means the end of the program). `of_input` is true if `.` is the
  /// input of the program, as before the first pipe.
  bool group(bool of_input, char close) {
    if (++nesting_ > kReadNesting) return false;
    const bool was_input = of_input;
    after_value_ = false;
    for (;;) {
      skip_blanks();
      if (rest_.empty()) break;
      if (at(close)) break;
      // After `:` or `;`, `.` can be the input of the program again, so give up.
      if (was_input && (at(':') || at(';'))) return false;
      if (!token(of_input)) return false;
    }
    --nesting_;
    after_value_ = true;
    return close == '\0' ? rest_.empty() : take(close);
  }
  bool token(bool& of_input) {
    const char c = rest_.front();
    const bool is_suffix = std::exchange(after_value_, true);
    if (c == '"') return text();
    if (c == '$') return variable(of_input);
    if (c == '#') return false;
    if (take('(')) return group(of_input, ')');
    if (take('[')) return group(of_input, ']');
    if (take('{')) return !of_input && group(false, '}');
    if (is_digit(c)) return number();
    if (starts_name(c)) {
      const std::string_view word = name();
      if (word == "and" || word == "or") after_value_ = false;
      return !of_input || call(word);
    }
    if (take('|')) {
      if (of_input && at('=')) return false;
      of_input = false;
      return true;
    }
    if (!of_input) {
      rest_.remove_prefix(1);
      return c != ')' && c != ']' && c != '}';
    }
    if (c == '.') return path(is_suffix);
    after_value_ = c == '?';
    for (const std::string_view comparison : {"==", "!=", "<=", ">="}) {
      if (!rest_.starts_with(comparison)) continue;
      rest_.remove_prefix(comparison.size());
      return !at('=');
    }
    constexpr std::string_view kOperators = "<>+-*/%,?";
    if (!kOperators.contains(c)) return false;
    rest_.remove_prefix(1);
    return !at('=');  // an assignment returns the whole input
  }
  /// Reads the rest of a filter whose first word is `word`, such as `any` or `not`.
  bool call(std::string_view word) {
    if (word == "any" || word == "all") {
      skip_blanks();
      return take('(') && group(true, ';') && group(false, ')');
    }
    constexpr std::array<std::string_view, 7> kWords = {"and",  "or",    "not",  "true",
                                                        "null", "false", "empty"};
    return std::ranges::find(kWords, word) != kWords.end();
  }
  /// Reads a string. Returns false for a string with `\(`, because that contains a program.
  bool text() {
    std::size_t end = 1;
    while (end < rest_.size() && rest_[end] != '"') {
      if (rest_[end] == '\\' && rest_.substr(end + 1).starts_with('(')) return false;
      end += rest_[end] == '\\' ? 2 : 1;
    }
    if (end >= rest_.size()) return false;
    rest_.remove_prefix(end + 1);
    return true;
  }
  /// Reads a path such as `.a`, `.a.b` or `.a.b."c"`, and adds its first two names; names in quotes
  /// are skipped. `is_suffix` is true if the path follows a value, like `.name` in `.spec[].name`.
  bool path(bool is_suffix) {
    rest_.remove_prefix(1);
    const std::string_view first = name();
    if (first.empty()) return false;
    std::string_view second;
    if (rest_.size() > 1 && at('.') && starts_name(rest_[1])) {
      rest_.remove_prefix(1);
      second = name();
    }
    reads_.add(first, second);
    const bool is_in_metadata = first == "metadata" || first == "kind" || first == "apiVersion";
    if (!is_suffix && !is_in_metadata) reads_.beyond_metadata_ = true;
    while (rest_.size() > 1 && at('.') && (starts_name(rest_[1]) || rest_[1] == '"')) {
      rest_.remove_prefix(1);
      if (at('"') ? !text() : name().empty()) return false;
    }
    return true;
  }
  /// Reads a variable. Returns false for `$old` after a pipe, because `$old` may be the target of
  /// an assignment there, and jq's error message for that can contain the value of `$old`.
  bool variable(bool of_input) {
    rest_.remove_prefix(1);
    const std::string_view variable = name();
    if (variable != "old") return !variable.empty();
    if (!of_input) return false;
    return at('.') ? path(false) : is_compared_with_null();
  }
  /// Reads `== null` or `!= null`, which needs no member of `$old`.
  bool is_compared_with_null() {
    skip_blanks();
    if (!rest_.starts_with("==") && !rest_.starts_with("!=")) return false;
    rest_.remove_prefix(2);
    skip_blanks();
    if (name() != "null") return false;
    skip_blanks();
    // Any other operator after `null` would bind tighter than the comparison.
    constexpr std::string_view kEnds = "|,;)]}";
    return rest_.empty() || kEnds.contains(rest_.front()) || rest_.starts_with("and") ||
           rest_.starts_with("or");
  }
  /// Reads a name and returns it. Returns an empty string if there is none.
  std::string_view name() {
    if (rest_.empty() || !starts_name(rest_.front())) return {};
    const auto end = std::ranges::find_if_not(rest_, is_in_name);
    const std::string_view name(rest_.begin(), end);
    rest_.remove_prefix(name.size());
    return name;
  }
  /// Reads a number. Its decimal point must not be read as the start of a path.
  bool number() {
    const auto end =
        std::ranges::find_if_not(rest_, [](char c) { return is_digit(c) || c == '.'; });
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.begin()));
    if (take('e') || take('E')) take('-') || take('+');
    return true;
  }
  void skip_blanks() {
    constexpr std::string_view kBlanks = " \t\n\r";
    rest_.remove_prefix(std::min(rest_.find_first_not_of(kBlanks), rest_.size()));
  }
  bool at(char c) const { return !rest_.empty() && rest_.front() == c; }
  bool take(char c) {
    if (!at(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  std::string_view rest_;
  JqReads& reads_;
  int nesting_ = 0;
  bool after_value_ = false;  ///< if true, a path here is a suffix, like `.name` of `.spec[].name`
};

JqReads JqReads::of(std::string_view program) {
  JqReads reads;
  reads.everything_ = false;
  if (!Scanner(program, reads).program()) return {};
  return reads;
}

void JqReads::add(std::string_view name, std::string_view inner) {
  const auto found = members_.find(name);
  if (found == members_.end()) {
    Names& names = members_[std::string(name)];
    if (!inner.empty()) names.emplace(inner);
  } else if (inner.empty()) {
    found->second.clear();
  } else if (!found->second.empty()) {
    found->second.emplace(inner);
  }
}

const JqReads::Names* JqReads::find(std::string_view name) const {
  const auto found = members_.find(name);
  return found == members_.end() ? nullptr : &found->second;
}

bool JqReads::only(std::string_view name) const {
  return !everything_ &&
         std::ranges::all_of(members_, [&](const auto& member) { return member.first == name; });
}

bool JqReads::only_below(std::span<const std::string_view> outer, std::string_view inner) const {
  return !everything_ && std::ranges::all_of(outer, [&](std::string_view name) {
    const Names* const names = find(name);
    return names == nullptr || (names->size() == 1 && names->contains(inner));
  });
}

void JqReads::merge(const JqReads& other) {
  everything_ = everything_ || other.everything_;
  beyond_metadata_ = beyond_metadata_ || other.beyond_metadata_;
  for (const auto& [name, names] : other.members_) {
    if (names.empty()) add(name, {});
    for (const std::string& inner : names) add(name, inner);
  }
}

}  // namespace kinf
