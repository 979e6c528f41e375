// SPDX-License-Identifier: Apache-2.0
// JsonReader: reads the members of a JSON object or the elements of a list one after another.
// Returns each as a piece of the text, and does not parse or convert what is inside.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace kinf {

/// Threads: one owner. The text must outlive this object and the views that it returns.
class JsonReader {
 public:
  /// `text` must be an object or a list, without white space around it.
  explicit JsonReader(std::string_view text);

  struct Piece {
    std::string_view key;  ///< a member's name with its quotes; empty for elements of a list
    std::string_view value;
  };

  /// Moves to the next piece. Returns false at the end, and if the text is invalid.
  bool next(Piece& piece);
  /// Skips the next piece and returns true if its bytes are equal to `piece_text`, the last_text()
  /// of another reader. Otherwise reads nothing and returns false.
  bool skip_same(std::string_view piece_text);
  /// Returns the bytes of the piece that was read or skipped last, from key to value.
  std::string_view last_text() const;

  bool is_object() const { return is_object_; }
  bool is_damaged() const { return damaged_; }
  /// Returns whether next() has reached the end of the text without an error.
  bool is_at_end() const { return closed_ && !damaged_; }

 private:
  bool fail();
  bool begin_piece();
  const char* value_end(const char* at) const;
  void skip_blanks();

  const char* at_;
  const char* end_;
  const char* piece_begin_ = nullptr;
  bool is_object_ = false;
  bool first_ = true;
  bool closed_ = false;
  bool damaged_ = false;
};

/// Returns the text without the JSON white space at its start and end.
std::string_view trim_json(std::string_view text);

/// Returns the text of a JSON string without its quotes and escapes; nullopt if `quoted` is not a
/// JSON string.
std::optional<std::string> json_string(std::string_view quoted);

}  // namespace kinf
