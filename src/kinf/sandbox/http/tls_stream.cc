// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/http/tls_stream.h"

#include <fcntl.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <poll.h>

#include <algorithm>
#include <limits>

namespace kinf::sandbox {
namespace {

constexpr int kTimeout = 10'000;  // milliseconds

int clamped(std::size_t size) {
  return static_cast<int>(std::min<std::size_t>(size, std::numeric_limits<int>::max()));
}

}  // namespace

TlsStream::TlsStream(SSL_CTX* context, SocketStream& socket)
    : socket_(socket), ssl_(SSL_new(context), SSL_free) {
  ::fcntl(socket.socket(), F_SETFL, ::fcntl(socket.socket(), F_GETFL) | O_NONBLOCK);
  if (!ssl_ || SSL_set_fd(ssl_.get(), socket.socket()) != 1) broken_ = true;
}

TlsStream::~TlsStream() {
  if (!broken_) SSL_shutdown(ssl_.get());
  ERR_clear_error();
}

/// Repeats `operation` while OpenSSL waits for the socket. Each wait is limited to `milliseconds`.
/// Returns the last result: positive on success, 0 if the client ended the TLS connection, -1 on
/// failure.
template <class Operation>
int TlsStream::complete(Operation operation, int milliseconds) {
  while (!broken_) {
    ERR_clear_error();
    const int outcome = operation(ssl_.get());
    if (outcome > 0) return outcome;
    const int error = SSL_get_error(ssl_.get(), outcome);
    if (error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE) {
      const short events = error == SSL_ERROR_WANT_READ ? POLLIN : POLLOUT;
      if (!socket_.wait(events, milliseconds)) return -1;
      continue;
    }
    broken_ = error != SSL_ERROR_ZERO_RETURN;
    return error == SSL_ERROR_ZERO_RETURN ? 0 : -1;
  }
  return -1;
}

bool TlsStream::accept() {
  const bool accepted = complete(SSL_accept, kTimeout) > 0;
  broken_ = broken_ || !accepted;
  return accepted;
}

bool TlsStream::wait_for_request(int seconds) {
  char first = 0;
  return complete([&](SSL* ssl) { return SSL_peek(ssl, &first, 1); }, seconds * 1000) == 1;
}

ssize_t TlsStream::read(char* ptr, std::size_t size) {
  return complete([&](SSL* ssl) { return SSL_read(ssl, ptr, clamped(size)); }, kTimeout);
}

ssize_t TlsStream::write(const char* ptr, std::size_t size) {
  if (size == 0) return 0;
  return complete([&](SSL* ssl) { return SSL_write(ssl, ptr, clamped(size)); }, kTimeout);
}

}  // namespace kinf::sandbox
