// SPDX-License-Identifier: Apache-2.0
// JsonSplitter: parses the upper levels of a stream of JSON as its bytes arrive, and returns whole
// values. Used by the list and watch decoders. Checks the grammar only of the levels that it
// enters; of the values that it returns, only that their brackets are balanced.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "kinf/api/json_scan.h"
#include "kinf/base/error.h"

namespace kinf {

/// Accepts several values, with or without white space between them. A value that lies within the
/// bytes of one feed() is returned as a view of them. Only a value that is cut between two is
/// copied.
/// Threads: one owner.
class JsonSplitter {
 public:
  static constexpr std::size_t kMaxBytes = std::size_t{64} << 20;

  enum class Found {
    nothing,  ///< feed more bytes
    object,   ///< an object was entered
    array,    ///< an array was entered
    key,      ///< text() is a member's name, without quotes, with its escapes
    value,    ///< text() is one whole value
    end,      ///< the object or array that was entered last ended
  };

  /// `max_bytes` limits one value, or everything since hold().
  explicit JsonSplitter(std::size_t max_bytes = kMaxBytes) : max_bytes_(max_bytes) {}

  /// Takes the next bytes, after next() has returned `nothing` for those before. They must stay
  /// valid until it does so again.
  void feed(std::string_view bytes);

  /// Returns what comes next. If `enter`, an object or array that begins here is entered instead of
  /// being returned whole. Errors: protocol, for text that is not JSON, for more than kMaxEntered
  /// levels, and for more than `max_bytes`; every later call returns the same.
  Result<Found> next(bool enter = false);
  static constexpr std::size_t kMaxEntered = 8;

  /// A part of the stream: offsets from its first byte.
  struct Extent {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
  };
  /// Where the key or value found last lies.
  Extent extent() const { return {begin_, end_}; }

  /// The text of the key or value found last. Valid until the next call of next().
  std::string_view text() { return text(extent()); }
  /// The bytes of an extent that was found since hold(); empty for an empty one.
  std::string_view text(Extent extent);
  /// Keeps all bytes from the start of what was found last, until release().
  void hold() { held_ = begin_; }
  void release() { held_ = kNone; }

  /// The number of levels entered and not ended.
  std::size_t depth() const { return depth_; }
  /// Whether no value has begun that is not complete.
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
  std::string_view chunk_;          ///< the bytes of the last feed(), until they are used up
  std::uint64_t chunk_origin_ = 0;  ///< stream offset of its first byte
  std::string carry_;               ///< a copy of the earlier bytes that are still needed
  std::uint64_t carry_origin_ = 0;
  std::uint64_t position_ = 0;  ///< first byte not looked at
  std::uint64_t received_ = 0;  ///< end of the bytes fed
  std::uint64_t begin_ = 0;     ///< of what was found last, or of the incomplete token
  std::uint64_t end_ = 0;
  std::uint64_t held_ = kNone;
  std::array<Level, kMaxEntered + 1> levels_{};
  std::size_t depth_ = 0;
  Token token_ = Token::none;  ///< begun and not complete
  JsonScan scan_;
  std::unique_ptr<Error> error_;
};

}  // namespace kinf
