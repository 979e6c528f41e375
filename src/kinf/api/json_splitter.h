// SPDX-License-Identifier: Apache-2.0
// JsonSplitter: parses the upper levels of a JSON stream as its bytes arrive, and returns complete
// values. Used by the list and watch decoders. Checks the full grammar only on the levels that it
// enters. In the values that it returns, it only checks that brackets are balanced.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "kinf/api/json_scan.h"
#include "kinf/base/error.h"
#include "kinf/base/limits.h"

namespace kinf {

/// Splits a stream into JSON values. Accepts a sequence of values, with or without white space
/// between them. Returns a value as a view of the bytes passed to feed(). Copies only values that
/// are split between two calls of feed().
/// Threads: one owner.
class JsonSplitter {
 public:
  enum class Found {
    nothing,  ///< feed more bytes
    object,   ///< an object was entered
    array,    ///< an array was entered
    key,      ///< text() is a member's name, without quotes, with its escapes
    value,    ///< text() is one complete value
    end,      ///< the innermost entered object or array ended
  };

  /// `max_bytes` limits one value, or all bytes since hold().
  explicit JsonSplitter(std::size_t max_bytes = limits::kDocumentBytes) : max_bytes_(max_bytes) {}

  /// Adds the next bytes. Call only at the start or after next() has returned `nothing`. The bytes
  /// must stay valid until next() returns `nothing` again.
  void feed(std::string_view bytes);

  /// Returns the next element of the stream. If `enter` is true and an object or array begins here,
  /// enters it instead of returning it as one value. Errors: protocol, for text that is not JSON,
  /// for more than kEnteredLevels levels, and for more than `max_bytes`. After an error, every call
  /// returns the same error.
  Result<Found> next(bool enter = false);
  static constexpr std::size_t kEnteredLevels = 8;

  /// Calls feed(), then next(enters()) until that returns `nothing`. Calls `take` with each element
  /// found. Returns the first error of next() or `take`.
  template <class Enters, class Take>
  Result<void> feed_to(std::string_view bytes, const Enters& enters, const Take& take) {
    feed(bytes);
    for (;;) {
      Result<Found> found = next(enters());
      if (!found) return fail(found);
      if (*found == Found::nothing) return {};
      if (Result<void> taken = take(*found); !taken) return taken;
    }
  }

  /// A part of the stream, as byte offsets from its start.
  struct Extent {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
  };
  /// Returns the extent of the last key or value.
  Extent extent() const { return {begin_, end_}; }

  /// Returns the text of the last key or value. Valid until the next call of next().
  std::string_view text() { return text(extent()); }
  /// Returns the bytes of an extent that was found since hold().
  std::string_view text(Extent extent);
  /// Keeps all bytes from the start of the last element until release().
  void hold() { held_ = begin_; }
  void release() { held_ = kNone; }

  /// Returns the number of entered objects and arrays that have not ended.
  std::size_t depth() const { return depth_; }
  /// Returns how many bytes were processed. After an error, returns the position of the error.
  std::uint64_t position() const { return position_; }
  /// Returns whether all bytes received belong to complete top-level values.
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
  void value_done() { expect() = depth_ == 0 ? Expect::value : Expect::comma_or_end; }
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
  std::string_view chunk_;  ///< the bytes of the last feed(), until all of them are processed
  std::uint64_t chunk_origin_ = 0;  ///< stream offset of the first byte of chunk_
  std::string carry_;               ///< a copy of the earlier bytes that are still needed
  std::uint64_t carry_origin_ = 0;
  std::uint64_t position_ = 0;  ///< stream offset of the next byte to process
  std::uint64_t received_ = 0;  ///< number of bytes fed
  std::uint64_t begin_ = 0;     ///< start of the last element, or of the incomplete token
  std::uint64_t end_ = 0;
  std::uint64_t held_ = kNone;
  std::array<Level, kEnteredLevels + 1> levels_{};
  std::size_t depth_ = 0;
  Token token_ = Token::none;  ///< the incomplete token, if any
  JsonScan scan_;
  std::unique_ptr<Error> error_;
};

}  // namespace kinf
