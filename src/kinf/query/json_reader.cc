// SPDX-License-Identifier: Apache-2.0
#include "kinf/query/json_reader.h"

#include <cstring>

#include "kinf/api/json_scan.h"
#include "kinf/base/json_string.h"

namespace kinf {
std::string_view trim_json(std::string_view text) {
  while (!text.empty() && is_json_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_json_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::optional<std::string> json_string(std::string_view quoted) {
  if (quoted.size() < 2 || quoted.front() != '"' || quoted.back() != '"') return std::nullopt;
  return json_unquoted(quoted);
}

JsonReader::JsonReader(std::string_view text) : at_(text.data()), end_(text.data() + text.size()) {
  if (text.size() < 2 || (text.front() != '{' && text.front() != '[')) {
    damaged_ = true;
    return;
  }
  is_object_ = text.front() == '{';
  ++at_;
}

bool JsonReader::fail() {
  damaged_ = true;
  return false;
}

void JsonReader::skip_blanks() {
  while (at_ != end_ && is_json_blank(*at_)) ++at_;
}

/// Moves to the first byte of the next piece. Returns false at the end of the object or list.
bool JsonReader::begin_piece() {
  if (damaged_ || closed_) return false;
  skip_blanks();
  if (at_ == end_) return fail();
  const bool closes = *at_ == (is_object_ ? '}' : ']');
  if (closes) {
    ++at_;
    closed_ = true;
    return at_ == end_ ? false : fail();
  }
  if (!first_) {
    if (*at_ != ',') return fail();
    ++at_;
    skip_blanks();
  }
  return at_ != end_ || fail();
}

bool JsonReader::next(Piece& piece) {
  if (!begin_piece()) return false;
  first_ = false;
  piece_begin_ = at_;
  piece.key = {};
  if (is_object_) {
    if (*at_ != '"') return fail();
    const char* const key_end = value_end(at_);
    if (key_end == nullptr) return fail();
    piece.key = {at_, static_cast<std::size_t>(key_end - at_)};
    at_ = key_end;
    skip_blanks();
    if (at_ == end_ || *at_ != ':') return fail();
    ++at_;
    skip_blanks();
  }
  const char* const behind = at_ == end_ ? nullptr : value_end(at_);
  if (behind == nullptr) return fail();
  piece.value = {at_, static_cast<std::size_t>(behind - at_)};
  at_ = behind;
  return true;
}

std::string_view JsonReader::last_text() const {
  return {piece_begin_, static_cast<std::size_t>(at_ - piece_begin_)};
}

bool JsonReader::skip_same(std::string_view piece_text) {
  const JsonReader before = *this;
  if (begin_piece() && static_cast<std::size_t>(end_ - at_) > piece_text.size() &&
      std::memcmp(at_, piece_text.data(), piece_text.size()) == 0 &&
      // A number must not match the start of a longer one, such as `1` and `12`.
      (!is_scalar_byte(at_[piece_text.size()]) || !is_scalar_byte(piece_text.back()))) {
    first_ = false;
    piece_begin_ = at_;
    at_ += piece_text.size();
    return true;
  }
  *this = before;
  return false;
}

/// Returns the byte after the value that begins at `at`; null if the value is incomplete.
const char* JsonReader::value_end(const char* at) const {
  if (*at == '"' || *at == '{' || *at == '[') {
    return end_of_value(at, end_);
  }
  const char* const begin = at;
  while (at != end_ && is_scalar_byte(*at)) ++at;
  return at == begin ? nullptr : at;
}

}  // namespace kinf
