// SPDX-License-Identifier: Apache-2.0
// Place: a line of the source that an explanation of `kinf demo` points at.
#pragma once

#include <string_view>

namespace kinf {

struct Place {
  std::string_view file;  ///< path in the repository
  int line = 0;
};

}  // namespace kinf
