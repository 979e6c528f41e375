// SPDX-License-Identifier: Apache-2.0
#include "kinf/query/value_pattern.h"

#include <algorithm>

namespace kinf {

ValuePattern::ValuePattern(std::string_view text) : text_(text), parts_(1) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == ',') {
      parts_.emplace_back();
    } else if (c == '*') {
      parts_.back().push_back({Piece::Kind::any_run, 0});
    } else if (c == '?') {
      parts_.back().push_back({Piece::Kind::any_one, 0});
    } else {
      if (c == '\\' && i + 1 < text.size()) ++i;
      parts_.back().push_back({Piece::Kind::character, text[i]});
    }
  }
}

std::vector<std::string> ValuePattern::parts() const {
  std::vector<std::string> parts(1);
  for (std::size_t i = 0; i < text_.size(); ++i) {
    if (text_[i] == ',') {
      parts.emplace_back();
      continue;
    }
    parts.back() += text_[i];
    if (text_[i] == '\\' && i + 1 < text_.size()) parts.back() += text_[++i];
  }
  return parts;
}

bool ValuePattern::matches(std::string_view value) const {
  return std::ranges::any_of(parts_, [&](const Part& part) { return matches(part, value); });
}

// If the text after a `*` does not match, extends the match of the last `*` by one byte. The time
// is at most proportional to the length of the part times the length of the value.
bool ValuePattern::matches(const Part& part, std::string_view value) {
  std::size_t at = 0;
  std::size_t run = part.size();  ///< index of the last `*` so far; `part.size()` if none
  std::size_t run_end = 0;
  std::size_t i = 0;
  while (i < value.size()) {
    if (at < part.size() && part[at].kind == Piece::Kind::any_run) {
      run = at++;
      run_end = i;
    } else if (at < part.size() &&
               (part[at].kind == Piece::Kind::any_one || part[at].character == value[i])) {
      ++at;
      ++i;
    } else if (run < part.size()) {
      at = run + 1;
      i = ++run_end;
    } else {
      return false;
    }
  }
  while (at < part.size() && part[at].kind == Piece::Kind::any_run) ++at;
  return at == part.size();
}

std::optional<std::vector<std::string>> ValuePattern::literals() const {
  std::vector<std::string> values;
  for (const Part& part : parts_) {
    std::string& value = values.emplace_back();
    for (const Piece& piece : part) {
      if (piece.kind != Piece::Kind::character) return std::nullopt;
      value += piece.character;
    }
  }
  return values;
}

}  // namespace kinf
