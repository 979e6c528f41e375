// SPDX-License-Identifier: Apache-2.0
#include "kinf/api/json_scan.h"

#include <array>
#include <cstring>

namespace kinf {
namespace {

enum class ByteClass : unsigned char { other, quote, open, close };

constexpr std::array<ByteClass, 256> kClasses = [] {
  std::array<ByteClass, 256> classes{};
  classes['"'] = ByteClass::quote;
  classes['{'] = classes['['] = ByteClass::open;
  classes['}'] = classes[']'] = ByteClass::close;
  return classes;
}();

}  // namespace

/// Goes to the byte behind the closing quote. Most strings are a few bytes long: those are looked
/// through here, and only longer ones are worth a call of memchr.
const char* JsonScan::run_string(const char* from, const char* end) {
  constexpr std::ptrdiff_t kShort = 24;
  while (from != end) {
    if (escaped_) {
      escaped_ = false;
      ++from;
      continue;
    }
    const char* const near = end - from > kShort ? from + kShort : end;
    while (from != near && *from != '"' && *from != '\\') ++from;
    if (from == near) {
      const auto rest = static_cast<std::size_t>(end - from);
      const auto* quote = static_cast<const char*>(std::memchr(from, '"', rest));
      const std::size_t plain = quote == nullptr ? rest : static_cast<std::size_t>(quote - from);
      const auto* escape = static_cast<const char*>(std::memchr(from, '\\', plain));
      from = escape != nullptr ? escape : from + plain;
      if (from == end) return nullptr;
    }
    if (*from == '"') {
      in_string_ = false;
      return from + 1;
    }
    escaped_ = true;
    ++from;
  }
  return nullptr;
}

const char* JsonScan::run(const char* from, const char* end) {
  while (from != end) {
    if (in_string_) {
      from = run_string(from, end);
      if (from == nullptr || depth_ == 0) return from;
      continue;
    }
    switch (kClasses[static_cast<unsigned char>(*from++)]) {
      case ByteClass::other:
        break;
      case ByteClass::quote:
        in_string_ = true;
        break;
      case ByteClass::open:
        ++depth_;
        break;
      case ByteClass::close:
        if (--depth_ == 0) return from;
        break;
    }
  }
  return nullptr;
}

}  // namespace kinf
