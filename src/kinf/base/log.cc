// SPDX-License-Identifier: Apache-2.0
#include "kinf/base/log.h"

#include <poll.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <memory>
#include <mutex>
#include <string>

#include "kinf/base/json_string.h"
#include "kinf/base/sync.h"
#include "kinf/base/visible_text.h"

namespace kinf::log {
namespace {

/// The highest verbosity that is logged. 0 means notices and warnings only, -1 (quiet) means
/// warnings only.
std::atomic<int> max_verbosity{0};
std::atomic<bool> is_json{false};
std::atomic<bool> stderr_is_stuck{false};

struct Output {
  Mutex mu;
  std::shared_ptr<const Sink> sink KINF_GUARDED_BY(mu);  ///< null means stderr
};

Output& output() {
  static Output instance;
  return instance;
}

struct Status {
  Mutex mu;
  bool is_shown KINF_GUARDED_BY(mu) = false;
  int pauses KINF_GUARDED_BY(mu) = 0;
};

Status& status() {
  static Status instance;
  return instance;
}

constexpr std::string_view kEraseLine = "\r\x1b[K";

class StderrSink final : public spdlog::sinks::base_sink<std::mutex> {
 private:
  void sink_it_(const spdlog::details::log_msg& message) override {
    spdlog::memory_buf_t line;
    formatter_->format(message, line);
    write_stderr(visible_text({line.data(), line.size()}));
  }
  void flush_() override {}
};

/// Formats a line as `{"time":"…","level":"info","msg":"…"}`.
class JsonFormatter final : public spdlog::formatter {
 public:
  void format(const spdlog::details::log_msg& message, spdlog::memory_buf_t& out) override {
    head_.format(message, out);
    std::string text;
    append_json_string(text, {message.payload.data(), message.payload.size()});
    text += "}\n";
    out.append(text.data(), text.data() + text.size());
  }
  std::unique_ptr<spdlog::formatter> clone() const override {
    return std::make_unique<JsonFormatter>();
  }

 private:
  spdlog::pattern_formatter head_{R"({"time":"%Y-%m-%dT%H:%M:%S.%eZ","level":"%l","msg":)",
                                  spdlog::pattern_time_type::utc, ""};
};

spdlog::logger& stderr_logger() {
  static spdlog::logger logger = [] {
    spdlog::logger made("kinf", std::make_shared<StderrSink>());
    made.set_level(spdlog::level::trace);
    made.set_pattern("kinf: %v");
    return made;
  }();
  return logger;
}

spdlog::level::level_enum spdlog_level(Level level) {
  // In the order of Level.
  constexpr spdlog::level::level_enum kLevels[] = {spdlog::level::debug, spdlog::level::info,
                                                   spdlog::level::warn, spdlog::level::err};
  static_assert(std::size(kLevels) == static_cast<std::size_t>(Level::error) + 1);
  return kLevels[static_cast<std::size_t>(level)];
}

}  // namespace

void configure(const Options& options) {
  max_verbosity = options.verbosity > 0 ? options.verbosity : (options.quiet ? -1 : 0);
  is_json = options.json;
  if (options.json) {
    stderr_logger().set_formatter(std::make_unique<JsonFormatter>());
  } else if (options.verbosity > 0) {
    stderr_logger().set_formatter(std::make_unique<spdlog::pattern_formatter>(
        "%Y-%m-%dT%H:%M:%S.%eZ %l kinf: %v", spdlog::pattern_time_type::utc));
  } else {
    stderr_logger().set_pattern("kinf: %v");
  }
}

void set_sink(Sink sink) {
  auto shared = sink ? std::make_shared<const Sink>(std::move(sink)) : nullptr;
  MutexLock lock(output().mu);
  output().sink.swap(shared);
}

bool enabled(int verbosity) { return verbosity <= max_verbosity; }

void write_line(Level level, std::string_view line) {
  std::shared_ptr<const Sink> sink;
  {
    MutexLock lock(output().mu);
    sink = output().sink;
  }
  if (sink != nullptr) {
    (*sink)(line);
  } else {
    stderr_logger().log(spdlog_level(level), "{}", line);
  }
}

void error(std::string_view text) {
  if (is_json) return write_line(Level::error, text);
  write_stderr(visible_text(text) + "\n");
}

namespace {

void write_raw(std::string_view text) {
  constexpr int kPatienceMilliseconds = 1000;
  while (!text.empty()) {
    pollfd waited{STDERR_FILENO, POLLOUT, 0};
    const int ready = ::poll(&waited, 1, stderr_is_stuck ? 0 : kPatienceMilliseconds);
    if (ready < 0 && errno == EINTR) continue;
    stderr_is_stuck = ready <= 0;
    if (ready <= 0) return;
    // Writing up to PIPE_BUF bytes to a writable pipe does not block.
    const std::size_t size = std::min<std::size_t>(text.size(), PIPE_BUF);
    const ssize_t written = ::write(STDERR_FILENO, text.data(), size);
    if (written < 0 && errno != EINTR && errno != EAGAIN) return;
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
  }
}

void erase_status_locked() KINF_REQUIRES(status().mu) {
  if (std::exchange(status().is_shown, false)) write_raw(kEraseLine);
}

}  // namespace

void write_stderr(std::string_view text) {
  MutexLock lock(status().mu);
  erase_status_locked();
  write_raw(text);
}

void show_status(std::string_view text) {
  MutexLock lock(status().mu);
  if (status().pauses > 0) return;
  if (text.empty()) return erase_status_locked();
  status().is_shown = true;
  write_raw("\r" + std::string(text) + "\x1b[K");
}

StatusPause::StatusPause() {
  MutexLock lock(status().mu);
  ++status().pauses;
  erase_status_locked();
}

StatusPause::~StatusPause() {
  MutexLock lock(status().mu);
  --status().pauses;
}

}  // namespace kinf::log
