// SPDX-License-Identifier: Apache-2.0
// ValuePattern: what a value is compared with: a text, a glob, or several of either.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kinf {

/// `a`, `a,b` (any of), `web-*`, `node-?`; a backslash takes the meaning from the character behind
/// it. Threads: immutable.
class ValuePattern {
 public:
  explicit ValuePattern(std::string_view text);

  /// As it was given.
  const std::string& text() const { return text_; }
  /// The parts between the commas, as they were given.
  std::vector<std::string> parts() const;
  bool matches(std::string_view value) const;
  /// The values that match if they can be told without looking: no part is a glob.
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
