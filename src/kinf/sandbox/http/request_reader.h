// SPDX-License-Identifier: Apache-2.0
// RequestReader: finds the requests in the bytes of a connection, which may arrive in any pieces.
// Limits the size of the head and of the body.
#pragma once

#include <cstddef>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "kinf/base/limits.h"
#include "kinf/sandbox/http/request_head.h"

namespace kinf::sandbox {

/// Threads: one at a time.
class RequestReader {
 public:
  static constexpr std::size_t kMaxHead = limits::kRequestHeadBytes;
  static constexpr std::size_t kMaxBody = limits::kRequestBodyBytes;  ///< as in kube-apiserver

  struct Request {
    RequestHead head;
    std::string body;
  };

  void add(std::string_view bytes) { buffer_ += bytes; }
  /// Returns the next complete request, nullopt if it is not complete yet, or why it is refused.
  /// After an error, the connection cannot be used for requests.
  std::expected<std::optional<Request>, RequestError> next();
  /// Returns true once, when the client waits for `100 Continue`.
  bool take_continue();
  /// Returns true if no byte of the next request has arrived.
  bool is_idle() const { return !head_ && buffer_.empty(); }

 private:
  using Progress = std::expected<bool, RequestError>;  ///< whether the part is complete

  std::expected<std::optional<Request>, RequestError> parse();
  std::string_view rest() const { return std::string_view(buffer_).substr(at_); }
  Progress read_head();
  Progress read_body();
  Progress read_chunks();
  Progress read_chunk();
  Progress read_trailer();

  std::string buffer_;
  std::size_t at_ = 0;               ///< bytes of the buffer that are parsed
  std::optional<RequestHead> head_;  ///< of the request whose body is being read
  std::string body_;
  std::size_t trailer_ = 0;  ///< bytes of the trailer so far
  bool in_trailer_ = false;
  bool sent_continue_ = false;
};

}  // namespace kinf::sandbox
