// SPDX-License-Identifier: Apache-2.0
// From what libcurl says of a failed transfer to an Error that says what failed and what to do.
// For the transport only; answers with a status are no failure of this kind.
#pragma once

#include <string>

#include "kinf/base/error.h"

namespace kinf {

/// Codes are plain numbers, so that this header needs no curl.
struct TransferFailure {
  int curl_code = 0;       ///< a CURLcode
  int os_errno = 0;        ///< of the connect or read that failed, 0 if unknown
  long verify_result = 0;  ///< X509_V_ERR_… of the server's certificate, 0 if fine
  std::string detail;      ///< libcurl's own sentence
  std::string server;      ///< `https://10.0.0.1:6443`, as the user knows it
  std::string source;      ///< where that came from: `context "prod", ~/.kube/config`, or empty
  std::string proxy;       ///< `http://proxy:3128`, or empty
  bool connected = false;  ///< the connection (with TLS) stood when it failed
};

Error network_error(const TransferFailure& failure);

}  // namespace kinf
