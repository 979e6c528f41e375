// SPDX-License-Identifier: Apache-2.0
// HTTP requests and responses as plain values, independent of sockets and of the HTTP library.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kinf/base/clock.h"

namespace kinf {

struct HttpRequest {
  std::string method;
  std::string path;  ///< percent-decoded
  std::map<std::string, std::string> query;
  std::string accept;
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
  /// Returns whether the query parameter is `true` or `1`.
  bool flag(const std::string& name) const {
    const std::string value = parameter(name);
    return value == "true" || value == "1";
  }
};

/// Receives the pieces of a streamed body.
class ByteSink {
 public:
  virtual ~ByteSink() = default;
  /// Adds a piece of the body. The client can read it at once, even if the body is compressed.
  virtual void write(std::string_view piece) = 0;
  /// Returns whether the caller must stop writing until the client has read what was written.
  virtual bool is_full() const = 0;
};

/// A body that grows while it is sent. It has no thread: the server calls it whenever there may be
/// something to write, and destroys it when the client disconnects. Threads: one thread at a time.
class BodyStream {
 public:
  virtual ~BodyStream() = default;
  /// Called once, before write_to(). From then on, the stream calls `wake` when there is something
  /// to write, from any thread, until the stream is destroyed. `wake` does not block.
  virtual void start(std::function<void()> wake) = 0;
  /// Writes the available bytes until the sink is full, without blocking. Returns nullopt if the
  /// body is complete. Otherwise returns when to call write_to() again if `wake` is not called
  /// before then. After write_to() has filled the sink, the server calls it again as soon as the
  /// client has read everything.
  virtual std::optional<Clock::Mono> write_to(ByteSink& sink) = 0;
};

struct HttpResponse {
  int code = 200;
  std::string content_type = "application/json";
  std::string body{};
  std::vector<std::pair<std::string, std::string>> headers{};
  std::unique_ptr<BodyStream> stream{};  ///< if set, the body comes from this stream
  /// Whether to compress the body from `stream` for a client that accepts gzip. HttpResponse::body
  /// is compressed if it is large.
  bool compress_stream = false;
};

}  // namespace kinf
