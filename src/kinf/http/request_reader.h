// SPDX-License-Identifier: Apache-2.0
// RequestReader: finds the requests in the bytes of a connection, which may arrive in any pieces.
// Boost.Beast parses them. The reader limits their parts, and refuses what Beast accepts but
// another server could read differently.
#pragma once

#include <cstddef>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "kinf/base/limits.h"
#include "kinf/http/request_head.h"

namespace kinf {

/// Threads: one at a time.
class RequestReader {
 public:
  static constexpr std::size_t kMaxHead = limits::kRequestHeadBytes;
  static constexpr std::size_t kMaxBody = limits::kRequestBodyBytes;  ///< as in kube-apiserver

  struct Request {
    RequestHead head;
    std::string body;
  };

  RequestReader();
  ~RequestReader();
  RequestReader(const RequestReader&) = delete;
  RequestReader& operator=(const RequestReader&) = delete;

  void add(std::string_view bytes) { buffer_ += bytes; }
  /// Returns the next complete request, nullopt if it is not complete yet, or why it is refused.
  /// After an error, the connection cannot be used for requests.
  std::expected<std::optional<Request>, RequestError> next();
  /// Returns true once, when the client waits for `100 Continue`.
  bool take_continue();
  /// Returns whether no byte of the next request has arrived.
  bool is_idle() const { return !parser_ && buffer_.empty(); }
  /// Returns the number of bytes that have not been parsed.
  std::size_t waiting() const { return buffer_.size(); }

 private:
  class Parser;
  using Progress = std::expected<bool, RequestError>;  ///< whether the part is complete

  std::string_view rest() const { return std::string_view(buffer_).substr(at_); }
  Progress parse();
  Progress read_head();
  Progress read_body();
  Progress check_chunk_line() const;

  std::string buffer_;
  std::size_t at_ = 0;              ///< bytes of the buffer that are parsed
  std::unique_ptr<Parser> parser_;  ///< of the request whose body is being read
  bool sent_continue_ = false;
};

}  // namespace kinf
