// SPDX-License-Identifier: Apache-2.0
// Scans blocks of 64 bytes with scan_blocks() if the processor supports it. run_bytes() scans the
// bytes that do not fill a block, strings at the top level, and everything on other processors.
#include "kinf/api/json_scan.h"

#include <array>

namespace kinf {
namespace {

enum class ByteClass : unsigned char { other, quote, open, close, escape };

constexpr std::array<ByteClass, 256> kClasses = [] {
  std::array<ByteClass, 256> classes{};
  classes['"'] = ByteClass::quote;
  classes['{'] = classes['['] = ByteClass::open;
  classes['}'] = classes[']'] = ByteClass::close;
  classes['\\'] = ByteClass::escape;
  return classes;
}();

}  // namespace

/// Continues a scan inside a string. Returns the byte after the closing quote, or null.
const char* JsonScan::run_string(const char* from, const char* end) {
  while (from != end) {
    if (state_.escaped) {
      state_.escaped = false;
      note_byte(*from++, state_.seen);
      continue;
    }
    from = find_in_string(from, end, state_.seen);
    if (from == end) return nullptr;
    if (*from++ == '"') {
      state_.in_string = false;
      return from;
    }
    state_.escaped = true;
  }
  return nullptr;
}

const char* JsonScan::run_bytes(const char* from, const char* end) {
  while (from != end) {
    if (state_.in_string) {
      from = run_string(from, end);
      if (from == nullptr || state_.depth == 0) return from;
      continue;
    }
    const char c = *from++;
    note_byte(c, state_.seen);
    if (state_.escaped) {
      state_.escaped = false;
      continue;
    }
    switch (kClasses[static_cast<unsigned char>(c)]) {
      case ByteClass::other: break;
      case ByteClass::quote: state_.in_string = true; break;
      case ByteClass::escape: state_.escaped = true; break;
      case ByteClass::open: ++state_.depth; break;
      case ByteClass::close:
        if (--state_.depth == 0) return from;
        break;
    }
  }
  return nullptr;
}

const char* JsonScan::run(const char* from, const char* end) {
  if (state_.depth > 0) {
    if (const char* const found = scan_blocks(from, end, state_)) return found;
  }
  return run_bytes(from, end);
}

}  // namespace kinf
