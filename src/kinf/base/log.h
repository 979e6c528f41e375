// SPDX-License-Identifier: Apache-2.0
// The log: messages on stderr, beside the data on stdout. One line per call, `what key=value`.
// Verbosity as in klog: 0 notices, 2 sync and relist, 4 reconnects, 6 requests, 8 bodies.
#pragma once

#include <fmt/core.h>

#include <functional>
#include <string_view>
#include <utility>

namespace kinf::log {

enum class Level { debug, info, warning, error };

struct Options {
  int verbosity = 0;   ///< above 0, lines carry a time stamp and their level
  bool quiet = false;  ///< no notices (verbosity 0); warnings stay
  bool json = false;   ///< each line is a JSON object: `time`, `level`, `msg`
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
void write_line(Level level, std::string_view line);
/// Reports the error that ends the program: on stderr as it is, without the prefix `kinf: `.
void error(std::string_view text);
/// Writes text to stderr as it is, for text that is neither data nor log. If stderr stays blocked
/// for a second, text is dropped from then on, so that a reader that stops cannot hang the program.
void write_stderr(std::string_view text);

/// Something the user should know although everything goes on: a gap, a relist, a fallback.
template <class... Args>
void notice(fmt::format_string<Args...> format, Args&&... args) {
  if (enabled(0)) write_line(Level::info, fmt::format(format, std::forward<Args>(args)...));
}

/// Something that was lost or needs an action. Logged even when quiet.
template <class... Args>
void warning(fmt::format_string<Args...> format, Args&&... args) {
  write_line(Level::warning, fmt::format(format, std::forward<Args>(args)...));
}

template <class... Args>
void verbose(int verbosity, fmt::format_string<Args...> format, Args&&... args) {
  if (!enabled(verbosity)) return;
  write_line(verbosity > 2 ? Level::debug : Level::info,
             fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace kinf::log
