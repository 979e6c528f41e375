// SPDX-License-Identifier: Apache-2.0
// JSON in blocks of 64 bytes, for JsonScan on processors that compare many bytes at once.
#pragma once

#include "kinf/api/json_scan.h"

namespace kinf {

/// Takes as many whole blocks as there are, and moves `from` behind them. Null unless the value
/// ends in one of them: then the byte behind it. `state` must be inside an object or array. Takes
/// none where no faster form than byte by byte is known.
const char* scan_blocks(const char*& from, const char* end, JsonScanState& state);

/// The first quote or backslash at or behind `from`, or `end`.
const char* find_in_string(const char* from, const char* end, JsonBytes& seen);

inline void note_byte(char c, JsonBytes& seen) {
  const auto byte = static_cast<unsigned char>(c);
  seen.control = seen.control || byte < 0x20;
  seen.beyond_ascii = seen.beyond_ascii || byte >= 0x80;
}

}  // namespace kinf
