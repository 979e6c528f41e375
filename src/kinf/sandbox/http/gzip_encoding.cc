// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/http/gzip_encoding.h"

#include <zlib.h>

#include <new>

#include "kinf/base/trimmed.h"

namespace kinf::sandbox {
namespace {

constexpr int kGzipFormat = 16;  ///< added to the window bits: a gzip header, not one of zlib
constexpr int kDefaultMemory = 8;

}  // namespace

bool accepts_gzip(std::string_view accept_encoding) {
  while (!accept_encoding.empty()) {
    const std::string_view token = accept_encoding.substr(0, accept_encoding.find(','));
    if (trimmed(token) == "gzip") return true;
    accept_encoding.remove_prefix(std::min(token.size() + 1, accept_encoding.size()));
  }
  return false;
}

std::string gzip_member(std::string_view bytes) {
  z_stream stream{};
  if (::deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, MAX_WBITS + kGzipFormat, kDefaultMemory,
                     Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::bad_alloc();  // the only reason with these arguments
  }
  std::string result(::deflateBound(&stream, static_cast<uLong>(bytes.size())), '\0');
  // zlib counts in 32 bits. Bodies are smaller than 4 GiB, because they are built in memory.
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(result.data());
  stream.avail_out = static_cast<uInt>(result.size());
  ::deflate(&stream, Z_FINISH);
  result.resize(stream.total_out);
  ::deflateEnd(&stream);
  return result;
}

}  // namespace kinf::sandbox
