// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/http/http_server.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <exception>
#include <optional>
#include <system_error>
#include <thread>

#include "kinf/base/listen_socket.h"
#include "kinf/base/log.h"
#include "kinf/sandbox/http/connection_threads.h"
#include "kinf/sandbox/http/request_origin.h"
#include "kinf/sandbox/http/request_reader.h"
#include "kinf/sandbox/http/response_writer.h"
#include "kinf/sandbox/http/socket_stream.h"
#include "kinf/sandbox/http/tls_stream.h"

namespace kinf::sandbox {
namespace {

/// The number of connections that are served besides the streams.
constexpr std::size_t kRequestThreads = 256;
constexpr int kKeepAliveSeconds = 60;
/// The time from the first to the last byte of a request.
constexpr std::chrono::seconds kRequestTime(60);
constexpr int kRetryAccept = 100;  // milliseconds

/// If a parameter occurs twice, the first value is used, as in Go. Parameters with malformed
/// escapes are ignored.
std::map<std::string, std::string> query_of(std::string_view target) {
  std::map<std::string, std::string> query;
  const std::size_t mark = target.find('?');
  if (mark == std::string_view::npos) return query;
  std::string_view left = target.substr(mark + 1);
  while (!left.empty()) {
    const std::string_view part = left.substr(0, left.find('&'));
    left.remove_prefix(std::min(part.size() + 1, left.size()));
    const auto name = percent_decoded(part.substr(0, part.find('=')), true);
    const std::size_t equals = std::min(part.find('='), part.size());
    const auto value = percent_decoded(part.substr(std::min(equals + 1, part.size())), true);
    if (name && value && !name->empty()) query.try_emplace(*name, *value);
  }
  return query;
}

/// Returns the request for the handler, or why it is refused.
std::expected<HttpRequest, RequestError> convert(RequestReader::Request& from) {
  const std::string_view target = from.head.target;
  std::optional<std::string> path = percent_decoded(target.substr(0, target.find('?')), false);
  if (!path) return std::unexpected(RequestError{400, "malformed request target"});
  HttpRequest to;
  to.method = from.head.method == "HEAD" ? "GET" : from.head.method;
  to.path = *std::move(path);
  to.query = query_of(target);
  to.accept = from.head.value("Accept");
  to.accept_encoding = from.head.value("Accept-Encoding");
  to.content_type = from.head.value("Content-Type");
  to.authorization = from.head.value("Authorization");
  to.user_agent = from.head.value("User-Agent");
  to.if_none_match = from.head.value("If-None-Match");
  to.body = std::move(from.body);
  return to;
}

/// Counts the open streams. Refuses those above the limit.
class StreamPermit {
 public:
  StreamPermit(std::atomic<std::size_t>& open, std::size_t most)
      : open_(open), granted_(open.fetch_add(1) < most) {}
  StreamPermit(const StreamPermit&) = delete;
  StreamPermit& operator=(const StreamPermit&) = delete;
  ~StreamPermit() { open_.fetch_sub(1); }
  bool granted() const { return granted_; }

 private:
  std::atomic<std::size_t>& open_;
  const bool granted_;
};

/// The answer of kube-apiserver's limit on requests.
HttpResponse too_many_streams() {
  HttpResponse response;
  response.code = 429;
  response.content_type = "text/plain; charset=utf-8";
  response.body = "Too many requests, please try again later.\n";
  response.headers = {{"Retry-After", "1"}};
  return response;
}

/// Sends the end of the stream and drops what the client still sends, for at most two seconds:
/// closing a socket with unread bytes could discard the response before the client has read it.
void close_slowly(const SocketStream& socket) {
  ::shutdown(socket.socket(), SHUT_WR);
  std::array<char, 16384> dropped;
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(2);
  while (std::chrono::steady_clock::now() < end && socket.wait(POLLIN, 500)) {
    if (::recv(socket.socket(), dropped.data(), dropped.size(), MSG_DONTWAIT) <= 0) return;
  }
}

}  // namespace

class HttpServer::Listener final {
 public:
  Listener(HttpServer::Handler handler, Options options)
      : handler_(std::move(handler)),
        options_(options),
        wake_(::eventfd(0, EFD_CLOEXEC)),
        connections_(options.max_streams + kRequestThreads) {}

  ~Listener() { stop(); }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  Result<int> start(const std::string& host, int port, const TlsIdentity* identity) {
    Result<ListenSocket> listening = listen_on(host, port);
    if (!listening) return std::unexpected(std::move(listening).error());
    identity_ = identity;
    listener_ = std::move(listening->socket);
    try {
      thread_ = std::jthread([this] { accept_connections(); });
    } catch (const std::system_error& error) {
      return fail(ErrorKind::internal, std::string("cannot start a thread: ") + error.what());
    }
    return listening->port;
  }

  void stop() {
    if (!thread_.joinable()) return;
    stopping_ = true;
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
      if (stopping_) return;
      const int socket = ::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC);
      if (socket >= 0) {
        if (connections_.enqueue([this, socket] { serve_connection(socket); })) continue;
        ::close(socket);  // there is no thread for it
        (void)::poll(fds + 1, 1, kRetryAccept);
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
    bool refused = false;
    if (identity_ == nullptr) {
      refused = !serve(stream);
    } else {
      TlsStream encrypted(identity_->context(), stream);
      if (encrypted.accept()) refused = !serve(encrypted);
    }
    if (refused) close_slowly(stream);
    ::shutdown(socket, SHUT_RDWR);
  }

  /// Serves requests until the connection ends. Returns false if it refused one.
  bool serve(ClientStream& client) {
    RequestReader reader;
    while (!stopping_ && (!reader.is_idle() || client.wait_for_request(kKeepAliveSeconds))) {
      auto request = read_request(client, reader);
      if (request && !*request) return true;
      const auto asked = request ? accept(**request) : std::unexpected(request.error());
      if (!asked) {
        write_refusal(client, asked.error());
        return false;
      }
      if (!answer(client, (*request)->head, *asked)) return true;
    }
    return true;
  }

  /// Returns the request for the handler, or why it is refused.
  std::expected<HttpRequest, RequestError> accept(RequestReader::Request& request) const {
    if (auto problem = check_origin(request.head, options_.any_host)) {
      return std::unexpected(*std::move(problem));
    }
    return convert(request);
  }

  /// Returns the next request, nullopt if the connection ended, or why the request is refused.
  std::expected<std::optional<RequestReader::Request>, RequestError> read_request(
      ClientStream& client, RequestReader& reader) const {
    const auto end = std::chrono::steady_clock::now() + kRequestTime;
    std::array<char, 16384> buffer;
    while (!stopping_) {
      auto request = reader.next();
      if (!request || *request) return request;
      if (reader.take_continue() && !write_fully(client, "HTTP/1.1 100 Continue\r\n\r\n")) break;
      const ssize_t size = client.read(buffer.data(), buffer.size());
      if (size <= 0 || std::chrono::steady_clock::now() > end) break;
      reader.add({buffer.data(), static_cast<std::size_t>(size)});
    }
    return std::nullopt;
  }

  /// Returns true if the connection can be used for another request.
  bool answer(ClientStream& client, const RequestHead& head, const HttpRequest& request) {
    HttpResponse response;
    try {
      response = handler_(request);
    } catch (const std::exception& error) {
      log::warning("sandbox: {} {} failed: {}", head.method, head.target, error.what());
      write_refusal(client, {500, "internal error"});
      return false;
    }
    if (!response.stream) return write_response(client, head, std::move(response));
    const StreamPermit permit(streams_, options_.max_streams);
    return write_response(client, head,
                          permit.granted() ? std::move(response) : too_many_streams());
  }

  const HttpServer::Handler handler_;
  const Options options_;
  FileDescriptor wake_;  ///< readable after stop() is called, which ends all waits
  FileDescriptor listener_;
  const TlsIdentity* identity_ = nullptr;
  std::atomic<bool> stopping_ = false;
  std::atomic<std::size_t> streams_ = 0;
  ConnectionThreads connections_;
  std::jthread thread_;
};

HttpServer::HttpServer(Handler handler, Options options)
    : listener_(std::make_unique<Listener>(std::move(handler), options)) {}

HttpServer::~HttpServer() = default;

Result<int> HttpServer::start(const std::string& host, int port, const TlsIdentity* identity) {
  return listener_->start(host, port, identity);
}

void HttpServer::stop() { listener_->stop(); }

}  // namespace kinf::sandbox
