// SPDX-License-Identifier: Apache-2.0
// inflated: decompresses gzip data, for tests of what a server compresses.
#pragma once

#include <doctest/doctest.h>
#include <zlib.h>

#include <array>
#include <string>
#include <string_view>

namespace kinf::test {

/// Returns the contents of all gzip members, and counts them.
inline std::string inflated(std::string_view bytes, int* members = nullptr) {
  z_stream stream{};
  REQUIRE(::inflateInit2(&stream, MAX_WBITS + 16) == Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  std::string result;
  std::array<char, 4096> buffer;
  while (stream.avail_in > 0) {
    stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
    stream.avail_out = static_cast<uInt>(buffer.size());
    const int outcome = ::inflate(&stream, Z_NO_FLUSH);
    result.append(buffer.data(), buffer.size() - stream.avail_out);
    if (outcome == Z_STREAM_END) {
      if (members != nullptr) ++*members;
      ::inflateReset(&stream);
    } else if (outcome != Z_OK) {
      FAIL("damaged gzip data");
    }
  }
  ::inflateEnd(&stream);
  return result;
}

}  // namespace kinf::test
