// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/http/gzip_encoding.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <new>

#include "kinf/base/ascii.h"

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

struct GzipStream::State {
  State() {
    if (::deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, MAX_WBITS + kGzipFormat, kDefaultMemory,
                       Z_DEFAULT_STRATEGY) != Z_OK) {
      throw std::bad_alloc();  // the only reason with these arguments
    }
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() { ::deflateEnd(&stream); }

  std::string deflated(std::string_view bytes, int flush) {
    // zlib counts in 32 bits. Pieces are smaller than 4 GiB, because they are built in memory.
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    std::string result;
    std::array<char, 16384> buffer;
    do {
      stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
      stream.avail_out = static_cast<uInt>(buffer.size());
      ::deflate(&stream, flush);
      result.append(buffer.data(), buffer.size() - stream.avail_out);
    } while (stream.avail_out == 0);
    return result;
  }

  z_stream stream{};
};

GzipStream::GzipStream() : state_(std::make_unique<State>()) {}
GzipStream::~GzipStream() = default;

std::string GzipStream::piece(std::string_view bytes) {
  return state_->deflated(bytes, Z_SYNC_FLUSH);
}

std::string GzipStream::end() { return state_->deflated({}, Z_FINISH); }

std::string gzip_member(std::string_view bytes) {
  GzipStream stream;
  std::string result = stream.piece(bytes);
  return result + stream.end();
}

}  // namespace kinf::sandbox
