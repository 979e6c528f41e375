// SPDX-License-Identifier: Apache-2.0
// StatusLine: redraws one line on the terminal while the user waits. See log::show_status().
// ListProgress: the line that shows the progress of the initial lists.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "kinf/base/clock.h"
#include "kinf/base/sync.h"

namespace kinf {

/// Threads: starts one, which ends when there is nothing more to show; the destructor stops and
/// joins it and removes the line.
class StatusLine {
 public:
  /// The line appears kDelay after construction, and is redrawn every kPeriod.
  static constexpr Clock::Duration kDelay = std::chrono::seconds(1);
  static constexpr Clock::Duration kPeriod = std::chrono::milliseconds(200);

  /// Returns the line to show when the user has waited for `waited`. An empty string removes the
  /// line. nullopt removes it for good. Called from the internal thread.
  using Text = std::function<std::optional<std::string>(Clock::Duration waited)>;
  /// Draws a line, as draw_on_stderr() does. An empty line removes it.
  using Draw = std::function<void(std::string_view line)>;

  /// `clock` must outlive this object.
  StatusLine(Clock& clock, Text text, Draw draw);
  ~StatusLine();
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  /// Replaces the function that returns the line. When follow() returns, the old function is not
  /// called any more.
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

/// A list that is not complete.
struct RunningList {
  std::string description;     ///< `pods`
  std::uint64_t received = 0;  ///< number of objects received so far
  std::uint64_t total = 0;     ///< number of objects in the whole list; 0 if not known
};

/// Threads: one owner.
class ListProgress {
 public:
  /// `source` names what the lists are read from, such as `the server`.
  explicit ListProgress(std::string source) : source_(std::move(source)) {}
  /// Returns the line for these lists, `waited` after the command began. The rate is the average of
  /// the last 5 s. `lists` must not be empty.
  std::string text(const std::vector<RunningList>& lists, Clock::Duration waited);

 private:
  double rate(std::uint64_t received, Clock::Duration waited);

  const std::string source_;
  /// Waiting time, objects received.
  std::deque<std::pair<Clock::Duration, std::uint64_t>> samples_;
};

}  // namespace kinf
