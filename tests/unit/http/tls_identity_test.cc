// SPDX-License-Identifier: Apache-2.0
#include "kinf/http/tls_identity.h"

#include <doctest/doctest.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

namespace kinf {
namespace {

struct Certificate {
  explicit Certificate(const std::string& pem)
      : bio(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())), BIO_free_all),
        x509(PEM_read_bio_X509(bio.get(), nullptr, nullptr, nullptr), X509_free) {
    REQUIRE(x509 != nullptr);
  }
  bool is_for_host(const char* host) const {
    return X509_check_host(x509.get(), host, 0, 0, nullptr) == 1;
  }
  bool is_for_ip(const char* ip) const { return X509_check_ip_asc(x509.get(), ip, 0) == 1; }

  std::unique_ptr<BIO, void (*)(BIO*)> bio;
  std::unique_ptr<X509, void (*)(X509*)> x509;
};

TEST_CASE("a certificate names this machine, its loopback and the address it listens on") {
  const auto identity = TlsIdentity::create("192.0.2.7", "sandbox");
  REQUIRE(identity.has_value());
  const Certificate certificate(identity->certificate_pem());
  CHECK(certificate.is_for_host("localhost"));
  CHECK(certificate.is_for_ip("127.0.0.1"));
  CHECK(certificate.is_for_ip("192.0.2.7"));
  CHECK_FALSE(certificate.is_for_ip("192.0.2.8"));
  CHECK_FALSE(certificate.is_for_host("example.com"));
}

TEST_CASE("a certificate is its own authority, valid now and for a year") {
  const auto identity = TlsIdentity::create("127.0.0.1", "sandbox");
  REQUIRE(identity.has_value());
  const Certificate certificate(identity->certificate_pem());
  X509* x509 = certificate.x509.get();
  CHECK(X509_check_ca(x509) == 1);
  CHECK(X509_verify(x509, X509_get0_pubkey(x509)) == 1);
  CHECK(X509_cmp_current_time(X509_get0_notBefore(x509)) < 0);
  CHECK(X509_cmp_current_time(X509_get0_notAfter(x509)) > 0);
  int valid_days = 0;
  int seconds = 0;
  ASN1_TIME_diff(&valid_days, &seconds, X509_get0_notBefore(x509), X509_get0_notAfter(x509));
  CHECK(valid_days == 365);
}

TEST_CASE("each identity has a key of its own, and its context uses it with TLS 1.2 or newer") {
  const auto first = TlsIdentity::create("127.0.0.1", "sandbox");
  const auto second = TlsIdentity::create("127.0.0.1", "sandbox");
  REQUIRE(first.has_value());
  REQUIRE(second.has_value());
  CHECK(first->certificate_pem() != second->certificate_pem());
  CHECK(SSL_CTX_check_private_key(first->context()) == 1);
  CHECK(SSL_CTX_get_min_proto_version(first->context()) == TLS1_2_VERSION);
}

TEST_CASE("an address that is none is an error, not a certificate without it") {
  const auto identity = TlsIdentity::create("not an address", "sandbox");
  REQUIRE_FALSE(identity.has_value());
  CHECK(identity.error().kind == ErrorKind::internal);
  CHECK(identity.error().message.starts_with("cannot make a certificate for the sandbox"));
}

}  // namespace
}  // namespace kinf
