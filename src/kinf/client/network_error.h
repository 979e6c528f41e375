// SPDX-License-Identifier: Apache-2.0
// Turns what libcurl reports about a failed transfer into an Error that says what failed and what
// to do. Only the transport needs it: an answer with an HTTP status is not a failure of this kind.
#pragma once

#include <string>

#include "kinf/base/error.h"

namespace kinf {

/// What is known about a failed transfer. Codes are plain numbers, so that this header needs no
/// curl.
struct TransferFailure {
  int curl_code = 0;       ///< a CURLcode
  int os_errno = 0;        ///< of the connect or read that failed, 0 if unknown
  long verify_result = 0;  ///< X509_V_ERR_… of the server's certificate, 0 if fine
  std::string detail;      ///< libcurl's own message
  std::string server;      ///< `https://10.0.0.1:6443`, as the user knows it
  std::string source;      ///< where that came from: `context "prod", ~/.kube/config`, or empty
  std::string proxy;       ///< `http://proxy:3128`, or empty
  bool connected = false;  ///< the connection, with TLS, was established before it failed
};

/// Returns an Error of kind network with its NetworkFault, or of kind usage (a certificate file),
/// protocol (not HTTP, damaged gzip) or internal. Messages use Go's wording where kubectl's users
/// know it. Never shows a password.
/// Threads: any.
Error network_error(const TransferFailure& failure);

}  // namespace kinf
