// SPDX-License-Identifier: Apache-2.0
// JsonScan: finds the end of a JSON string, object or array. The input may be split anywhere. The
// scan reads every byte of every document, so it is kept separate and optimised.
#pragma once

#include <cstddef>

namespace kinf {

/// The kinds of bytes seen during a scan. They may include some bytes after the end of the value.
struct JsonBytes {
  bool control = false;       ///< a byte below 0x20
  bool beyond_ascii = false;  ///< a byte of 0x80 or above
};

struct JsonScanState {
  std::size_t depth = 0;
  bool in_string = false;
  bool escaped = false;  ///< the next byte is escaped
  JsonBytes seen{};
};

/// Finds the end of one JSON value. Does not check that brackets match, because it counts the curly
/// and square brackets outside strings together. Uses no recursion and a state of fixed size.
/// Threads: one owner.
class JsonScan {
 public:
  /// Starts a value whose first byte is `"`, `{` or `[`.
  void start(char first) {
    const bool is_string = first == '"';
    state_ = {is_string ? std::size_t{0} : 1, is_string, false, {}};
  }
  /// Scans the next bytes of the value. Returns the byte after the value, or null if the value does
  /// not end before `end`.
  const char* run(const char* from, const char* end);
  /// Returns the kinds of bytes seen since start(), excluding the first byte.
  const JsonBytes& seen() const { return state_.seen; }

 private:
  const char* run_bytes(const char* from, const char* end);
  const char* run_string(const char* from, const char* end);

  JsonScanState state_;
};

/// Returns the byte after the string, object or array that begins at `from`; null if it does not
/// end before `end`.
inline const char* end_of_value(const char* from, const char* end) {
  JsonScan scan;
  scan.start(*from);
  return scan.run(from + 1, end);
}

/// Returns whether `c` is white space between tokens.
constexpr bool is_json_blank(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

/// Returns whether `c` can be in a number, true, false or null.
constexpr bool is_scalar_byte(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '-' || c == '+' || c == '.' ||
         c == 'E';
}

// The functions below scan JSON with SIMD instructions, for JsonScan.

/// Scans complete blocks and advances `from` past them. Returns the byte after the end of the
/// value, or null if the value does not end in these blocks. `state` must be inside an object or
/// array. On processors other than x86-64, returns null without scanning.
const char* scan_blocks(const char*& from, const char* end, JsonScanState& state);

/// Returns the first quote or backslash at or after `from`, or `end`.
const char* find_in_string(const char* from, const char* end, JsonBytes& seen);

inline void note_byte(char c, JsonBytes& seen) {
  const auto byte = static_cast<unsigned char>(c);
  seen.control = seen.control || byte < 0x20;
  seen.beyond_ascii = seen.beyond_ascii || byte >= 0x80;
}

}  // namespace kinf
