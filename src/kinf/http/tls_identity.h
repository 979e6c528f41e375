// SPDX-License-Identifier: Apache-2.0
// TlsIdentity: the private key and self-signed certificate of a TLS server. Each server creates its
// own and does not save them. The certificate is its own CA.
#pragma once

#include <openssl/types.h>

#include <memory>
#include <string>

#include "kinf/base/error.h"

namespace kinf {

/// Threads: context() may be called from any thread.
class TlsIdentity {
 public:
  /// Creates a key, and a certificate with the common name `kinf NAME`, for this machine's name,
  /// localhost, 127.0.0.1 and `address` (IPv4). The certificate is valid from one hour ago until a
  /// year from now, by the system clock. Fails with an internal error if OpenSSL fails.
  static Result<TlsIdentity> create(const std::string& address, const std::string& name);

  const std::string& certificate_pem() const { return certificate_pem_; }
  /// Returns the context for SSL_new(). It allows TLS 1.2 or newer and, with ALPN, only HTTP/1.1.
  SSL_CTX* context() const { return context_.get(); }

 private:
  TlsIdentity(std::shared_ptr<SSL_CTX> context, std::string certificate_pem)
      : context_(std::move(context)), certificate_pem_(std::move(certificate_pem)) {}

  std::shared_ptr<SSL_CTX> context_;
  std::string certificate_pem_;
};

}  // namespace kinf
