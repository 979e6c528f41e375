// SPDX-License-Identifier: Apache-2.0
// Logs to stderr or to a sink, one line per call. Escapes unprintable characters in lines for
// stderr. The verbosity follows klog: 0 notices, 2 sync and relist, 4 reconnects, 6 requests, 8
// bodies.
#pragma once

#include <fmt/core.h>

#include <functional>
#include <string_view>
#include <utility>

namespace [[gnu::visibility("default")]] kinf {
namespace log {

enum class Level { debug, info, warning, error };

struct Options {
  int verbosity = 0;   ///< above 0, each line has a timestamp and a level
  bool quiet = false;  ///< suppresses notices (verbosity 0), not warnings
  bool json = false;   ///< each line is a JSON object with `time`, `level`, `msg`
};

/// Threads: call before starting threads that log.
void configure(const Options& options);

using Sink = std::function<void(std::string_view line)>;

/// Sends every line to `sink` instead of stderr. An empty function restores stderr. Meant for
/// programs that link the library. Several threads may call the sink at the same time. kinf holds
/// no log lock during the call, so the sink may log or set another sink. When this returns, a call
/// to the old sink may still be running.
void set_sink(Sink sink);

/// Threads: any. Do not call write_line() while holding a kinf lock: it calls the sink, which is
/// user code.
bool enabled(int verbosity);
void write_line(Level level, std::string_view line);
/// Logs the error that ends the program, without the prefix `kinf: `.
void error(std::string_view text);
/// Writes text that is neither data nor a log line to stderr, without changes. If stderr is blocked
/// for one second, drops text until it is writable again, so that a reader that stops cannot hang
/// the program.
void write_stderr(std::string_view text);

/// Shows `text` in the current line of stderr, which must be a terminal, in place of the previous
/// status. An empty string removes the status. Other output through this file removes the status
/// first. Ignored while a StatusPause exists. Threads: any.
void show_status(std::string_view text);

/// Removes the status, and shows none while the StatusPause exists. Use it while another stream
/// writes to the same terminal.
/// Threads: any; several may exist at once.
class StatusPause {
 public:
  StatusPause();
  ~StatusPause();
  StatusPause(const StatusPause&) = delete;
  StatusPause& operator=(const StatusPause&) = delete;
};

/// Logs an event that the user should know about, such as a gap in the watch, a relist or a
/// fallback.
template <class... Args>
void notice(fmt::format_string<Args...> format, Args&&... args) {
  if (enabled(0)) write_line(Level::info, fmt::format(format, std::forward<Args>(args)...));
}

/// Logs a loss of data, or a problem that the user must act on. Also logs it in quiet mode.
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

}  // namespace log
}  // namespace kinf
