// SPDX-License-Identifier: Apache-2.0
// Requests and answers as the rooms of the sandbox see them: no sockets, no library.
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
  std::string path;  ///< decoded
  std::map<std::string, std::string> query;
  std::string accept;
  std::string content_type;  ///< without parameters
  std::string authorization;
  std::string if_none_match;
  std::string body;

  /// A query parameter, or empty.
  std::string parameter(const std::string& name) const {
    const auto found = query.find(name);
    return found == query.end() ? std::string() : found->second;
  }
  bool flag(const std::string& name) const {
    const std::string value = parameter(name);
    return value == "true" || value == "1";
  }
};

/// Where a streamed body goes, piece by piece.
class ByteSink {
 public:
  virtual ~ByteSink() = default;
  /// Sends at once; false if the client is gone.
  virtual bool write(std::string_view bytes) = 0;
  /// Whether the client is still there.
  virtual bool is_open() = 0;
};

struct HttpResponse {
  int code = 200;
  std::string content_type = "application/json";
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers;
  /// If set, it writes the body and returns when the body is complete. It must look at
  /// is_open() every second or so while it waits.
  std::function<void(ByteSink&)> stream;
};

}  // namespace kinf::sandbox
