// SPDX-License-Identifier: Apache-2.0
// GzipReader: inflates gzip data (RFC 1952) in small pieces. The caller decides when to inflate the
// next piece, so that a small input that inflates to gigabytes needs little memory.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "kinf/base/error.h"

struct z_stream_s;

namespace kinf {

/// Threads: one thread at a time.
class GzipReader {
 public:
  /// The maximum size of one piece in bytes.
  static constexpr std::size_t kPiece = std::size_t{64} * 1024;

  GzipReader();
  ~GzipReader();

  /// Adds compressed bytes. Keeps a copy until next() has inflated them.
  void feed(std::string_view bytes);
  /// Inflates the next piece. Returns an empty piece if more bytes are needed. Data up to the
  /// sender's last flush is returned without waiting for more bytes. The piece is valid until the
  /// next call. Errors: protocol, for damaged data; every later call returns the same error.
  Result<std::string_view> next();
  /// Returns whether next() may return more data before feed() is called again.
  bool has_more() const { return !failed_ && (used_ < input_.size() || output_was_full_); }

 private:
  struct Closer {
    void operator()(z_stream_s* stream) const;
  };
  std::unexpected<Error> damaged();

  std::unique_ptr<z_stream_s, Closer> stream_;
  std::string input_;
  std::size_t used_ = 0;  ///< bytes of input_ that are inflated
  std::string output_;
  bool output_was_full_ = false;  ///< zlib may hold more output
  bool failed_ = false;
};

}  // namespace kinf
