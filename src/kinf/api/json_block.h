// SPDX-License-Identifier: Apache-2.0
// JSON in blocks of 64 bytes, for JsonScan on processors that compare many bytes at once.
#pragma once

#include "kinf/api/json_scan.h"

namespace kinf {

/// Takes as many whole blocks as there are, and moves `from` behind them. Null unless the value
/// ends in one of them: then the byte behind it. `state` must be inside an object or array. Takes
/// none where no faster form than byte by byte is known.
const char* scan_blocks(const char*& from, const char* end, JsonScanState& state);

}  // namespace kinf
