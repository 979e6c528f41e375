// SPDX-License-Identifier: Apache-2.0
#include "kinf/http/http_server.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/system/system_error.hpp>
#include <cerrno>
#include <chrono>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "kinf/base/ascii.h"
#include "kinf/base/log.h"
#include "kinf/base/stream_socket.h"
#include "kinf/base/url.h"
#include "kinf/http/http_connection.h"

namespace kinf {
namespace {

/// The maximum number of threads. This is enough, because few handlers block on the disk.
constexpr std::size_t kThreads = 16;
/// How long to wait for other connections to end if there is no descriptor for a new one.
constexpr std::chrono::milliseconds kRetryAccept(100);
/// After this many waits, the server accepts the waiting connections with its spare descriptor and
/// closes them, so that their clients learn that the server is full.
constexpr int kWaitsBeforeRefusal = 10;
/// After this number of connections, the acceptor lets other work run.
constexpr int kAcceptsPerTurn = 64;

FileDescriptor open_spare() { return FileDescriptor(::open("/dev/null", O_RDONLY | O_CLOEXEC)); }

/// Accepts connections. Threads: all functions except start() and stop() run in its strand.
class Acceptor {
 public:
  Acceptor(boost::asio::io_context& io, FileDescriptor socket, HttpService& service)
      : io_(io),
        service_(service),
        strand_(io.get_executor()),
        socket_(strand_, socket.get()),
        timer_(strand_) {
    socket.release();
  }

  void start() {
    boost::asio::post(strand_, [this] { accept(); });
  }
  void stop() {
    boost::asio::post(strand_, [this] {
      timer_.cancel();
      WaitError ignored;
      socket_.close(ignored);
    });
  }

 private:
  /// Accepts the waiting connections.
  void accept() {
    for (int i = 0; i < kAcceptsPerTurn && socket_.is_open(); ++i) {
      FileDescriptor connection = accept_connection(socket_.native_handle());
      if (connection.is_open()) {
        waits_ = 0;
        const int on = 1;
        ::setsockopt(connection.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        HttpConnection::open(io_, std::move(connection), service_);
        continue;
      }
      const int reason = errno;
      if (reason == EAGAIN) return wait();
      // Only this connection failed. The listening socket still works.
      if (reason == EINTR || reason == ECONNABORTED || reason == EPROTO) continue;
      if (reason == EMFILE || reason == ENFILE || reason == ENOBUFS || reason == ENOMEM) {
        return wait_for_descriptor();
      }
      log::warning("{}: cannot accept more connections: {}", service_.name,
                   std::generic_category().message(reason));
      WaitError ignored;
      socket_.close(ignored);  // so that the system refuses new clients
      return;
    }
    if (socket_.is_open()) start();
  }

  void wait() {
    socket_.async_wait(WaitedSocket::wait_read, [this](const WaitError& error) {
      if (!error) accept();
    });
  }

  /// Waits for a connection to end. If none has ended after kWaitsBeforeRefusal waits, refuses the
  /// waiting clients.
  void wait_for_descriptor() {
    if (++waits_ > kWaitsBeforeRefusal) refuse_waiting();
    timer_.expires_after(kRetryAccept);
    timer_.async_wait([this](const WaitError& error) {
      if (!error) accept();
    });
  }

  void refuse_waiting() {
    if (waits_ == kWaitsBeforeRefusal + 1) {
      log::warning("{}: refuses connections: too many open files (ulimit -n)", service_.name);
    }
    for (int i = 0; i < kAcceptsPerTurn; ++i) {
      spare_.reset();
      const FileDescriptor refused = accept_connection(socket_.native_handle());
      if (!refused.is_open()) break;
    }
    spare_ = open_spare();
  }

  boost::asio::io_context& io_;
  HttpService& service_;
  Strand strand_;
  WaitedSocket socket_;
  WaitTimer timer_;
  FileDescriptor spare_ = open_spare();
  int waits_ = 0;
};

}  // namespace

/// The listening socket, the connections and the threads of the server. Threads: like HttpServer.
class HttpServer::Loop {
 public:
  Loop(Handler handler, Options options) {
    service_.name = std::move(options.name);
    service_.handler = std::move(handler);
    service_.begin_work = [this] { begin_work(); };
    service_.end_work = [this] {
      MutexLock lock(mu_);
      --working_;
    };
    service_.hosts = options.hosts;
    service_.max_streams = options.max_streams;
  }

  Result<int> start(const std::string& host, int port, const TlsIdentity* identity) {
    Result<ListenSocket> listening = listen_on(host, port);
    if (!listening) return std::unexpected(std::move(listening).error());
    service_.identity = identity;
    try {
      io_.emplace();
      acceptor_.emplace(*io_, std::move(listening->socket), service_);
      work_.emplace(io_->get_executor());
    } catch (const boost::system::system_error& error) {
      return fail(ErrorKind::internal,
                  std::string("cannot wait for sockets: ") + error.code().message());
    }
    acceptor_->start();
    try {
      MutexLock lock(mu_);
      add_thread();
    } catch (const std::system_error& error) {
      return fail(ErrorKind::internal, std::string("cannot start a thread: ") + error.what());
    }
    return listening->port;
  }

  void stop() {
    if (!work_) return;
    acceptor_->stop();
    {
      MutexLock lock(service_.mu);
      service_.stopping = true;
      for (const auto& each : service_.connections) each->stop();
    }
    work_.reset();  // io_->run() then returns when all connections are closed
    for (;;) {
      std::vector<std::jthread> threads;
      MutexLock lock(mu_);
      threads.swap(threads_);
      if (threads.empty()) break;
      mu_.unlock();
      threads.clear();  // joins them
      mu_.lock();
    }
  }

 private:
  using Work = boost::asio::executor_work_guard<boost::asio::io_context::executor_type>;

  /// If all threads are busy, starts another one to wait for the sockets, because a handler, a
  /// large response or a TLS handshake may take long.
  void begin_work() {
    MutexLock lock(mu_);
    if (++working_ < threads_.size() || threads_.size() >= kThreads) return;
    try {
      add_thread();
    } catch (const std::system_error&) {
      // If the system refuses a thread, the existing threads do its work.
    }
  }

  void add_thread() KINF_REQUIRES(mu_) {
    threads_.emplace_back([this] { io_->run(); });
  }

  HttpService service_;
  std::optional<boost::asio::io_context> io_;
  std::optional<Acceptor> acceptor_;
  std::optional<Work> work_;  ///< keeps the threads running until stop()
  Mutex mu_;
  std::vector<std::jthread> threads_ KINF_GUARDED_BY(mu_);
  std::size_t working_ KINF_GUARDED_BY(mu_) = 0;  ///< number of threads that work for a connection
};

HttpServer::HttpServer(Handler handler, Options options)
    : loop_(std::make_unique<Loop>(std::move(handler), std::move(options))) {}

HttpServer::~HttpServer() { stop(); }

Result<int> HttpServer::start(const std::string& host, int port, const TlsIdentity* identity) {
  return loop_->start(host, port, identity);
}

void HttpServer::stop() { loop_->stop(); }

Result<HostPort> parse_host_port(std::string_view text) {
  const auto parts = split_host_port(text);
  const int port = parts ? parse_number<int>(parts->port).value_or(-1) : -1;
  if (port < 0 || port > 65535 || parts->host.empty()) {
    return fail(ErrorKind::usage, fmt::format("\"{}\" is not an address: HOST:PORT", text));
  }
  return HostPort{std::string(parts->host), port};
}

Result<HostPort> parse_listen(std::string_view text, bool listen_any) {
  Result<HostPort> address = parse_host_port(text);
  if (!address) return address;
  if (address->host == "localhost") address->host = "127.0.0.1";
  if (!listen_any && !address->host.starts_with("127.")) {
    return fail(
        ErrorKind::usage,
        fmt::format("{} is not a loopback address; --listen-any allows others", address->host));
  }
  in_addr bytes{};
  if (::inet_pton(AF_INET, address->host.c_str(), &bytes) != 1) {
    return fail(ErrorKind::usage, fmt::format("{} is not an IPv4 address", address->host));
  }
  return address;
}

}  // namespace kinf
