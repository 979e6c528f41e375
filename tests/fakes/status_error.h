// SPDX-License-Identifier: Apache-2.0
// status_error: an error that an API server returned, for tests.
#pragma once

#include <string>
#include <utility>

#include "kinf/api/api_status.h"

namespace kinf::test {

inline Error status_error(int code, std::string reason) {
  ApiStatus status;
  status.code = code;
  status.reason = std::move(reason);
  status.message = "no";
  return to_error(std::move(status));
}

}  // namespace kinf::test
