// SPDX-License-Identifier: Apache-2.0
// Scans JSON in blocks of 64 bytes with SIMD instructions. Used by JsonScan.
#pragma once

#include "kinf/api/json_scan.h"

namespace kinf {

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
