// SPDX-License-Identifier: Apache-2.0
#include "kinf/client/network_error.h"

#include <curl/curl.h>
#include <doctest/doctest.h>

#include <cerrno>

namespace kinf {
namespace {

TransferFailure failure(CURLcode code, std::string detail = {}) {
  TransferFailure made;
  made.curl_code = static_cast<int>(code);
  made.detail = std::move(detail);
  made.server = "https://10.0.0.1:6443";
  return made;
}

TEST_CASE(
    "a refused connection is said as kubectl's users know it, with where the address is from") {
  TransferFailure refused = failure(CURLE_COULDNT_CONNECT, "Failed to connect to 10.0.0.1");
  refused.os_errno = ECONNREFUSED;
  Error error = network_error(refused);
  CHECK(error.kind == ErrorKind::network);
  CHECK(error.fault == NetworkFault::refused);
  CHECK(error.message == "no connection to https://10.0.0.1:6443: connection refused");
  refused.source = "context \"prod\", ~/.kube/config";
  CHECK(network_error(refused).message ==
        "no connection to https://10.0.0.1:6443 (context \"prod\", ~/.kube/config): "
        "connection refused");
}

TEST_CASE("J20: a proxy that refuses the password is named") {
  for (const char* detail :
       {"CONNECT tunnel failed, response 407", "Received HTTP code 407 from proxy after CONNECT",
        "User was rejected by the SOCKS5 server (1 1)."}) {
    TransferFailure refused = failure(CURLE_RECV_ERROR, detail);
    refused.proxy = "http://proxy:3128";
    const Error error = network_error(refused);
    CHECK(error.kind == ErrorKind::network);
    CHECK(error.message ==
          "no connection to https://10.0.0.1:6443 through the proxy http://proxy:3128: the proxy "
          "does not accept its user and password");
    CHECK(error.fault == NetworkFault::unreachable);
    CHECK(error.hint == "check proxy-url in the kubeconfig, or $HTTPS_PROXY");
  }
}

TEST_CASE("each network failure has its fault") {
  struct Row {
    CURLcode code;
    int os_errno;
    const char* detail;
    bool connected;
    NetworkFault fault;
  };
  for (const Row& row : {
           Row{CURLE_COULDNT_RESOLVE_HOST, 0, "", false, NetworkFault::dns},
           Row{CURLE_COULDNT_CONNECT, EHOSTUNREACH, "", false, NetworkFault::unreachable},
           Row{CURLE_COULDNT_CONNECT, 0, "whatever", false, NetworkFault::unreachable},
           Row{CURLE_OPERATION_TIMEDOUT, 0, "", false, NetworkFault::timeout},
           Row{CURLE_RECV_ERROR, ECONNRESET, "", true, NetworkFault::reset},
           Row{CURLE_RECV_ERROR, 0, "OpenSSL SSL_read: Connection reset by peer, errno 104", true,
               NetworkFault::reset},
           Row{CURLE_RECV_ERROR, ETIMEDOUT, "", true, NetworkFault::timeout},
           Row{CURLE_PARTIAL_FILE, 0, "", true, NetworkFault::closed},
           Row{CURLE_GOT_NOTHING, 0, "", true, NetworkFault::closed},
           Row{CURLE_HTTP2_STREAM, 0, "", true, NetworkFault::reset},
           Row{CURLE_SSL_CONNECT_ERROR, 0, "error:0A00010B:SSL routines::wrong version number",
               false, NetworkFault::tls},
       }) {
    TransferFailure made = failure(row.code, row.detail);
    made.os_errno = row.os_errno;
    made.connected = row.connected;
    const Error error = network_error(made);
    CAPTURE(error.message);
    CHECK(error.kind == ErrorKind::network);
    CHECK(error.fault == row.fault);
  }
}

TEST_CASE("an untrusted certificate gives the reason and a hint") {
  TransferFailure unknown = failure(CURLE_PEER_FAILED_VERIFICATION, "SSL certificate problem");
  unknown.verify_result = 20;
  const Error error = network_error(unknown);
  CHECK(error.fault == NetworkFault::tls);
  CHECK(error.message ==
        "no connection to https://10.0.0.1:6443: certificate signed by unknown authority");
  CHECK(error.hint.find("--certificate-authority") != std::string::npos);

  TransferFailure expired = failure(CURLE_PEER_FAILED_VERIFICATION);
  expired.verify_result = 10;
  CHECK(network_error(expired).message.find("expired") != std::string::npos);

  const Error name = network_error(
      failure(CURLE_PEER_FAILED_VERIFICATION,
              "SSL: no alternative certificate subject name matches target host name 'x'"));
  CHECK(name.message.find("another name") != std::string::npos);
  CHECK(name.hint.find("--tls-server-name") != std::string::npos);
}

TEST_CASE("TLS to a plain port and the reverse are recognised") {
  const Error plain_port = network_error(
      failure(CURLE_SSL_CONNECT_ERROR, "error:0A00010B:SSL routines::wrong version number"));
  CHECK(plain_port.message.find("does not speak TLS") != std::string::npos);
  CHECK(plain_port.hint.find("http://") != std::string::npos);

  TransferFailure tls_port = failure(CURLE_UNSUPPORTED_PROTOCOL, "Received HTTP/0.9");
  tls_port.server = "http://10.0.0.1:6443";
  const Error error = network_error(tls_port);
  CHECK(error.kind == ErrorKind::protocol);
  CHECK(error.message == "http://10.0.0.1:6443: the server does not speak HTTP");
  CHECK(error.hint.find("https://") != std::string::npos);
}

TEST_CASE("a certificate file that cannot be used is a usage error") {
  CHECK(network_error(failure(CURLE_SSL_CACERT_BADFILE, "no such file")).kind == ErrorKind::usage);
  CHECK(network_error(failure(CURLE_SSL_CERTPROBLEM, "bad key")).kind == ErrorKind::usage);
}

TEST_CASE("the proxy is named") {
  TransferFailure refused = failure(CURLE_COULDNT_CONNECT);
  refused.os_errno = ECONNREFUSED;
  refused.proxy = "http://proxy:3128";
  CHECK(network_error(refused).message ==
        "no connection to https://10.0.0.1:6443 through the proxy http://proxy:3128: "
        "connection refused");
}

}  // namespace
}  // namespace kinf
