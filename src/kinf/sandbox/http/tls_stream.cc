// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/http/tls_stream.h"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <poll.h>

namespace kinf::sandbox {

TlsStream::TlsStream(SSL_CTX* context, int socket) : ssl_(SSL_new(context), SSL_free) {
  broken_ = !ssl_ || SSL_set_fd(ssl_.get(), socket) != 1;
  if (!broken_) SSL_set_accept_state(ssl_.get());
}

TlsStream::~TlsStream() {
  if (!broken_) SSL_shutdown(ssl_.get());
  ERR_clear_error();
}

/// Calls SSL_read_ex() or SSL_write_ex() as `operation`.
template <class Operation>
Transfer TlsStream::attempt(Operation operation) {
  if (broken_) return {};
  ERR_clear_error();
  std::size_t bytes = 0;
  const int outcome = operation(ssl_.get(), &bytes);
  if (outcome > 0) return {bytes, 0};
  switch (SSL_get_error(ssl_.get(), outcome)) {
    case SSL_ERROR_WANT_READ:
      return {0, POLLIN};
    case SSL_ERROR_WANT_WRITE:
      return {0, POLLOUT};
    case SSL_ERROR_ZERO_RETURN:  // the client ended the TLS connection
      return {};
    default:
      broken_ = true;
      return {};
  }
}

Transfer TlsStream::read(char* into, std::size_t size) {
  return attempt([&](SSL* ssl, std::size_t* got) { return SSL_read_ex(ssl, into, size, got); });
}

Transfer TlsStream::write(std::string_view bytes) {
  return attempt([&](SSL* ssl, std::size_t* sent) {
    return SSL_write_ex(ssl, bytes.data(), bytes.size(), sent);
  });
}

}  // namespace kinf::sandbox
