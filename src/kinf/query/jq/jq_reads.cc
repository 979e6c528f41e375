// SPDX-License-Identifier: Apache-2.0
// Reads programs with the tokens of jq's own lexer. Adding a path that is not read is harmless, so
// a suffix such as `.image` of `.spec.containers[].image` is simply added as a path of the input.
#include "kinf/query/jq/jq_reads.h"

#include <algorithm>
#include <array>
#include <utility>

#include "kinf/base/ascii.h"
#include "kinf/query/jq/jq_text.h"

namespace kinf {
namespace {

constexpr int kReadNesting = 32;

}  // namespace

/// Reads one program. Each function returns false if it does not understand the program.
class JqReads::Scanner {
 public:
  Scanner(std::string_view program, JqReads& reads) : text_(program), reads_(reads) {}

  bool program() { return group(true, '\0') && text_.empty(); }

 private:
  /// Reads up to `close` ('\0' means the end of the program). `of_input` is true if `.` is the
  /// input of the program, as before the first pipe.
  bool group(bool of_input, char close) {
    if (++nesting_ > kReadNesting) return false;
    const bool was_input = of_input;
    after_value_ = false;
    for (;;) {
      text_.skip_blanks();
      if (text_.empty()) break;
      if (text_.at(close)) break;
      // After `:` or `;`, `.` can be the input of the program again, so give up.
      if (was_input && (text_.at(':') || text_.at(';'))) return false;
      if (!token(of_input)) return false;
    }
    --nesting_;
    after_value_ = true;
    return close == '\0' ? text_.empty() : text_.take(close);
  }
  bool token(bool& of_input) {
    const char c = text_.front();
    const bool is_suffix = std::exchange(after_value_, true);
    if (c == '"') return text_.string().has_value();
    if (c == '$') return variable(of_input);
    if (c == '#') return false;
    if (text_.take('(')) return group(of_input, ')');
    if (text_.take('[')) return group(of_input, ']');
    if (text_.take('{')) return !of_input && group(false, '}');
    if (is_digit(c)) return number();
    if (JqText::starts_name(c)) {
      const std::string_view word = text_.name();
      if (word == "and" || word == "or") after_value_ = false;
      return !of_input || call(word);
    }
    if (text_.take('|')) {
      if (of_input && text_.at('=')) return false;
      of_input = false;
      return true;
    }
    if (!of_input) {
      text_.skip(1);
      return c != ')' && c != ']' && c != '}';
    }
    if (c == '.') return path(is_suffix ? Root::value : Root::input);
    after_value_ = c == '?';
    for (const std::string_view comparison : {"==", "!=", "<=", ">="}) {
      if (!text_.at(comparison)) continue;
      text_.skip(comparison.size());
      return !text_.at('=');
    }
    constexpr std::string_view kOperators = "<>+-*/%,?";
    if (!kOperators.contains(c)) return false;
    text_.skip(1);
    return !text_.at('=');  // an assignment returns the whole input
  }
  /// Reads the rest of a filter whose first word is `word`, such as `any` or `not`.
  bool call(std::string_view word) {
    if (word == "any" || word == "all") {
      text_.skip_blanks();
      return text_.take('(') && group(true, ';') && group(false, ')');
    }
    constexpr std::array<std::string_view, 7> kWords = {"and",  "or",    "not",  "true",
                                                        "null", "false", "empty"};
    return std::ranges::find(kWords, word) != kWords.end();
  }
  /// What a path begins at: the input, `$old`, or a value before it, like `.name` in
  /// `.spec[].name`.
  enum class Root { input, old, value };

  /// Reads a path such as `.a`, `.a.b` or `.a.b."c"`, and adds its first two names; names in quotes
  /// are skipped.
  bool path(Root root) {
    Path names;
    do {
      text_.skip(1);
      names.emplace_back(text_.name());
    } while (text_.at('.') && JqText::starts_name(text_.second()));
    const std::string& first = names.front();
    if (first.empty()) return false;
    reads_.add(first, names.size() > 1 ? std::string_view(names[1]) : std::string_view());
    const bool is_in_metadata = first == "metadata" || first == "kind" || first == "apiVersion";
    if (root != Root::value && !is_in_metadata) reads_.beyond_metadata_ = true;
    if (root == Root::input) reads_.paths_.push_back(std::move(names));
    while (text_.at('.') && (JqText::starts_name(text_.second()) || text_.second() == '"')) {
      text_.skip(1);
      if (text_.at('"') ? !text_.string().has_value() : text_.name().empty()) return false;
    }
    return true;
  }
  /// Reads a variable. Returns false for `$old` after a pipe, because `$old` may be the target of
  /// an assignment there, and jq's error message for that can contain the value of `$old`.
  bool variable(bool of_input) {
    text_.skip(1);
    const std::string_view variable = text_.name();
    if (variable != "old") return !variable.empty();
    if (!of_input) return false;
    return text_.at('.') ? path(Root::old) : is_compared_with_null();
  }
  /// Reads `== null` or `!= null`, which needs no member of `$old`.
  bool is_compared_with_null() {
    text_.skip_blanks();
    if (!text_.at("==") && !text_.at("!=")) return false;
    text_.skip(2);
    text_.skip_blanks();
    if (text_.name() != "null") return false;
    text_.skip_blanks();
    // Any other operator after `null` would bind tighter than the comparison.
    constexpr std::string_view kEnds = "|,;)]}";
    return text_.empty() || kEnds.contains(text_.front()) || text_.at("and") || text_.at("or");
  }
  /// Reads a number. Its decimal point must not be read as the start of a path.
  bool number() {
    text_.take_while([](char c) { return is_digit(c) || c == '.'; });
    if (text_.take('e') || text_.take('E')) text_.take('-') || text_.take('+');
    return true;
  }
  JqText text_;
  JqReads& reads_;
  int nesting_ = 0;
  bool after_value_ = false;  ///< if true, a path here is a suffix, like `.name` of `.spec[].name`
};

JqReads JqReads::of(std::string_view program) {
  JqReads reads;
  reads.everything_ = false;
  if (Scanner(program, reads).program()) return reads;
  JqReads all;
  all.paths_ = std::move(reads.paths_);
  return all;
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
  paths_.insert(paths_.end(), other.paths_.begin(), other.paths_.end());
  for (const auto& [name, names] : other.members_) {
    if (names.empty()) add(name, {});
    for (const std::string& inner : names) add(name, inner);
  }
}

}  // namespace kinf
