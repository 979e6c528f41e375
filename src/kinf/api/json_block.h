// SPDX-License-Identifier: Apache-2.0
// Scans JSON in blocks of 64 bytes, for JsonScan, on processors that compare many bytes at once.
#pragma once

#include "kinf/api/json_scan.h"

namespace kinf {

/// Scans whole blocks and moves `from` behind them. If the value ends in one of them, returns the
/// byte after its end, otherwise null. `state` must be inside an object or array. Scans nothing on
/// processors without a fast form.
const char* scan_blocks(const char*& from, const char* end, JsonScanState& state);

/// Returns the first quote or backslash at or after `from`, or `end`.
const char* find_in_string(const char* from, const char* end, JsonBytes& seen);

inline void note_byte(char c, JsonBytes& seen) {
  const auto byte = static_cast<unsigned char>(c);
  seen.control = seen.control || byte < 0x20;
  seen.beyond_ascii = seen.beyond_ascii || byte >= 0x80;
}

}  // namespace kinf
