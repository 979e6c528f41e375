// SPDX-License-Identifier: Apache-2.0
// TlsIdentity: the key and certificate of a sandbox that speaks TLS, made anew by each one and kept
// nowhere. The certificate is its own authority, so a kubeconfig carries it as such.
#pragma once

#include <openssl/types.h>

#include <memory>
#include <string>

#include "kinf/base/error.h"

namespace kinf::sandbox {

/// Threads: context() may be used from any; create() is called once.
class TlsIdentity {
 public:
  /// Valid for this machine's name, its loopback and `address` (IPv4): from an hour ago, by the
  /// clock of the system, which is the one that clients judge it by, for a year.
  static Result<TlsIdentity> create(const std::string& address);

  const std::string& certificate_pem() const { return certificate_pem_; }
  /// For SSL_new() of a server: TLS 1.2 and newer, no protocol but HTTP/1.1.
  SSL_CTX* context() const { return context_.get(); }

 private:
  TlsIdentity(std::shared_ptr<SSL_CTX> context, std::string certificate_pem)
      : context_(std::move(context)), certificate_pem_(std::move(certificate_pem)) {}

  std::shared_ptr<SSL_CTX> context_;
  std::string certificate_pem_;
};

}  // namespace kinf::sandbox
