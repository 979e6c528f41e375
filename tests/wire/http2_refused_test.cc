// SPDX-License-Identifier: Apache-2.0
// An HTTP/2 server that refuses each stream (RFC 9113, section 8.7).
#include <doctest/doctest.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <atomic>
#include <csignal>
#include <thread>
#include <vector>

#include "kinf/base/stream_socket.h"
#include "kinf/client/client_config.h"
#include "kinf/http/tls_identity.h"
#include "wire/http_source_rig.h"

namespace kinf {
namespace {

/// Threads: start and stop from one thread.
class RefusingServer {
 public:
  RefusingServer()
      : identity_(TlsIdentity::create("127.0.0.1", "test").value()),
        listening_(listen_on("127.0.0.1", 0).value()) {
    std::signal(SIGPIPE, SIG_IGN);  // OpenSSL writes to connections that the client has closed
    SSL_CTX_set_alpn_select_cb(identity_.context(), choose_http2, nullptr);
    acceptor_ = std::jthread([this] { accept_all(); });
  }
  ~RefusingServer() {
    ::shutdown(listening_.socket.get(), SHUT_RDWR);
    acceptor_.join();
  }
  RefusingServer(const RefusingServer&) = delete;
  RefusingServer& operator=(const RefusingServer&) = delete;

  std::string url() const { return "https://127.0.0.1:" + std::to_string(listening_.port); }
  const std::string& certificate() const { return identity_.certificate_pem(); }
  int dials() const { return dials_; }
  int streams() const { return streams_; }

 private:
  static int choose_http2(SSL*, const unsigned char** out, unsigned char* size,
                          const unsigned char*, unsigned, void*) {
    *out = reinterpret_cast<const unsigned char*>("h2");
    *size = 2;
    return SSL_TLSEXT_ERR_OK;
  }

  void accept_all() {
    std::vector<std::jthread> connections;
    pollfd waited{listening_.socket.get(), POLLIN, 0};
    while (::poll(&waited, 1, -1) == 1 && (waited.revents & POLLHUP) == 0) {
      const int socket = ::accept4(listening_.socket.get(), nullptr, nullptr, SOCK_CLOEXEC);
      if (socket < 0) continue;
      ++dials_;
      connections.emplace_back([this, socket] { serve(FileDescriptor(socket)); });
    }
  }

  /// Reads frames until the client closes the connection.
  void serve(const FileDescriptor& socket) {
    const std::unique_ptr<SSL, void (*)(SSL*)> ssl(SSL_new(identity_.context()), SSL_free);
    SSL_set_fd(ssl.get(), socket.get());
    std::array<unsigned char, 24> preface{};
    if (SSL_accept(ssl.get()) != 1 || !read(*ssl, preface)) return;
    send(*ssl, {0, 0, 0, kSettings, 0, 0, 0, 0, 0});
    std::array<unsigned char, 9> head{};
    while (read(*ssl, head)) {
      for (int size = head[0] * 65536 + head[1] * 256 + head[2]; size > 0; --size) {
        std::array<unsigned char, 1> byte{};
        if (!read(*ssl, byte)) return;
      }
      if (head[3] == kSettings && head[4] == 0) send(*ssl, {0, 0, 0, kSettings, kAck, 0, 0, 0, 0});
      if (head[3] != kHeaders) continue;
      ++streams_;
      send(*ssl, {0, 0, 4, kReset, 0, head[5], head[6], head[7], head[8], 0, 0, 0, kRefused});
    }
  }

  template <std::size_t N>
  static bool read(SSL& ssl, std::array<unsigned char, N>& bytes) {
    std::size_t done = 0;
    while (done < N) {
      const int got = SSL_read(&ssl, bytes.data() + done, static_cast<int>(N - done));
      if (got <= 0) return false;
      done += static_cast<std::size_t>(got);
    }
    return true;
  }
  static void send(SSL& ssl, const std::vector<unsigned char>& frame) {
    SSL_write(&ssl, frame.data(), static_cast<int>(frame.size()));
  }

  static constexpr unsigned char kHeaders = 1;
  static constexpr unsigned char kReset = 3;
  static constexpr unsigned char kSettings = 4;
  static constexpr unsigned char kAck = 1;
  static constexpr unsigned char kRefused = 7;

  const TlsIdentity identity_;
  const ListenSocket listening_;
  std::atomic<int> dials_ = 0;
  std::atomic<int> streams_ = 0;
  std::jthread acceptor_;
};

TEST_CASE("A29: a request whose HTTP/2 stream is refused on a new connection is sent once") {
  RealClock clock;
  RefusingServer server;
  ClientConfig config;
  config.host = server.url();
  config.tls.ca_data = server.certificate();
  const auto source = HttpListerWatcher::create(config, {}, nullptr, test::pods_of("shop"), clock);
  REQUIRE(source.has_value());
  test::Items items;
  const Result<ListPage> page = test::run_list(**source, items);
  REQUIRE_FALSE(page.has_value());
  CHECK(page.error().kind == ErrorKind::network);
  CHECK(page.error().message.find("streams without an answer") != std::string::npos);
  CHECK(server.streams() == 1);
  CHECK(server.dials() == 1);
}

}  // namespace
}  // namespace kinf
