// SPDX-License-Identifier: Apache-2.0
// Converts a failed libcurl transfer to an Error that says what failed and what the user can do.
// Responses with an HTTP status are not failures here.
#pragma once

#include <string>

#include "kinf/base/error.h"

namespace kinf {

/// The details of a failed transfer. Codes are plain numbers, so that this header does not include
/// curl.
struct TransferFailure {
  int curl_code = 0;       ///< a CURLcode
  int os_errno = 0;        ///< the errno of the failed connect or read, 0 if unknown
  long verify_result = 0;  ///< X509_V_ERR_… of the server's certificate, 0 if it is valid
  std::string detail;      ///< libcurl's message
  std::string server;      ///< the configured server: `https://10.0.0.1:6443`
  std::string source;  ///< the source of `server`: `context "prod", ~/.kube/config`; may be empty
  std::string proxy;   ///< `http://proxy:3128`; empty if there is none
  bool connected = false;  ///< whether the connection and TLS were established before the failure
};

/// Returns an Error of kind network with its NetworkFault, or of kind usage (a certificate file
/// cannot be used), protocol (the server does not speak HTTP) or internal. Uses Go's messages if
/// users know them from kubectl. Messages do not contain passwords.
/// Threads: any.
Error network_error(const TransferFailure& failure);

}  // namespace kinf
