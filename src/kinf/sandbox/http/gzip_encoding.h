// SPDX-License-Identifier: Apache-2.0
// Compresses responses with gzip, as kube-apiserver does.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace kinf::sandbox {

/// Returns true if `gzip` is in an Accept-Encoding header. As in kube-apiserver, `gzip;q=0.5` and
/// `*` do not count.
bool accepts_gzip(std::string_view accept_encoding);

/// Returns `bytes` as one complete gzip member, compressed at the fastest level.
std::string gzip_member(std::string_view bytes);

/// Compresses a stream as one gzip member. A client can decompress each piece when it arrives.
/// (A member per piece would not do: Go's reader delivers the end of a member when the next
/// begins.) Threads: one thread at a time.
class GzipStream {
 public:
  GzipStream();
  GzipStream(const GzipStream&) = delete;
  GzipStream& operator=(const GzipStream&) = delete;
  ~GzipStream();

  /// Returns the compressed bytes of the next piece.
  std::string piece(std::string_view bytes);
  /// Returns the last bytes of the member. Call it once, after all pieces.
  std::string end();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace kinf::sandbox
