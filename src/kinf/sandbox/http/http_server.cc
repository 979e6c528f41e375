// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/http/http_server.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include <cerrno>
#include <chrono>
#include <system_error>
#include <utility>

#include "kinf/base/log.h"
#include "kinf/base/stream_socket.h"
#include "kinf/sandbox/http/http_connection.h"

namespace kinf::sandbox {
namespace {

/// Enough for handlers that wait for the disk. Few handlers do.
constexpr std::size_t kThreads = 16;
/// How long to wait for other connections to end, if there is no descriptor for a new one.
constexpr std::chrono::milliseconds kRetryAccept(100);
/// After this many such waits, connections are accepted with the spare descriptor and closed.
/// Otherwise, their clients would wait for as long as the others keep theirs.
constexpr int kMostWaits = 10;
/// After this number of connections, other tasks have a turn.
constexpr int kAcceptsPerTurn = 64;

int open_spare() { return ::open("/dev/null", O_RDONLY | O_CLOEXEC); }

/// Accepts connections.
class Acceptor final : public Reactor::Task {
 public:
  Acceptor(FileDescriptor socket, Reactor& reactor, HttpService& service)
      : socket_(std::move(socket)), reactor_(reactor), service_(service) {}

  int descriptor() const override { return socket_.get(); }
  std::optional<Reactor::Wait> run(std::uint32_t events) override;
  void stop() override {}

 private:
  void serve(FileDescriptor connection);
  Reactor::Wait wait_for_descriptor();
  void refuse_waiting();

  const FileDescriptor socket_;
  FileDescriptor spare_{open_spare()};
  int waits_ = 0;
  Reactor& reactor_;
  HttpService& service_;
};

std::optional<Reactor::Wait> Acceptor::run(std::uint32_t /*events*/) {
  for (int i = 0; i < kAcceptsPerTurn; ++i) {
    FileDescriptor connection = accept_connection(socket_.get());
    if (connection.is_open()) {
      waits_ = 0;
      serve(std::move(connection));
      continue;
    }
    const int reason = errno;
    if (reason == EAGAIN) return Reactor::Wait{POLLIN, Clock::kNever};
    // This connection failed, not the listening socket.
    if (reason == EINTR || reason == ECONNABORTED || reason == EPROTO) continue;
    if (reason == EMFILE || reason == ENFILE || reason == ENOBUFS || reason == ENOMEM) {
      return wait_for_descriptor();
    }
    log::warning("sandbox: cannot accept more connections: {}",
                 std::generic_category().message(reason));
    return std::nullopt;
  }
  return Reactor::Wait{0, Clock::Mono::min()};
}

/// Waits until a connection ends. If none does for a while, refuses those that wait.
Reactor::Wait Acceptor::wait_for_descriptor() {
  if (++waits_ > kMostWaits) refuse_waiting();
  return Reactor::Wait{0, RealClock().now() + kRetryAccept};
}

void Acceptor::refuse_waiting() {
  if (waits_ == kMostWaits + 1) {
    log::warning("sandbox: refuses connections: too many open files (ulimit -n)");
  }
  for (int i = 0; i < kAcceptsPerTurn; ++i) {
    spare_.reset();
    const FileDescriptor refused = accept_connection(socket_.get());
    if (!refused.is_open()) break;
  }
  spare_.reset(open_spare());
}

void Acceptor::serve(FileDescriptor connection) {
  const int on = 1;
  ::setsockopt(connection.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  reactor_.add(std::make_unique<HttpConnection>(std::move(connection), service_));
}

}  // namespace

HttpServer::HttpServer(Handler handler, Options options)
    : service_(std::make_unique<HttpService>()), reactor_(kThreads) {
  service_->handler = std::move(handler);
  service_->hosts = options.hosts;
  service_->max_streams = options.max_streams;
}

HttpServer::~HttpServer() { stop(); }

Result<int> HttpServer::start(const std::string& host, int port, const TlsIdentity* identity) {
  Result<ListenSocket> listening = listen_on(host, port);
  if (!listening) return std::unexpected(std::move(listening).error());
  service_->identity = identity;
  if (Result<> started = reactor_.start(); !started) {
    return std::unexpected(std::move(started).error());
  }
  reactor_.add(std::make_unique<Acceptor>(std::move(listening->socket), reactor_, *service_));
  return listening->port;
}

void HttpServer::stop() { reactor_.stop(); }

}  // namespace kinf::sandbox
