// SPDX-License-Identifier: Apache-2.0
// or_exit: ends a small program when something fails.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <type_traits>
#include <utility>

#include "kinf/base/error.h"

namespace [[gnu::visibility("default")]] kinf {

/// Prints `error: MESSAGE`, and the hint if there is one, to stderr, and ends the process with exit
/// code 1. Flushes stdout and stderr, but runs no destructors, because threads may be running.
[[noreturn]] inline void exit_with(const Error& error) {
  std::fprintf(stderr, "error: %s\n", error.message.c_str());
  if (!error.hint.empty()) std::fprintf(stderr, "hint: %s\n", error.hint.c_str());
  std::fflush(nullptr);
  std::_Exit(EXIT_FAILURE);
}

/// Returns the value of `result`, or calls exit_with().
template <class T>
T or_exit(Result<T> result) {
  if (!result) exit_with(result.error());
  if constexpr (!std::is_void_v<T>) return *std::move(result);
}

}  // namespace kinf
