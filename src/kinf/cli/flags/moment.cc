// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/flags/moment.h"

#include <ctime>
#include <optional>
#include <utility>

#include "kinf/base/ascii.h"
#include "kinf/base/assign.h"
#include "kinf/base/duration.h"
#include "kinf/base/timestamp.h"
#include "kinf/cli/flags/global_flags.h"

namespace kinf {
namespace {

constexpr std::string_view kYesterday = "yesterday";
constexpr std::string_view kVersion = "rv=";

struct TimeOfDay {
  int hour = 0;
  int minute = 0;
  int second = 0;
};

/// Parses a number of exactly two digits. Returns nullopt if it is larger than `most`.
std::optional<int> two_digits(std::string_view text, int most) {
  if (text.size() != 2) return std::nullopt;
  const auto number = parse_number<int>(text);
  return number && *number >= 0 && *number <= most ? number : std::nullopt;
}

std::optional<TimeOfDay> parse_time_of_day(std::string_view text) {
  constexpr std::size_t kShort = 5;
  constexpr std::size_t kLong = 8;
  if (text.size() != kShort && text.size() != kLong) return std::nullopt;
  if (text[2] != ':' || (text.size() == kLong && text[kShort] != ':')) return std::nullopt;
  const auto hour = two_digits(text.substr(0, 2), 23);
  const auto minute = two_digits(text.substr(3, 2), 59);
  const auto second = text.size() == kLong ? two_digits(text.substr(6), 59) : std::optional(0);
  if (!hour || !minute || !second) return std::nullopt;
  return TimeOfDay{*hour, *minute, *second};
}

/// Returns the local time `time` on the day that is `days_ago` days before the day of `now`.
Clock::Wall local_time(TimeOfDay time, int days_ago, Clock::Wall now) {
  const std::time_t seconds =
      std::chrono::floor<std::chrono::seconds>(now).time_since_epoch().count();
  std::tm local{};
  ::localtime_r(&seconds, &local);
  local.tm_mday -= days_ago;
  local.tm_hour = time.hour;
  local.tm_min = time.minute;
  local.tm_sec = time.second;
  local.tm_isdst = -1;
  return wall_time(std::chrono::sys_seconds(std::chrono::seconds(std::mktime(&local))));
}

}  // namespace

Result<Clock::Wall> parse_moment(std::string_view text, Clock::Wall now) {
  if (text.starts_with('-')) {
    const Result<std::chrono::nanoseconds> ago = parse_duration_flag(text.substr(1));
    if (ago) return now - *ago;
  }
  if (const auto time = parse_precise_timestamp(text)) return *time;
  if (const auto time = parse_time_of_day(text)) {
    const Clock::Wall today = local_time(*time, 0, now);
    return today <= now ? today : local_time(*time, 1, now);
  }
  if (text.starts_with(kYesterday)) {
    if (const auto time = parse_time_of_day(trimmed(text.substr(kYesterday.size())))) {
      return local_time(*time, 1, now);
    }
  }
  return fail(ErrorKind::usage,
              "\"{}\" is not a time such as 10:14, 10:14:03, \"yesterday 10:14\", "
              "-15m or 2026-11-21T10:14:03Z",
              text);
}

Result<RecordedMoment> parse_recorded_moment(std::string_view text, Clock::Wall now) {
  RecordedMoment moment;
  while (true) {
    const std::string_view part = trimmed(text.substr(0, text.find(',')));
    if (part.starts_with(kVersion)) {
      moment.version = parse_number<std::uint64_t>(part.substr(kVersion.size()));
      if (!moment.version) {
        return fail(ErrorKind::usage, "\"{}\" is not a resourceVersion such as rv=8812", part);
      }
    } else {
      if (auto done = assign(moment.time, parse_moment(part, now)); !done) return fail(done);
    }
    if (text.find(',') == std::string_view::npos) return moment;
    text.remove_prefix(text.find(',') + 1);
  }
}

Result<RecordedMoment> recorded_moment(const ReplayFlags& flags, Clock::Wall now) {
  if (!flags.at.empty()) {
    Result<RecordedMoment> at = parse_recorded_moment(flags.at, now);
    if (!at) return fail(std::move(at).error().within("--at"));
    return at;
  }
  if (flags.since.empty()) return RecordedMoment();
  const Result<Clock::Wall> since = parse_moment(flags.since, now);
  if (!since) return fail(since.error().within("--since"));
  return RecordedMoment{*since, std::nullopt};
}

}  // namespace kinf
