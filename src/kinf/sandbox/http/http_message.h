// SPDX-License-Identifier: Apache-2.0
// HTTP requests and responses as plain values, independent of sockets and of the HTTP library.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kinf::sandbox {

struct HttpRequest {
  std::string method;
  std::string path;  ///< percent-decoded
  std::map<std::string, std::string> query;
  std::string accept;
  std::string accept_encoding;
  std::string content_type;  ///< without parameters
  std::string authorization;
  std::string if_none_match;
  std::string user_agent;
  std::string body;

  /// Returns a query parameter, or an empty string if it is missing.
  std::string parameter(const std::string& name) const {
    const auto found = query.find(name);
    return found == query.end() ? std::string() : found->second;
  }
  /// Returns true if the query parameter is `true` or `1`.
  bool flag(const std::string& name) const {
    const std::string value = parameter(name);
    return value == "true" || value == "1";
  }
};

/// Receives a streamed body in pieces.
class ByteSink {
 public:
  virtual ~ByteSink() = default;
  /// Sends the bytes immediately. Returns false if the client has disconnected.
  virtual bool write(std::string_view bytes) = 0;
  /// Returns false if the client has disconnected.
  virtual bool is_open() = 0;
};

struct HttpResponse {
  int code = 200;
  std::string content_type = "application/json";
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers;
  /// If set, it is called to write the body, and returns when the body is complete. While it waits,
  /// it must check is_open() at least once a second.
  std::function<void(ByteSink&)> stream;
  /// Whether to compress a streamed body for a client that accepts gzip. Other bodies depend on
  /// their size.
  bool compress_stream = false;
};

}  // namespace kinf::sandbox
