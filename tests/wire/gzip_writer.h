// SPDX-License-Identifier: Apache-2.0
// GzipWriter: compresses text in pieces that a reader can inflate at once.
#pragma once

#include <zlib.h>

#include <array>
#include <string>
#include <string_view>

namespace kinf::test {

class GzipWriter {
 public:
  GzipWriter() { deflateInit2(&stream_, Z_BEST_SPEED, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY); }
  ~GzipWriter() { deflateEnd(&stream_); }
  GzipWriter(const GzipWriter&) = delete;
  GzipWriter& operator=(const GzipWriter&) = delete;

  /// Returns the compressed bytes of `text`. `flush` is zlib's: Z_SYNC_FLUSH, Z_FINISH, Z_NO_FLUSH.
  std::string add(std::string_view text, int flush = Z_SYNC_FLUSH) {
    std::string out;
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream_.avail_in = static_cast<uInt>(text.size());
    std::array<char, 16 * 1024> buffer{};
    do {
      stream_.next_out = reinterpret_cast<Bytef*>(buffer.data());
      stream_.avail_out = static_cast<uInt>(buffer.size());
      deflate(&stream_, flush);
      out.append(buffer.data(), buffer.size() - stream_.avail_out);
    } while (stream_.avail_out == 0);
    return out;
  }

 private:
  z_stream stream_{};
};

/// Compresses `before`, then `repeated` `times` times.
inline std::string gzip_bomb(std::string_view before, std::string_view repeated,
                             std::size_t times) {
  GzipWriter writer;
  std::string out = writer.add(before, Z_NO_FLUSH);
  std::string block;
  while (block.size() < 1024 * 1024) block.append(repeated);
  const std::size_t per_block = block.size() / repeated.size();
  for (std::size_t done = 0; done < times; done += per_block) out += writer.add(block, Z_NO_FLUSH);
  return out + writer.add({}, Z_FINISH);
}

}  // namespace kinf::test
