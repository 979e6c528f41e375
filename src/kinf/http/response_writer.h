// SPDX-License-Identifier: Apache-2.0
// Formats HTTP/1.1 responses. For clients that accept gzip, compresses bodies of at least 128 KiB,
// and the streams for which the handler asks for it. Ignores Range headers, as kube-apiserver does.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "kinf/http/http_message.h"
#include "kinf/http/request_head.h"

struct z_stream_s;  // zlib.h

namespace kinf {

/// Returns whether `gzip` is in an Accept-Encoding header. As in kube-apiserver, `gzip;q=0.5` and
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

  /// Returns the compressed bytes of the next piece.
  std::string piece(std::string_view bytes);
  /// Returns the last bytes of the member. Call it once, after all pieces.
  std::string end();

 private:
  struct End {
    void operator()(z_stream_s* stream) const;
  };
  std::string deflated(std::string_view bytes, int flush);

  std::unique_ptr<z_stream_s, End> stream_;
};

/// Returns `response` as the answer to `head`: all bytes, or those before the first piece of its
/// stream.
std::string response_text(const RequestHead& head, const HttpResponse& response);

/// Returns whether the connection can be used for another request after this response.
bool keeps_connection(const RequestHead& head, const HttpResponse& response);

/// Returns the response to a request that is refused. The connection must be closed afterwards.
std::string refusal_text(const RequestError& error);

/// Encodes the pieces of a stream: compresses them if the client accepts it, and makes each a chunk
/// or, for a client of HTTP/1.0, leaves it as it is. Threads: one at a time.
class StreamEncoder final : public ByteSink {
 public:
  /// Appends the encoded bytes to `out`, which must outlive it.
  StreamEncoder(const RequestHead& head, const HttpResponse& response, std::string& out);

  void write(std::string_view piece) override;
  /// Returns whether at least 64 KiB are waiting to be sent.
  bool is_full() const override { return out_.size() >= kFull; }
  /// Adds the end of the body. Call it once, after all pieces.
  void end();

 private:
  static constexpr std::size_t kFull = 64 << 10;

  void append(std::string_view bytes);

  std::string& out_;
  const bool in_chunks_;
  std::optional<GzipStream> gzip_;
};

}  // namespace kinf
