// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/session/status_line.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cmath>
#include <utility>

#include "kinf/base/display_width.h"
#include "kinf/base/log.h"
#include "kinf/base/number_text.h"
#include "kinf/base/visible_text.h"
#include "kinf/cli/session/informer_monitor.h"

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

namespace {

constexpr Clock::Duration kWindow = std::chrono::seconds(5);

}  // namespace

/// Returns the objects per second in the last kWindow; 0 if it is not known yet.
double ListProgress::rate(std::uint64_t received, Clock::Duration waited) {
  // The list was started again.
  if (!samples_.empty() && received < samples_.back().second) samples_.clear();
  samples_.emplace_back(waited, received);
  while (samples_.front().first < waited - kWindow) samples_.pop_front();
  const auto& [since, before] = samples_.front();
  if (since == waited) return 0;
  return static_cast<double>(received - before) /
         std::chrono::duration<double>(waited - since).count();
}

std::string ListProgress::text(const std::vector<RunningList>& lists, Clock::Duration waited) {
  std::uint64_t received = 0;
  std::string counts;
  std::string names;
  for (const RunningList& list : lists) {
    received += list.received;
    const std::string_view comma = names.empty() ? "" : ", ";
    names += fmt::format("{}{}", comma, list.description);
    counts += fmt::format("{}{}: {}", comma, list.description, with_commas(list.received));
    if (list.total > list.received) counts += " of " + with_commas(list.total);
  }
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(waited).count();
  if (received == 0) return fmt::format("{}: waiting for {}, {} s…", names, source_, seconds);
  const double per_second = rate(received, waited);
  std::string speed;
  if (per_second >= 1) {
    speed = fmt::format(" {}/s,", with_commas(static_cast<std::size_t>(std::lround(per_second))));
  }
  return fmt::format("{} objects,{} {} s…", counts, speed, seconds);
}

}  // namespace kinf
