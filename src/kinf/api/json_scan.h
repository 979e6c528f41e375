// SPDX-License-Identifier: Apache-2.0
// JsonScan: finds where a JSON string, object or array ends, across any cuts of the input. The one
// loop that sees every byte of every document, kept apart so that it can be made faster alone.
#pragma once

#include <cstddef>

namespace kinf {

/// What kinds of bytes there were; both may be noted for bytes a little behind a value, too.
struct JsonBytes {
  bool control = false;       ///< below the blank
  bool beyond_ascii = false;  ///< of a longer UTF-8 sequence, or of none
};

struct JsonScanState {
  std::size_t depth = 0;
  bool in_string = false;
  bool escaped = false;  ///< the next byte is
  JsonBytes seen{};
};

/// Knows only brackets (of either kind, counted together), strings, and that a backslash takes the
/// meaning from the next byte: no recursion, two words of state, whatever the input.
/// Threads: one owner.
class JsonScan {
 public:
  /// Begins a value with its first byte: `"`, `{` or `[`.
  void start(char first) {
    const bool is_string = first == '"';
    state_ = {is_string ? std::size_t{0} : 1, is_string, false, {}};
  }
  /// Goes on at `from`, the byte after those already seen. Returns the byte behind the value, or
  /// null when it does not end before `end`.
  const char* run(const char* from, const char* end);
  /// Since start(), behind the first byte.
  const JsonBytes& seen() const { return state_.seen; }

 private:
  const char* run_bytes(const char* from, const char* end);
  const char* run_string(const char* from, const char* end);

  JsonScanState state_;
};

}  // namespace kinf
