// SPDX-License-Identifier: Apache-2.0
#include "kinf/http/client_stream.h"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <sys/socket.h>

#include <cerrno>

namespace kinf {
namespace {

constexpr Transfer kReadLater{.waits_to_read = true};
constexpr Transfer kWriteLater{.waits_to_write = true};

/// Runs `transfer`, a call of recv() or send(), again if a signal interrupts it.
template <class Call>
Transfer completed(Call transfer, const Transfer& later) {
  for (;;) {
    const ssize_t bytes = transfer();
    if (bytes >= 0) return {.bytes = static_cast<std::size_t>(bytes)};
    if (errno == EAGAIN || errno == EWOULDBLOCK) return later;
    if (errno != EINTR) return {};
  }
}

class PlainStream final : public ClientStream {
 public:
  explicit PlainStream(int socket) : socket_(socket) {}

  Transfer read(char* into, std::size_t size) override {
    return completed([&] { return ::recv(socket_, into, size, 0); }, kReadLater);
  }
  Transfer write(std::string_view bytes) override {
    return completed([&] { return ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL); },
                     kWriteLater);
  }

 private:
  int socket_;
};

class TlsStream final : public ClientStream {
 public:
  TlsStream(SSL_CTX* context, int socket) : ssl_(SSL_new(context), SSL_free) {
    broken_ = !ssl_ || SSL_set_fd(ssl_.get(), socket) != 1;
    if (!broken_) SSL_set_accept_state(ssl_.get());
  }
  ~TlsStream() override {
    if (!broken_) SSL_shutdown(ssl_.get());
    ERR_clear_error();
  }
  TlsStream(const TlsStream&) = delete;
  TlsStream& operator=(const TlsStream&) = delete;

  Transfer read(char* into, std::size_t size) override {
    return attempt([&](SSL* ssl, std::size_t* got) { return SSL_read_ex(ssl, into, size, got); });
  }
  Transfer write(std::string_view bytes) override {
    return attempt([&](SSL* ssl, std::size_t* sent) {
      return SSL_write_ex(ssl, bytes.data(), bytes.size(), sent);
    });
  }

 private:
  /// Runs `operation`, a call of SSL_read_ex() or SSL_write_ex().
  template <class Operation>
  Transfer attempt(Operation operation) {
    if (broken_) return {};
    ERR_clear_error();
    std::size_t bytes = 0;
    const int outcome = operation(ssl_.get(), &bytes);
    if (outcome > 0) return {.bytes = bytes};
    const int error = SSL_get_error(ssl_.get(), outcome);
    if (error == SSL_ERROR_WANT_READ) return kReadLater;
    if (error == SSL_ERROR_WANT_WRITE) return kWriteLater;
    broken_ = error != SSL_ERROR_ZERO_RETURN;  // ZERO_RETURN: the client ended TLS
    return {};
  }

  std::unique_ptr<SSL, void (*)(SSL*)> ssl_;
  bool broken_ = false;
};

}  // namespace

std::unique_ptr<ClientStream> plain_stream(int socket) {
  return std::make_unique<PlainStream>(socket);
}

std::unique_ptr<ClientStream> tls_stream(SSL_CTX* context, int socket) {
  return std::make_unique<TlsStream>(context, socket);
}

}  // namespace kinf
