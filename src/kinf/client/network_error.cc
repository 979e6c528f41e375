// SPDX-License-Identifier: Apache-2.0
#include "kinf/client/network_error.h"

#include <curl/curl.h>
#include <fmt/core.h>

#include <cerrno>
#include <string_view>

#include "kinf/base/hints.h"

namespace kinf {
namespace {

// OpenSSL's X509_V_ERR_… codes, which libcurl reports. They are part of OpenSSL's stable ABI.
constexpr long kNotYetValid = 9;
constexpr long kExpired = 10;
constexpr long kSelfSigned = 18;
constexpr long kSelfSignedInChain = 19;
constexpr long kNoLocalIssuer = 20;
constexpr long kNoIssuerAtAll = 21;
constexpr long kHostnameMismatch = 62;
constexpr long kAddressMismatch = 64;

struct Reading {
  ErrorKind kind = ErrorKind::network;
  NetworkFault fault = NetworkFault::closed;
  std::string reason{};
  std::string hint{};
};

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// Returns the errno of the failure, or 0 if unknown. If libcurl does not report it, derives it
/// from the system's error text in libcurl's message.
int errno_of(const TransferFailure& failure) {
  if (failure.os_errno != 0) return failure.os_errno;
  if (has(failure.detail, "Connection refused")) return ECONNREFUSED;
  if (has(failure.detail, "Connection reset") || has(failure.detail, "errno 104")) {
    return ECONNRESET;
  }
  if (has(failure.detail, "timed out")) return ETIMEDOUT;
  if (has(failure.detail, "No route to host")) return EHOSTUNREACH;
  if (has(failure.detail, "Network is unreachable")) return ENETUNREACH;
  return 0;
}

Reading read_os_error(const TransferFailure& failure) {
  switch (errno_of(failure)) {
    case ECONNREFUSED: return {.fault = NetworkFault::refused, .reason = "connection refused"};
    case ECONNRESET:
    case EPIPE: return {.fault = NetworkFault::reset, .reason = "connection reset by peer"};
    case ETIMEDOUT: return {.fault = NetworkFault::timeout, .reason = "connection timed out"};
    case EHOSTUNREACH: return {.fault = NetworkFault::unreachable, .reason = "no route to host"};
    case ENETUNREACH:
      return {.fault = NetworkFault::unreachable, .reason = "network is unreachable"};
    case EMFILE:
    case ENFILE:
      return {ErrorKind::internal, NetworkFault::none, "too many open files",
              "raise the limit of open files (ulimit -n)"};
    default:
      return {.fault = failure.connected ? NetworkFault::reset : NetworkFault::unreachable,
              .reason = failure.detail};
  }
}

/// Describes a certificate error. Uses Go's messages if they exist, because users know them from
/// kubectl.
Reading read_certificate(const TransferFailure& failure) {
  const auto because = [](std::string reason, std::string hint = {}) {
    return Reading{ErrorKind::network, NetworkFault::tls, std::move(reason), std::move(hint)};
  };
  switch (failure.verify_result) {
    case kSelfSigned:
    case kSelfSignedInChain:
    case kNoLocalIssuer:
    case kNoIssuerAtAll:
      return because("certificate signed by unknown authority",
                     "the server's CA is not the certificate-authority in the kubeconfig; " +
                         hint_for("use --certificate-authority FILE", "set TlsConfig::ca_file"));
    case kExpired:
      return because("the server's certificate has expired",
                     "check the clock of this machine, or renew the server's certificate");
    case kNotYetValid:
      return because("the server's certificate is not valid yet",
                     "check the clock of this machine");
    default: break;
  }
  if (failure.verify_result == kHostnameMismatch || failure.verify_result == kAddressMismatch ||
      has(failure.detail, "subject name") || has(failure.detail, "does not match")) {
    return because("the server's certificate is for another name (" + failure.detail + ")",
                   hint_for("use --tls-server-name NAME with a name in the certificate",
                            "set TlsConfig::server_name to a name in the certificate"));
  }
  return because("the server's certificate cannot be verified: " + failure.detail);
}

Reading read_handshake(const TransferFailure& failure) {
  Reading tls{.fault = NetworkFault::tls};
  if (has(failure.detail, "wrong version number") || has(failure.detail, "packet length too") ||
      has(failure.detail, "unknown protocol") || has(failure.detail, "http request")) {
    tls.reason = "the server does not speak TLS on this port";
    tls.hint = "it may be a plain HTTP port: try http:// in the server's address";
  } else if (has(failure.detail, "certificate required") ||
             has(failure.detail, "bad certificate") || has(failure.detail, "alert unknown ca")) {
    tls.reason = "the server does not accept the client certificate";
  } else if (errno_of(failure) == ECONNRESET || has(failure.detail, "SSL_ERROR_SYSCALL") ||
             has(failure.detail, "unexpected eof")) {
    tls.fault = errno_of(failure) == ECONNRESET ? NetworkFault::reset : NetworkFault::closed;
    tls.reason = "the server closed the connection during the TLS handshake";
  } else {
    tls.reason = "TLS handshake: " + failure.detail;
  }
  return tls;
}

bool has_tls_alert(const TransferFailure& failure) {
  return has(failure.detail, "alert") && (has(failure.detail, "SSL") || has(failure.detail, "tls"));
}

Reading read_local_files(const TransferFailure& failure) {
  const std::string what = failure.curl_code == CURLE_SSL_CACERT_BADFILE
                               ? "the certificate authority cannot be read: "
                               : "the client certificate or its key cannot be used: ";
  return {ErrorKind::usage, NetworkFault::tls, what + failure.detail};
}

/// Returns whether the proxy asks for a password, or refuses the given one.
bool is_refused_by_proxy(const TransferFailure& failure) {
  const std::string& detail = failure.detail;
  return !failure.proxy.empty() &&
         ((has(detail, "CONNECT") && has(detail, "407")) || has(detail, "rejected by the SOCKS5"));
}

Reading read_failure(const TransferFailure& failure) {
  if (is_refused_by_proxy(failure)) {
    return {.fault = NetworkFault::unreachable,
            .reason = "the proxy does not accept its user and password",
            .hint = "check proxy-url in the kubeconfig, or $HTTPS_PROXY"};
  }
  switch (failure.curl_code) {
    case CURLE_COULDNT_RESOLVE_HOST: return {.fault = NetworkFault::dns, .reason = "no such host"};
    case CURLE_COULDNT_RESOLVE_PROXY:
      return {.fault = NetworkFault::dns, .reason = "no such host: the proxy " + failure.proxy};
    case CURLE_PEER_FAILED_VERIFICATION: return read_certificate(failure);
    case CURLE_SSL_CONNECT_ERROR: return read_handshake(failure);
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_CERTPROBLEM: return read_local_files(failure);
    case CURLE_OPERATION_TIMEDOUT:
      return {.fault = NetworkFault::timeout,
              .reason =
                  failure.connected ? "timed out waiting for a response" : "connecting timed out"};
    case CURLE_GOT_NOTHING:
    case CURLE_PARTIAL_FILE:
      return {.fault = NetworkFault::closed, .reason = "the server closed the connection"};
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM:
      return {.fault = NetworkFault::reset, .reason = "the server reset the HTTP/2 stream"};
    case CURLE_ABORTED_BY_CALLBACK:  // HttpTransfer refused to send the request again
      return {.fault = NetworkFault::reset,
              .reason = "the server closes connections or streams without an answer"};
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_WEIRD_SERVER_REPLY:
      return {ErrorKind::protocol, NetworkFault::none, "the server does not speak HTTP",
              failure.server.starts_with("http://")
                  ? "it may be a TLS port: try https:// in the server's address"
                  : ""};
    case CURLE_OUT_OF_MEMORY: return {ErrorKind::internal, NetworkFault::none, "out of memory"};
    case CURLE_RECV_ERROR:
    case CURLE_SEND_ERROR:
      return has_tls_alert(failure) ? read_handshake(failure) : read_os_error(failure);
    default: return read_os_error(failure);
  }
}

}  // namespace

Error network_error(const TransferFailure& failure) {
  Reading reading = read_failure(failure);
  std::string place = failure.server;
  if (!failure.source.empty()) place += " (" + failure.source + ")";
  if (!failure.proxy.empty()) place += " through the proxy " + failure.proxy;
  std::string_view what = "no connection to ";
  if (reading.kind == ErrorKind::protocol || reading.kind == ErrorKind::internal) {
    what = "";
  } else if (failure.connected && reading.kind == ErrorKind::network) {
    what = reading.fault == NetworkFault::timeout ? "" : "lost the connection to ";
  }
  return Error(reading.kind, fmt::format("{}{}: {}", what, place, reading.reason), reading.fault)
      .with_hint(std::move(reading.hint));
}

}  // namespace kinf
