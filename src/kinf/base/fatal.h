// SPDX-License-Identifier: Apache-2.0
// fatal: aborts the process after a programming error that cannot be reported as an Error.
#pragma once

#include <cstdlib>
#include <utility>

#include "kinf/base/log.h"

namespace kinf {

/// Logs the message and aborts.
template <class... Args>
[[noreturn]] void fatal(fmt::format_string<Args...> format, Args&&... args) {
  log::write_line(log::Level::error, "fatal: " + fmt::format(format, std::forward<Args>(args)...));
  std::abort();
}

}  // namespace kinf
