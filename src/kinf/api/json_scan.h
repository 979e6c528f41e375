// SPDX-License-Identifier: Apache-2.0
// JsonScan: finds where a JSON string, object or array ends, however the input is cut. This loop
// sees every byte of every document, so it is a file of its own that can be optimised alone.
#pragma once

#include <cstddef>

namespace kinf {

/// The kinds of bytes seen. Bytes shortly after the end of a value may count, too.
struct JsonBytes {
  bool control = false;       ///< below 0x20
  bool beyond_ascii = false;  ///< 0x80 and above
};

struct JsonScanState {
  std::size_t depth = 0;
  bool in_string = false;
  bool escaped = false;  ///< the next byte is escaped
  JsonBytes seen{};
};

/// Counts brackets of both kinds together, outside of strings, and skips the byte after a
/// backslash. No recursion; the state has a fixed size.
/// Threads: one owner.
class JsonScan {
 public:
  /// Begins a value whose first byte is `"`, `{` or `[`.
  void start(char first) {
    const bool is_string = first == '"';
    state_ = {is_string ? std::size_t{0} : 1, is_string, false, {}};
  }
  /// Continues at `from`, the byte after those already seen. Returns the byte after the value, or
  /// null if the value does not end before `end`.
  const char* run(const char* from, const char* end);
  /// The kinds of bytes since start(), without the first byte.
  const JsonBytes& seen() const { return state_.seen; }

 private:
  const char* run_bytes(const char* from, const char* end);
  const char* run_string(const char* from, const char* end);

  JsonScanState state_;
};

}  // namespace kinf
