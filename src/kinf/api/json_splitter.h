// SPDX-License-Identifier: Apache-2.0
// JsonSplitter: walks the upper levels of a stream of JSON while its bytes come in, and hands out
// whole values. For the list and watch decoders; it checks the grammar only of the levels it is
// told to enter, and of the values it hands out only that their brackets are balanced.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>

#include "kinf/api/json_scan.h"
#include "kinf/base/error.h"

namespace kinf {

/// Values may follow each other with any whitespace or none between them.
/// Threads: one owner.
class JsonSplitter {
 public:
  static constexpr std::size_t kMaxBytes = std::size_t{64} << 20;

  enum class Found {
    nothing,  ///< feed more bytes
    object,   ///< an object was entered
    array,    ///< an array was entered
    key,      ///< text() is a member's name, without quotes, escapes as they stand
    value,    ///< text() is one whole value
    end,      ///< the object or array that was entered last ended
  };

  /// `max_bytes` limits what has to be kept: one value, or all since hold().
  explicit JsonSplitter(std::size_t max_bytes = kMaxBytes) : max_bytes_(max_bytes) {}

  /// Takes the next bytes; they are copied. Views handed out before become invalid.
  void feed(std::string_view bytes);

  /// Goes on to the next find. `enter`: an object or array that begins here is entered instead of
  /// being handed out whole. A protocol error for what is no JSON, for more than kMaxEntered
  /// levels, and for more than max_bytes; every later call repeats it.
  Result<Found> next(bool enter = false);
  static constexpr std::size_t kMaxEntered = 8;

  /// Of a key or a value. Object::kPadding bytes may be read behind it.
  std::string_view text() const { return text(begin_, end_); }

  /// Where the last find lies in the stream: offsets from its very first byte.
  std::uint64_t begin() const { return begin_; }
  std::uint64_t end() const { return end_; }
  /// The bytes between two offsets, neither of them before the last hold().
  std::string_view text(std::uint64_t from, std::uint64_t to) const {
    return {buffer_.get() + (from - origin_), static_cast<std::size_t>(to - from)};
  }
  /// Keeps all bytes from the beginning of the last find on, until release().
  void hold() { held_ = begin_; }
  void release() { held_ = kNone; }

  /// Levels entered and not ended.
  std::size_t depth() const { return depth_; }
  /// True between values: nothing begun that waits for its end, nothing unread but whitespace.
  bool between_values() const;

 private:
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};
  enum class Expect : unsigned char { value, value_or_end, key, key_or_end, colon, comma_or_end };
  enum class Token : unsigned char { none, key, scanned, literal };
  struct Level {
    bool object = false;
    Expect expect = Expect::value;
  };

  Result<Found> find(bool enter);
  Result<Found> begin_token(char first, bool enter);
  Result<Found> begin_value(char first, bool enter);
  Result<Found> enter_level(bool object);
  Result<Found> finish_token();
  const char* token_end();
  Found close_level();
  void value_done();
  bool skip_whitespace();
  Result<Found> wait_for_more();
  Result<Found> too_large();
  Result<Found> refuse(std::string_view expected);
  std::unexpected<Error> broken(std::string message);
  void make_room(std::size_t size);

  Expect& expect() { return levels_[depth_].expect; }
  char* at(std::uint64_t offset) { return buffer_.get() + (offset - origin_); }

  const std::size_t max_bytes_;
  std::unique_ptr<char[]> buffer_;
  std::size_t capacity_ = 0;    ///< without the padding
  std::uint64_t origin_ = 0;    ///< stream offset of the buffer's first byte
  std::uint64_t position_ = 0;  ///< first byte not looked at
  std::uint64_t received_ = 0;  ///< end of the bytes fed
  std::uint64_t begin_ = 0;     ///< of the last find, or of the token that is not whole yet
  std::uint64_t end_ = 0;
  std::uint64_t held_ = kNone;
  std::array<Level, kMaxEntered + 1> levels_{};
  std::size_t depth_ = 0;
  Token token_ = Token::none;  ///< begun, and its end not seen yet
  JsonScan scan_;
  std::unique_ptr<Error> error_;
};

}  // namespace kinf
