// SPDX-License-Identifier: Apache-2.0
// JsonSplitter: walks the upper levels of a stream of JSON while its bytes come in, and hands out
// whole values. For the list and watch decoders; it checks the grammar only of the levels it is
// told to enter, and of the values it hands out only that their brackets are balanced.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "kinf/api/json_scan.h"
#include "kinf/base/error.h"

namespace kinf {

/// Values may follow each other with any whitespace or none between them. A value that lies whole
/// in the bytes fed is handed out as a view of them; only what a cut runs through is copied.
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

  /// Takes the next bytes, once all before them were used up. They must stay until next() says
  /// `nothing`.
  void feed(std::string_view bytes);

  /// Goes on to the next find. `enter`: an object or array that begins here is entered instead of
  /// being handed out whole. A protocol error for what is no JSON, for more than kMaxEntered
  /// levels, and for more than max_bytes; every later call repeats it.
  Result<Found> next(bool enter = false);
  static constexpr std::size_t kMaxEntered = 8;

  /// Where something lies in the stream: offsets from its very first byte.
  struct Extent {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
  };
  Extent extent() const { return {begin_, end_}; }

  /// Of a key or a value. Valid until the next call of next().
  std::string_view text() { return text(extent()); }
  /// The bytes of an extent found since hold(); empty for an empty one.
  std::string_view text(Extent extent);
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
  void carry_from(std::uint64_t offset);
  void carry_until(std::uint64_t offset);

  Expect& expect() { return levels_[depth_].expect; }
  const char* at(std::uint64_t offset) const { return chunk_.data() + (offset - chunk_origin_); }

  const std::size_t max_bytes_;
  std::string_view chunk_;          ///< the bytes fed last, until they are used up
  std::uint64_t chunk_origin_ = 0;  ///< stream offset of its first byte
  std::string carry_;               ///< a copy of what is needed of the bytes before, and on
  std::uint64_t carry_origin_ = 0;
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
