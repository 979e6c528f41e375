// SPDX-License-Identifier: Apache-2.0
// CronSchedule: the schedule of a CronJob: five fields such as `*/5 8-18 * * mon-fri`, in UTC, or
// `@hourly`, `@daily`, `@weekly`, `@monthly`, `@yearly` or `@every 90s`.
// Source: github.com/robfig/cron (parser.go, spec.go), kubernetes pkg/controller/cronjob/utils.go.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

#include "kinf/base/error.h"

namespace kinf::sandbox {

class CronSchedule {
 public:
  using Time = std::chrono::sys_seconds;

  static Result<CronSchedule> parse(std::string_view text);

  /// Returns the first time after `after`. Returns nullopt if there is none within five years, such
  /// as for 31 February.
  std::optional<Time> next(Time after) const;
  /// Returns the last time that is after `begin` and not after `end`.
  std::optional<Time> last_between(Time begin, Time end) const;

 private:
  bool matches_day(std::chrono::sys_days day) const;

  std::uint64_t minutes_ = 0;  ///< bit N is set if minute N matches
  std::uint64_t hours_ = 0;
  std::uint64_t days_ = 0;
  std::uint64_t months_ = 0;
  std::uint64_t weekdays_ = 0;  ///< bit 0 is Sunday
  bool is_any_day_ = false;     ///< the days or the weekdays include `*` or `?`
  std::chrono::seconds every_{0};
};

}  // namespace kinf::sandbox
