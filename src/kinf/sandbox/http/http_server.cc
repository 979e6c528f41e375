// SPDX-License-Identifier: Apache-2.0
// cpp-httplib does the parsing and writing of HTTP. Connections are read by a stream of our own:
// the library's polls each idle connection a hundred times a second and lets a stop wait for the
// idle ones.
#include "kinf/sandbox/http/http_server.h"

#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <thread>

#include "kinf/sandbox/http/connection_threads.h"
#include "kinf/sandbox/http/socket_stream.h"
#include "kinf/sandbox/http/tls_stream.h"

namespace kinf::sandbox {
namespace {

constexpr std::size_t kMaxConnections = 256;
constexpr std::size_t kMaxBody = 16 << 20;
constexpr int kKeepAliveSeconds = 60;

/// The parameters behind the `?`. The library takes the last `=` for the one that ends a name.
/// The first value of a parameter counts, as in Go.
std::map<std::string, std::string> query_of(std::string_view target) {
  std::map<std::string, std::string> query;
  const std::size_t mark = target.find('?');
  if (mark == std::string_view::npos) return query;
  std::string_view left = target.substr(mark + 1);
  while (!left.empty()) {
    const std::string_view part = left.substr(0, left.find('&'));
    left.remove_prefix(std::min(part.size() + 1, left.size()));
    const std::string_view name = part.substr(0, part.find('='));
    const std::string_view value = part.substr(std::min(name.size() + 1, part.size()));
    if (name.empty()) continue;
    query.try_emplace(httplib::detail::decode_url(std::string(name), true),
                      httplib::detail::decode_url(std::string(value), true));
  }
  return query;
}

HttpRequest convert(const httplib::Request& from) {
  HttpRequest to;
  to.method = from.method;
  to.path = from.path;
  to.query = query_of(from.target);
  to.accept = from.get_header_value("Accept");
  to.content_type = from.get_header_value("Content-Type");
  to.authorization = from.get_header_value("Authorization");
  to.if_none_match = from.get_header_value("If-None-Match");
  to.body = from.body;
  return to;
}

class ChunkSink final : public ByteSink {
 public:
  explicit ChunkSink(httplib::DataSink& sink) : sink_(sink) {}
  bool write(std::string_view bytes) override {
    return sink_.write(bytes.data(), bytes.size()) && sink_.is_writable();
  }
  bool is_open() override { return sink_.is_writable(); }

 private:
  httplib::DataSink& sink_;
};

void convert(HttpResponse answer, httplib::Response& to) {
  to.status = answer.code;
  to.set_header("Cache-Control", "no-cache, private");
  for (const auto& [name, value] : answer.headers) to.set_header(name, value);
  if (!answer.stream) {
    if (answer.code != 304) to.set_content(std::move(answer.body), answer.content_type);
    return;
  }
  to.set_chunked_content_provider(answer.content_type, [stream = std::move(answer.stream)](
                                                           std::size_t, httplib::DataSink& sink) {
    ChunkSink chunks(sink);
    stream(chunks);
    sink.done();
    return true;
  });
}

}  // namespace

class HttpServer::Listener final : private httplib::Server {
 public:
  explicit Listener(HttpServer::Handler handler)
      : handler_(std::move(handler)), wake_fd_(::eventfd(0, EFD_CLOEXEC)) {
    new_task_queue = [] { return new ConnectionThreads(kMaxConnections); };
    set_payload_max_length(kMaxBody);
    set_tcp_nodelay(true);
    set_socket_options([](socket_t socket) {
      const int on = 1;
      ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    });
    const auto serve = [this](const httplib::Request& request, httplib::Response& response) {
      convert(handler_(convert(request)), response);
    };
    Get(".*", serve);
    Post(".*", serve);
    Put(".*", serve);
    Patch(".*", serve);
    Delete(".*", serve);
  }

  ~Listener() override {
    end();
    ::close(wake_fd_);
  }

  Result<int> begin(const std::string& host, int port, const TlsIdentity* identity) {
    identity_ = identity;
    const int bound = port == 0 ? bind_to_any_port(host) : (bind_to_port(host, port) ? port : -1);
    if (bound < 0) {
      return fail(ErrorKind::network, fmt::format("cannot listen on {}:{}", host, port));
    }
    thread_ = std::jthread([this] { listen_after_bind(); });
    while (!is_running()) std::this_thread::yield();
    return bound;
  }

  void end() {
    if (!thread_.joinable()) return;
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = ::write(wake_fd_, &one, sizeof one);
    Server::stop();
    thread_.join();
  }

 private:
  bool process_and_close_socket(socket_t socket) override {
    const int on = 1;
    ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    SocketStream stream(socket, wake_fd_);
    if (identity_ == nullptr) {
      serve(stream);
    } else {
      TlsStream encrypted(identity_->context(), stream);
      if (encrypted.accept()) serve(encrypted);
    }
    ::shutdown(socket, SHUT_RDWR);
    ::close(socket);
    return true;
  }

  template <class ClientStream>
  void serve(ClientStream& stream) {
    while (svr_sock_ != INVALID_SOCKET && stream.wait_for_request(kKeepAliveSeconds)) {
      bool closed = false;
      const bool served = process_request(stream, false, closed, [](httplib::Request& request) {
        // A real server compresses large lists and never a watch; this one nothing.
        request.headers.erase("Accept-Encoding");
        // A request without a length has no body (RFC 9112 section 6.3); the library refuses it.
        if (!request.has_header("Content-Length") && !request.has_header("Transfer-Encoding")) {
          request.headers.emplace("Content-Length", "0");
        }
      });
      if (!served || closed) break;
    }
  }

  HttpServer::Handler handler_;
  int wake_fd_;
  const TlsIdentity* identity_ = nullptr;
  std::jthread thread_;
};

HttpServer::HttpServer(Handler handler)
    : listener_(std::make_unique<Listener>(std::move(handler))) {}

HttpServer::~HttpServer() = default;

Result<int> HttpServer::start(const std::string& host, int port, const TlsIdentity* identity) {
  return listener_->begin(host, port, identity);
}

void HttpServer::stop() { listener_->end(); }

}  // namespace kinf::sandbox
