// SPDX-License-Identifier: Apache-2.0
// JsonScan: finds where a JSON string, object or array ends, across any cuts of the input. The one
// loop that sees every byte of every document, kept apart so that it can be made faster alone.
#pragma once

#include <cstddef>

namespace kinf {

/// Knows only brackets (of either kind, counted together) and strings: no recursion, two words of
/// state, whatever the input.
/// Threads: one owner.
class JsonScan {
 public:
  /// Starts at the first byte of a value: `"`, `{` or `[`.
  void start() { *this = JsonScan(); }
  /// Goes on at `from`, the byte after those already seen. Returns the byte behind the value, or
  /// null when it does not end before `end`.
  const char* run(const char* from, const char* end);

 private:
  std::size_t depth_ = 0;
  bool in_string_ = false;
  bool escaped_ = false;  ///< the next byte is taken as it is; only within strings

  const char* run_string(const char* from, const char* end);
};

}  // namespace kinf
