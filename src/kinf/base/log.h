// SPDX-License-Identifier: Apache-2.0
// Logging to stderr. One line per call, `what key=value`.
// Verbosity as in klog: 0 notices, 2 sync and relist, 4 reconnects, 6 requests, 8 bodies.
#pragma once

#include <fmt/core.h>

#include <functional>
#include <string_view>
#include <utility>

namespace kinf::log {

struct Options {
  int verbosity = 0;
  bool quiet = false;  ///< no notices (level 0); warnings stay
};

/// Threads: call before threads that log are started.
void configure(const Options& options);

using Sink = std::function<void(std::string_view line)>;

/// Sends every line to `sink` instead of stderr; an empty function restores stderr. For programs
/// that link the library. Several threads may call the sink at the same time, and no lock is held
/// then: it may log and may set another sink. A call that has begun may end after this returns.
void set_sink(Sink sink);

/// Threads: any; no lock of kinf may be held.
bool enabled(int verbosity);
void write_line(std::string_view line);

/// Logs an event that the user should know about although kinf goes on: a gap, a relist, a
/// fallback.
template <class... Args>
void notice(fmt::format_string<Args...> format, Args&&... args) {
  if (enabled(0)) write_line(fmt::format(format, std::forward<Args>(args)...));
}

/// Logs a loss, or a problem that needs an action; also when quiet.
template <class... Args>
void warning(fmt::format_string<Args...> format, Args&&... args) {
  write_line(fmt::format(format, std::forward<Args>(args)...));
}

template <class... Args>
void verbose(int verbosity, fmt::format_string<Args...> format, Args&&... args) {
  if (enabled(verbosity)) write_line(fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace kinf::log
