// SPDX-License-Identifier: Apache-2.0
// JsonReader: the members of an object or the elements of a list as pieces of their own text, read
// one after another without looking into them. Nothing is converted.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace kinf {

/// Threads: one owner. The text must outlive this object and the views that it returns.
class JsonReader {
 public:
  /// `text` is an object or a list; text around it is an error.
  explicit JsonReader(std::string_view text);

  struct Piece {
    std::string_view key;  ///< of a member, with its quotes
    std::string_view value;
  };

  /// Moves to the next piece. Returns false at the end, and if the text is damaged.
  bool next(Piece& piece);
  /// Compares the bytes of the next piece with `piece_text`, the last_text() of another reader, and
  /// passes over the piece if they are equal. Otherwise reads nothing and returns false.
  bool skip_same(std::string_view piece_text);
  /// Returns the bytes of the last piece, from key to value.
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

/// Returns the text without blanks around it.
std::string_view trim_json(std::string_view text);

/// Returns the text of a JSON string without its quotes and escapes; nullopt if `quoted` is not a
/// JSON string.
std::optional<std::string> json_string(std::string_view quoted);

}  // namespace kinf
