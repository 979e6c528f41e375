// SPDX-License-Identifier: Apache-2.0
#include "kinf/http/tls_identity.h"

#include <fmt/format.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <unistd.h>

#include <array>
#include <utility>

namespace kinf {
namespace {

constexpr long kHour = 60L * 60;
constexpr long kYear = 365 * 24 * kHour;

template <auto free_one>
struct FreeWith {
  void operator()(auto* thing) const { free_one(thing); }
};
using Key = std::unique_ptr<EVP_PKEY, FreeWith<EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, FreeWith<X509_free>>;

std::unexpected<Error> failure(std::string_view doing) {
  std::array<char, 256> reason{};
  ERR_error_string_n(ERR_get_error(), reason.data(), reason.size());
  ERR_clear_error();
  return fail(ErrorKind::internal, fmt::format("cannot {}: {}", doing, reason.data()));
}

/// Returns the names of the server in the syntax of a subjectAltName extension.
std::string alternative_names(const std::string& address) {
  std::array<char, 256> own{};
  if (::gethostname(own.data(), own.size() - 1) != 0) own[0] = '\0';
  return fmt::format("DNS:localhost,IP:127.0.0.1,IP:{}{}{}", address,
                     own[0] == '\0' ? "" : ",DNS:", own.data());
}

bool add_extension(X509* certificate, int nid, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, certificate, certificate, nullptr, nullptr, 0);
  const std::unique_ptr<X509_EXTENSION, FreeWith<X509_EXTENSION_free>> extension(
      X509V3_EXT_conf_nid(nullptr, &context, nid, value.c_str()));
  return extension && X509_add_ext(certificate, extension.get(), -1) == 1;
}

Certificate self_signed(EVP_PKEY* key, const std::string& address, const std::string& owner) {
  Certificate certificate(X509_new());
  X509* x509 = certificate.get();
  if (x509 == nullptr || X509_set_version(x509, X509_VERSION_3) != 1) return nullptr;
  X509_NAME* name = X509_get_subject_name(x509);
  const bool complete =
      ASN1_INTEGER_set(X509_get_serialNumber(x509), 1) == 1 &&
      X509_gmtime_adj(X509_getm_notBefore(x509), -kHour) != nullptr &&
      X509_gmtime_adj(X509_getm_notAfter(x509), kYear) != nullptr &&
      X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC,
                                 reinterpret_cast<const unsigned char*>(owner.c_str()), -1, -1,
                                 0) == 1 &&
      X509_set_issuer_name(x509, name) == 1 && X509_set_pubkey(x509, key) == 1 &&
      add_extension(x509, NID_basic_constraints, "critical,CA:TRUE") &&
      add_extension(x509, NID_key_usage, "critical,digitalSignature,keyCertSign") &&
      add_extension(x509, NID_ext_key_usage, "serverAuth") &&
      add_extension(x509, NID_subject_alt_name, alternative_names(address)) &&
      X509_sign(x509, key, EVP_sha256()) > 0;
  return complete ? std::move(certificate) : nullptr;
}

std::string pem_of(X509* certificate) {
  const std::unique_ptr<BIO, FreeWith<BIO_free_all>> memory(BIO_new(BIO_s_mem()));
  if (!memory || PEM_write_bio_X509(memory.get(), certificate) != 1) return "";
  char* begin = nullptr;
  const long size = BIO_get_mem_data(memory.get(), &begin);
  return {begin, static_cast<std::size_t>(size)};
}

/// An ALPN callback. Chooses HTTP/1.1, or no protocol if the client does not offer HTTP/1.1.
int choose_protocol(SSL* /*ssl*/, const unsigned char** chosen, unsigned char* chosen_size,
                    const unsigned char* offered, unsigned int offered_size, void* /*unused*/) {
  static constexpr std::array<unsigned char, 9> kHttp11 = {8,   'h', 't', 't', 'p',
                                                           '/', '1', '.', '1'};
  unsigned char* found = nullptr;
  const int outcome = SSL_select_next_proto(&found, chosen_size, kHttp11.data(), kHttp11.size(),
                                            offered, offered_size);
  *chosen = found;
  return outcome == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_NOACK;
}

}  // namespace

Result<TlsIdentity> TlsIdentity::create(const std::string& address, const std::string& name) {
  const Key key(EVP_EC_gen("P-256"));
  if (!key) return failure("make a key for the " + name);
  const Certificate certificate = self_signed(key.get(), address, "kinf " + name);
  std::string pem = certificate ? pem_of(certificate.get()) : "";
  if (pem.empty()) return failure("make a certificate for the " + name);
  std::shared_ptr<SSL_CTX> context(SSL_CTX_new(TLS_server_method()), SSL_CTX_free);
  if (!context || SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION) != 1 ||
      SSL_CTX_use_certificate(context.get(), certificate.get()) != 1 ||
      SSL_CTX_use_PrivateKey(context.get(), key.get()) != 1) {
    return failure("set up TLS for the " + name);
  }
  SSL_CTX_set_mode(context.get(), SSL_MODE_ENABLE_PARTIAL_WRITE |
                                      SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                                      SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_alpn_select_cb(context.get(), choose_protocol, nullptr);
  return TlsIdentity(std::move(context), std::move(pem));
}

}  // namespace kinf
