// SPDX-License-Identifier: Apache-2.0
// StatusLine: redraws one line on the terminal while the user waits. See log::show_status().
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "kinf/base/clock.h"
#include "kinf/base/sync.h"

namespace kinf {

/// Threads: starts one, which ends when there is nothing more to show; the destructor stops and
/// joins it and removes the line.
class StatusLine {
 public:
  /// The line appears this long after the construction, and is redrawn this often.
  static constexpr Clock::Duration kDelay = std::chrono::seconds(1);
  static constexpr Clock::Duration kPeriod = std::chrono::milliseconds(200);

  /// Returns the line after `waited`. An empty text removes the line. nullopt removes it for good.
  /// Called from the internal thread.
  using Text = std::function<std::optional<std::string>(Clock::Duration waited)>;
  /// Draws a line; the default is log::show_status(). An empty line removes it.
  using Draw = std::function<void(std::string_view line)>;

  /// `clock` must outlive this.
  StatusLine(Clock& clock, Text text, Draw draw);
  ~StatusLine();
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  /// Replaces the function that returns the line. When it returns, the old one is not called any
  /// more.
  void follow(Text text);

 private:
  void run(const std::stop_token& stop);

  Clock& clock_;
  const Clock::Mono started_;
  const Draw draw_;
  Mutex mu_;
  CondVar changed_;
  Text text_ KINF_GUARDED_BY(mu_);
  std::jthread thread_;
};

/// Shows `line` in the last line of the terminal on stderr, cut to its width.
void draw_on_stderr(std::string_view line);

}  // namespace kinf
