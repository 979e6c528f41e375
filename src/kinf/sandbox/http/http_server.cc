// SPDX-License-Identifier: Apache-2.0
// cpp-httplib parses requests and writes responses. This file accepts connections and reads from
// them, because the library polls each idle connection 100 times a second, waits for idle
// connections in stop(), and stops the server when accept() fails once.
#include "kinf/sandbox/http/http_server.h"

#include <netinet/tcp.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <thread>

#include "kinf/base/listen_socket.h"
#include "kinf/base/log.h"
#include "kinf/sandbox/http/connection_threads.h"
#include "kinf/sandbox/http/gzip_encoding.h"
#include "kinf/sandbox/http/socket_stream.h"
#include "kinf/sandbox/http/tls_stream.h"

namespace kinf::sandbox {
namespace {

constexpr std::size_t kMaxConnections = 256;
constexpr std::size_t kMaxBody = 16 << 20;
constexpr int kKeepAliveSeconds = 60;
constexpr int kRetryAccept = 100;  // milliseconds
/// Smaller bodies are not compressed (kube-apiserver, responsewriters/writers.go).
constexpr std::size_t kCompressFrom = 128 * 1024;
/// Holds Accept-Encoding while the library handles a request. The library would compress too much.
constexpr const char* kAcceptEncoding = "Kinf-Accept-Encoding";

/// Parses the query parameters, because the library splits them at the last `=` instead of the
/// first. If a parameter occurs twice, the first value is used, as in Go.
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
  to.accept_encoding = from.get_header_value(kAcceptEncoding);
  to.content_type = from.get_header_value("Content-Type");
  to.authorization = from.get_header_value("Authorization");
  to.user_agent = from.get_header_value("User-Agent");
  to.if_none_match = from.get_header_value("If-None-Match");
  to.body = from.body;
  return to;
}

class ChunkSink final : public ByteSink {
 public:
  ChunkSink(httplib::DataSink& sink, bool compress) : sink_(sink) {
    if (compress) gzip_.emplace();
  }
  bool write(std::string_view bytes) override {
    return gzip_ ? send(gzip_->piece(bytes)) : send(bytes);
  }
  bool is_open() override { return sink_.is_writable(); }
  void finish() {
    if (gzip_ && is_open()) send(gzip_->end());
    sink_.done();
  }

 private:
  bool send(std::string_view bytes) {
    return sink_.write(bytes.data(), bytes.size()) && sink_.is_writable();
  }

  httplib::DataSink& sink_;
  std::optional<GzipStream> gzip_;
};

void convert(HttpResponse answer, bool accepts_compression, httplib::Response& to) {
  to.status = answer.code;
  to.set_header("Cache-Control", "no-cache, private");
  for (const auto& [name, value] : answer.headers) to.set_header(name, value);
  const bool compress =
      accepts_compression &&
      (answer.stream ? answer.compress_stream : answer.body.size() >= kCompressFrom);
  if (compress) {
    to.set_header("Content-Encoding", "gzip");
    to.set_header("Vary", "Accept-Encoding");
  }
  if (!answer.stream) {
    if (answer.code == 304) return;
    to.set_content(compress ? gzip_member(answer.body) : std::move(answer.body),
                   answer.content_type);
    return;
  }
  to.set_chunked_content_provider(
      answer.content_type,
      [stream = std::move(answer.stream), compress](std::size_t, httplib::DataSink& sink) {
        ChunkSink chunks(sink, compress);
        stream(chunks);
        chunks.finish();
        return true;
      });
}

}  // namespace

class HttpServer::Listener final : private httplib::Server {
 public:
  explicit Listener(HttpServer::Handler handler)
      : handler_(std::move(handler)), wake_(::eventfd(0, EFD_CLOEXEC)) {
    set_payload_max_length(kMaxBody);
    const auto serve = [this](const httplib::Request& request, httplib::Response& response) {
      const HttpRequest asked = convert(request);
      convert(handler_(asked), accepts_gzip(asked.accept_encoding), response);
    };
    Get(".*", serve);
    Post(".*", serve);
    Put(".*", serve);
    Patch(".*", serve);
    Delete(".*", serve);
  }

  ~Listener() override { stop(); }

  Result<int> start(const std::string& host, int port, const TlsIdentity* identity) {
    Result<ListenSocket> listening = listen_on(host, port);
    if (!listening) return std::unexpected(std::move(listening).error());
    identity_ = identity;
    listener_ = std::move(listening->socket);
    svr_sock_ = listener_.get();  // the library ends its streams when this is INVALID_SOCKET
    thread_ = std::jthread([this] { accept_connections(); });
    return listening->port;
  }

  void stop() {
    if (!thread_.joinable()) return;
    svr_sock_ = INVALID_SOCKET;
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = ::write(wake_.get(), &one, sizeof one);
    thread_.join();
    connections_.shutdown();
    listener_.reset();
  }

 private:
  void accept_connections() {
    for (;;) {
      pollfd fds[2] = {{listener_.get(), POLLIN, 0}, {wake_.get(), POLLIN, 0}};
      (void)::poll(fds, 2, -1);
      if (svr_sock_ == INVALID_SOCKET) return;
      const int socket = ::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC);
      if (socket >= 0) {
        connections_.enqueue([this, socket] { serve_connection(socket); });
        continue;
      }
      const int reason = errno;
      // This connection failed, not the listening socket.
      if (reason == EAGAIN || reason == EINTR || reason == ECONNABORTED || reason == EPROTO)
        continue;
      if (reason == EMFILE || reason == ENFILE || reason == ENOBUFS || reason == ENOMEM) {
        (void)::poll(fds + 1, 1, kRetryAccept);  // lets other connections end; stop() wakes it
        continue;
      }
      log::warning("sandbox: cannot accept more connections: {}",
                   std::generic_category().message(reason));
      return;
    }
  }

  void serve_connection(int socket) {
    const FileDescriptor owner(socket);
    const int on = 1;
    ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    SocketStream stream(socket, wake_.get());
    if (identity_ == nullptr) {
      serve(stream);
    } else {
      TlsStream encrypted(identity_->context(), stream);
      if (encrypted.accept()) serve(encrypted);
    }
    ::shutdown(socket, SHUT_RDWR);
  }

  template <class ClientStream>
  void serve(ClientStream& stream) {
    while (svr_sock_ != INVALID_SOCKET && stream.wait_for_request(kKeepAliveSeconds)) {
      bool closed = false;
      const bool served = process_request(stream, false, closed, [](httplib::Request& request) {
        request.headers.erase(kAcceptEncoding);
        request.headers.emplace(kAcceptEncoding, request.get_header_value("Accept-Encoding"));
        request.headers.erase("Accept-Encoding");
        // A request without a length has no body (RFC 9112 section 6.3), but the library rejects
        // it.
        if (!request.has_header("Content-Length") && !request.has_header("Transfer-Encoding")) {
          request.headers.emplace("Content-Length", "0");
        }
      });
      if (!served || closed) break;
    }
  }

  HttpServer::Handler handler_;
  FileDescriptor wake_;  ///< readable after stop() is called, which ends all waits
  FileDescriptor listener_;
  const TlsIdentity* identity_ = nullptr;
  ConnectionThreads connections_{kMaxConnections};
  std::jthread thread_;
};

HttpServer::HttpServer(Handler handler)
    : listener_(std::make_unique<Listener>(std::move(handler))) {}

HttpServer::~HttpServer() = default;

Result<int> HttpServer::start(const std::string& host, int port, const TlsIdentity* identity) {
  return listener_->start(host, port, identity);
}

void HttpServer::stop() { listener_->stop(); }

}  // namespace kinf::sandbox
