// SPDX-License-Identifier: Apache-2.0
// JsonScan: finds where a JSON string, object or array ends, across any cuts of the input. The one
// loop that sees every byte of every document, kept apart so that it can be made faster alone.
#pragma once

#include <cstddef>

namespace kinf {

struct JsonScanState {
  std::size_t depth = 0;
  bool in_string = false;
  bool escaped = false;  ///< the next byte is
};

/// Knows only brackets (of either kind, counted together), strings, and that a backslash takes the
/// meaning from the next byte: no recursion, two words of state, whatever the input.
/// Threads: one owner.
class JsonScan {
 public:
  /// Begins a value with its first byte: `"`, `{` or `[`.
  void start(char first) {
    const bool is_string = first == '"';
    state_ = {is_string ? std::size_t{0} : 1, is_string, false};
  }
  /// Goes on at `from`, the byte after those already seen. Returns the byte behind the value, or
  /// null when it does not end before `end`.
  const char* run(const char* from, const char* end);

 private:
  const char* run_bytes(const char* from, const char* end);
  const char* run_string(const char* from, const char* end);

  JsonScanState state_;
};

}  // namespace kinf
