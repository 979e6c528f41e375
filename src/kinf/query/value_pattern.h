// SPDX-License-Identifier: Apache-2.0
// ValuePattern: one or more texts or globs that select values.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kinf {

/// One or more texts or globs that select values. Examples: `a`, `a,b` (either), `web-*`, `node-?`.
/// A backslash escapes the next character. `?` matches one byte. Threads: immutable.
class ValuePattern {
 public:
  explicit ValuePattern(std::string_view text);

  /// Returns the pattern as the user wrote it.
  const std::string& text() const { return text_; }
  /// Returns the parts between the commas, as the user wrote them.
  std::vector<std::string> parts() const;
  /// Returns whether the complete value matches one of the parts.
  bool matches(std::string_view value) const;
  /// Returns the parts as plain values without escapes; nullopt if a part is a glob.
  std::optional<std::vector<std::string>> literals() const;

  friend bool operator==(const ValuePattern& a, const ValuePattern& b) {
    return a.text_ == b.text_;
  }

 private:
  struct Piece {
    enum class Kind { character, any_one, any_run };
    Kind kind = Kind::character;
    char character = 0;
  };
  using Part = std::vector<Piece>;

  static bool matches(const Part& part, std::string_view value);

  std::string text_;
  std::vector<Part> parts_;  ///< never empty
};

}  // namespace kinf
