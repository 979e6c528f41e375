// SPDX-License-Identifier: Apache-2.0
// RequestReader: finds the requests in the bytes of a connection, which may arrive in any pieces.
// Boost.Beast parses the requests. The reader limits the size of their parts, and refuses requests
// that Beast accepts but that another server could read differently.
#pragma once

#include <cstddef>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "kinf/http/request_head.h"

namespace kinf {

/// Threads: one thread at a time.
class RequestReader {
 public:
  struct Request {
    RequestHead head;
    std::string body;
  };

  RequestReader();
  ~RequestReader();
  RequestReader(const RequestReader&) = delete;
  RequestReader& operator=(const RequestReader&) = delete;

  void add(std::string_view bytes) { buffer_ += bytes; }
  /// Returns the next complete request, nullopt if more bytes are needed, or why the request is
  /// refused. After a refusal, the connection cannot be used for requests.
  std::expected<std::optional<Request>, RequestError> next();
  /// Returns true once per request, if its client waits for `100 Continue`.
  bool take_continue();
  /// Returns whether no byte of the next request has arrived.
  bool is_idle() const { return !parser_ && buffer_.empty(); }
  /// Returns the number of bytes that have not been parsed.
  std::size_t waiting() const { return buffer_.size(); }

 private:
  class Parser;
  using Progress = std::expected<bool, RequestError>;  ///< true if the part is complete

  std::string_view rest() const { return std::string_view(buffer_).substr(at_); }
  Progress parse();
  Progress read_head();
  Progress read_body();
  Progress check_chunk_line() const;

  std::string buffer_;
  std::size_t at_ = 0;              ///< number of bytes of the buffer that are parsed
  std::unique_ptr<Parser> parser_;  ///< parses the request whose body is being read; else null
  bool sent_continue_ = false;
};

}  // namespace kinf
