// SPDX-License-Identifier: Apache-2.0
// Formats HTTP/1.1 responses. For clients that accept gzip, compresses bodies of at least 128 KiB,
// and streams if HttpResponse::compress_stream is set. Ignores Range headers, as kube-apiserver
// does.
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

/// Compresses a stream as one gzip member. A client can decompress each piece when it arrives. (One
/// member per piece would not work, because Go's reader returns the end of a member only when the
/// next one begins.) Threads: one thread at a time.
class GzipStream {
 public:
  GzipStream();

  /// Returns the compressed bytes of the next piece.
  std::string piece(std::string_view bytes);
  /// Returns the last bytes of the gzip member. Call it once, after the last piece.
  std::string end();

 private:
  struct End {
    void operator()(z_stream_s* stream) const;
  };
  std::string deflated(std::string_view bytes, int flush);

  std::unique_ptr<z_stream_s, End> stream_;
};

/// Returns the bytes of the response to the request `head`. If the body is a stream, returns only
/// the bytes before its first piece.
std::string response_text(const RequestHead& head, const HttpResponse& response);

/// Returns whether the connection can be used for another request after this response.
bool keeps_connection(const RequestHead& head, const HttpResponse& response);

/// Returns the bytes of the response to a refused request. The connection must be closed
/// afterwards.
std::string refusal_text(const RequestError& error);

/// Encodes the pieces of a stream: compresses each piece if the client accepts gzip, and makes it a
/// chunk unless the client uses HTTP/1.0. Threads: one thread at a time.
class StreamEncoder final : public ByteSink {
 public:
  /// Appends the encoded bytes to `out`, which must outlive the encoder.
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
