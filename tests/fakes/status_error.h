// SPDX-License-Identifier: Apache-2.0
// status_error, expired: errors that an API server returned, for tests.
#pragma once

#include <string>
#include <utility>

#include "kinf/api/api_status.h"

namespace kinf::test {

inline Error status_error(int code, std::string reason, std::string message = "no") {
  ApiStatus status;
  status.code = code;
  status.reason = std::move(reason);
  status.message = std::move(message);
  return to_error(std::move(status));
}

/// The version of a request is too old.
inline Error expired() { return status_error(410, "Expired"); }

}  // namespace kinf::test
