// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/session/status_line.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "kinf/base/display_width.h"
#include "kinf/base/log.h"
#include "kinf/base/visible_text.h"

namespace kinf {
namespace {

constexpr std::size_t kDefaultColumns = 80;

std::size_t terminal_columns() {
  winsize size{};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kDefaultColumns;
  return size.ws_col;
}

}  // namespace

StatusLine::StatusLine(Clock& clock, Text text, Draw draw)
    : clock_(clock),
      started_(clock.now()),
      draw_(std::move(draw)),
      text_(std::move(text)),
      thread_([this](const std::stop_token& stop) { run(stop); }) {}

StatusLine::~StatusLine() {
  thread_.request_stop();
  thread_.join();
}

void StatusLine::follow(Text text) {
  MutexLock lock(mu_);
  text_ = std::move(text);
}

void StatusLine::run(const std::stop_token& stop) {
  Clock::Mono due = started_ + kDelay;
  MutexLock lock(mu_);
  while (true) {
    while (clock_.now() < due && !stop.stop_requested()) {
      clock_.wait_until(changed_, mu_, due, stop);
    }
    if (stop.stop_requested()) break;
    const std::optional<std::string> line = text_(clock_.now() - started_);
    if (!line) break;
    draw_(*line);
    due = clock_.now() + kPeriod;
  }
  draw_({});
}

void draw_on_stderr(std::string_view line) {
  // A full line would move the cursor to the next one.
  log::show_status(shortened(visible_line(line), terminal_columns() - 1));
}

}  // namespace kinf
