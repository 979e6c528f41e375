// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/flags/moment.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kinf/base/ascii.h"
#include "kinf/base/assign.h"
#include "kinf/base/duration.h"
#include "kinf/base/timestamp.h"
#include "kinf/cli/flags/global_flags.h"

namespace kinf {
namespace {

constexpr std::string_view kYesterday = "yesterday";
constexpr std::string_view kVersion = "rv=";
constexpr std::string_view kEnd = "end";

/// A date and time without a zone.
struct LocalTime {
  std::tm day{};  ///< of which only the date counts
  std::chrono::seconds time{};
  std::chrono::nanoseconds fraction{};
};

/// Reads a time of the day, such as `10:14` or `10:14:03.118`, and nothing else.
bool read_time_of_day(std::string_view text, LocalTime& into) {
  constexpr std::string_view kSample = "1970-01-01T";
  const std::string seconds = text.size() == 5 ? std::string(text) + ":00" : std::string(text);
  const auto time = parse_precise_timestamp(fmt::format("{}{}Z", kSample, seconds));
  if (!time) return false;
  into.time = std::chrono::floor<std::chrono::seconds>(time->time_since_epoch());
  into.fraction = time->time_since_epoch() - into.time;
  return true;
}

/// Returns the instants at which clocks show `local`: two if the clocks were set back over it. If
/// they were set forward over it, returns the instant that the clock before the change means.
std::vector<Clock::Wall> instants_of(const LocalTime& local) {
  std::vector<Clock::Wall> found;
  Clock::Wall skipped{};
  const std::chrono::hh_mm_ss clock(local.time);
  for (const int is_summer : {1, 0}) {
    std::tm time{};
    time.tm_year = local.day.tm_year;
    time.tm_mon = local.day.tm_mon;
    time.tm_mday = local.day.tm_mday;
    time.tm_hour = static_cast<int>(clock.hours().count());
    time.tm_min = static_cast<int>(clock.minutes().count());
    time.tm_sec = static_cast<int>(clock.seconds().count());
    time.tm_isdst = is_summer;
    const std::chrono::sys_seconds seconds{std::chrono::seconds(std::mktime(&time))};
    const Clock::Wall instant = wall_time(seconds, local.fraction);
    skipped = instant;
    if (time.tm_hour != clock.hours().count() || time.tm_min != clock.minutes().count()) continue;
    if (found.empty() || found.back() != instant) found.push_back(instant);
  }
  if (found.empty()) found.push_back(skipped);
  std::ranges::sort(found);
  return found;
}

LocalTime day_of(Clock::Wall now, int days_ago) {
  const std::time_t seconds =
      std::chrono::floor<std::chrono::seconds>(now).time_since_epoch().count();
  LocalTime local;
  ::localtime_r(&seconds, &local.day);
  local.day.tm_mday -= days_ago;
  return local;
}

/// Parses `10:14`: the most recent one.
std::optional<Clock::Wall> parse_time_of_day(std::string_view text, Clock::Wall now) {
  for (const int days_ago : {0, 1}) {
    LocalTime local = day_of(now, days_ago);
    if (!read_time_of_day(text, local)) return std::nullopt;
    const std::vector<Clock::Wall> found = instants_of(local);
    const auto later = std::ranges::upper_bound(found, now);
    if (later != found.begin()) return *std::prev(later);
  }
  return now;  // a change of the clocks skipped the time yesterday, and today it has not come
}

/// Parses `2026-11-22 10:14`, with a space or a T and with or without seconds and zone.
std::optional<Clock::Wall> parse_date(std::string_view text) {
  constexpr std::size_t kDate = 10;
  if (text.size() <= kDate || (text[kDate] != ' ' && text[kDate] != 'T')) return std::nullopt;
  std::string full(text);
  full[kDate] = 'T';
  if (const auto time = parse_precise_timestamp(full)) return time;
  const auto date = parse_timestamp(full.substr(0, kDate) + "T00:00:00Z");
  LocalTime local;
  if (!date || !read_time_of_day(text.substr(kDate + 1), local)) return std::nullopt;
  const std::chrono::year_month_day day(std::chrono::floor<std::chrono::days>(*date));
  local.day.tm_year = int{day.year()} - 1900;
  local.day.tm_mon = static_cast<int>(unsigned{day.month()}) - 1;
  local.day.tm_mday = static_cast<int>(unsigned{day.day()});
  return instants_of(local).front();
}

/// Parses `15m`. Unlike in other flags, a number needs a unit.
std::optional<Clock::Duration> parse_age(std::string_view text) {
  if (text.empty() || is_digit(text.back())) return std::nullopt;
  const Result<std::chrono::nanoseconds> age = parse_duration_flag(text);
  return age ? std::optional(*age) : std::nullopt;
}

/// Parses the value of a flag. Returns an empty moment if the flag is not given.
Result<RecordedMoment> of_flag(const std::string& text, std::string_view flag, Clock::Wall now) {
  if (text.empty()) return RecordedMoment();
  Result<RecordedMoment> moment = parse_recorded_moment(text, now);
  if (!moment) return fail(std::move(moment).error().within(flag));
  return moment;
}

}  // namespace

Result<Clock::Wall> parse_moment(std::string_view text, Clock::Wall now) {
  if (text == "now") return now;
  if (const auto ago = parse_age(text.starts_with('-') ? text.substr(1) : text)) return now - *ago;
  if (const auto time = parse_date(text)) return *time;
  if (const auto time = parse_time_of_day(text, now)) return *time;
  if (text.starts_with(kYesterday)) {
    LocalTime local = day_of(now, 1);
    if (read_time_of_day(trimmed(text.substr(kYesterday.size())), local)) {
      return instants_of(local).front();
    }
  }
  return fail(ErrorKind::usage,
              "\"{}\" is not a time such as 10:14, 10:14:03.118, \"yesterday 10:14\", "
              "\"2026-11-21 10:14\", -15m, end-15m, now or 2026-11-21T10:14:03Z",
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
    } else if (part == kEnd) {
      moment.before_end = Clock::Duration();
    } else if (part.starts_with(kEnd)) {
      const std::string_view age = trimmed(part.substr(kEnd.size()));
      moment.before_end = age.starts_with('-') ? parse_age(trimmed(age.substr(1))) : std::nullopt;
      if (!moment.before_end) {
        return fail(ErrorKind::usage, "\"{}\" is not a time such as end-15m", part);
      }
    } else {
      if (auto done = assign(moment.time, parse_moment(part, now)); !done) return fail(done);
    }
    if (text.find(',') == std::string_view::npos) return moment;
    text.remove_prefix(text.find(',') + 1);
  }
}

Result<RecordedMoment> recorded_moment(const ReplayFlags& flags, Clock::Wall now) {
  const bool has_at = !flags.at.empty();
  return of_flag(has_at ? flags.at : flags.since, has_at ? "--at" : "--since", now);
}

Result<RecordedMoment> end_moment(const ReplayFlags& flags, Clock::Wall now) {
  return of_flag(flags.until_time, "--until-time", now);
}

}  // namespace kinf
