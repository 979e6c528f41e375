// SPDX-License-Identifier: Apache-2.0
// ScriptedServer: a loopback HTTP/1.1 server that sends exactly the bytes that a test gives it. It
// can delay, cut, reset, send garbage, and choose the chunks.
#pragma once

#include <cstddef>
#include <functional>
#include <list>
#include <map>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "kinf/base/sync.h"

namespace kinf::test {

struct SeenRequest {
  std::string method;
  std::string target;
  std::map<std::string, std::string> headers;  ///< names in lower case
  int connection = 0;                          ///< 0 for the first that was accepted

  std::string header(const std::string& name) const {
    const auto found = headers.find(name);
    return found == headers.end() ? std::string() : found->second;
  }
};

/// The server's side of one connection, for scripts.
class ServerConnection {
 public:
  explicit ServerConnection(int socket) : socket_(socket) {}

  void send(std::string_view bytes);
  /// A whole answer with Content-Length. `headers` are lines, each ending in CRLF.
  void answer(int status, std::string_view content_type, std::string_view body,
              std::string_view headers = {});
  /// The head of an answer whose body follows in chunks.
  void begin(int status = 200, std::string_view content_type = "application/json",
             std::string_view headers = {});
  void chunk(std::string_view bytes);
  void end();
  /// Blocks until the client closes the connection or the server is destroyed.
  void hold();
  /// Ends the connection with RST instead of FIN.
  void reset();

 private:
  friend class ScriptedServer;
  int socket_;
  bool closing_ = false;
};

/// Threads: requests() and url() from any; the script runs on a thread per connection.
class ScriptedServer {
 public:
  /// Called for each request. Returns whether the connection stays open for more; return false
  /// after an answer that ends it.
  using Script = std::function<bool(ServerConnection&, const SeenRequest&)>;

  explicit ScriptedServer(Script script);
  ~ScriptedServer();
  ScriptedServer(const ScriptedServer&) = delete;
  ScriptedServer& operator=(const ScriptedServer&) = delete;

  int port() const { return port_; }
  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }
  std::vector<SeenRequest> requests() const;

 private:
  void accept_loop();
  void serve(int socket, int number);

  Script script_;
  int port_ = 0;
  int listener_ = -1;  ///< declared after port_, which opening it sets
  mutable Mutex mu_;
  bool stopping_ KINF_GUARDED_BY(mu_) = false;
  std::vector<SeenRequest> requests_ KINF_GUARDED_BY(mu_);
  std::vector<int> open_ KINF_GUARDED_BY(mu_);
  std::list<std::jthread> workers_ KINF_GUARDED_BY(mu_);
  std::jthread acceptor_;
};

/// Returns a port of 127.0.0.1 without a listener.
int unused_port();

}  // namespace kinf::test
