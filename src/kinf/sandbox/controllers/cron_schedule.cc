// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/controllers/cron_schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "kinf/base/ascii.h"
#include "kinf/base/duration.h"

namespace kinf::sandbox {
namespace {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::minutes;

/// A field of a schedule. `names` contains the three-letter names of the values without separators,
/// such as `sunmontue…`. `first_name` is the value of the first name.
struct Field {
  const char* what;
  unsigned least;
  unsigned most;
  std::string_view names = "";
  unsigned first_name = 0;
};
constexpr std::array<Field, 5> kFields = {
    {{"minute", 0, 59},
     {"hour", 0, 23},
     {"day of the month", 1, 31},
     {"month", 1, 12, "janfebmaraprmayjunjulaugsepoctnovdec", 1},
     {"day of the week", 0, 6, "sunmontuewedthufrisat", 0}}};

struct FieldValue {
  std::uint64_t bits = 0;
  bool is_star = false;
};

std::vector<std::string_view> split(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::string_view part = take_until(text, separators);
    if (!part.empty()) parts.push_back(part);
  }
  return parts;
}

std::optional<unsigned> value_of(std::string_view text, const Field& field) {
  const std::string lower = to_lower(text);
  constexpr std::size_t kNameLength = 3;
  const std::size_t name =
      lower.size() == kNameLength ? field.names.find(lower) : std::string::npos;
  if (name != std::string::npos && name % kNameLength == 0) {
    return field.first_name + static_cast<unsigned>(name / kNameLength);
  }
  return parse_number<unsigned>(text);
}

/// Parses `*`, `?`, `5` or `1-5`, each with an optional step such as `/2`.
std::optional<FieldValue> parse_range(std::string_view text, const Field& field) {
  const std::size_t slash = text.find('/');
  const std::string_view range = text.substr(0, slash);
  unsigned step = 1;
  if (slash != text.npos) step = parse_number<unsigned>(text.substr(slash + 1)).value_or(0);
  const bool is_star = range == "*" || range == "?";
  unsigned first = field.least;
  unsigned last = field.most;
  if (!is_star) {
    const std::size_t hyphen = range.find('-');
    const auto low = value_of(range.substr(0, hyphen), field);
    const auto high = hyphen == range.npos ? low : value_of(range.substr(hyphen + 1), field);
    if (!low || !high) return std::nullopt;
    first = *low;
    // `5/15` means `5-59/15`.
    if (hyphen != range.npos || slash == text.npos) last = *high;
  }
  if (step == 0 || first < field.least || last > field.most || first > last) return std::nullopt;
  FieldValue value{0, is_star && step == 1};
  for (unsigned each = first; each <= last; each += std::min(step, field.most + 1)) {
    value.bits |= std::uint64_t{1} << each;
  }
  return value;
}

std::optional<FieldValue> parse_field(std::string_view text, const Field& field) {
  FieldValue sum;
  for (const std::string_view part : split(text, ",")) {
    const auto value = parse_range(part, field);
    if (!value) return std::nullopt;
    sum.bits |= value->bits;
    sum.is_star = sum.is_star || value->is_star;
  }
  if (sum.bits == 0) return std::nullopt;
  return sum;
}

/// Returns the five fields for a name such as `@daily`. Returns any other `text` unchanged.
std::string_view fields_of(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kNames = {
      {{"@yearly", "0 0 1 1 *"},
       {"@annually", "0 0 1 1 *"},
       {"@monthly", "0 0 1 * *"},
       {"@weekly", "0 0 * * 0"},
       {"@daily", "0 0 * * *"},
       {"@midnight", "0 0 * * *"},
       {"@hourly", "0 * * * *"}}};
  for (const auto& [name, fields] : kNames) {
    if (text == name) return fields;
  }
  return text;
}

bool has_bit(std::uint64_t bits, std::int64_t number) {
  return ((bits >> static_cast<unsigned>(number)) & 1U) != 0;
}

}  // namespace

Result<CronSchedule> CronSchedule::parse(std::string_view text) {
  constexpr std::string_view kEvery = "@every ";
  CronSchedule schedule;
  if (text.starts_with(kEvery)) {
    const auto period = parse_duration_flag(text.substr(kEvery.size()));
    if (!period) return std::unexpected(period.error());
    schedule.every_ =
        std::max(std::chrono::floor<std::chrono::seconds>(*period), std::chrono::seconds(1));
    return schedule;
  }
  const std::vector<std::string_view> parts = split(fields_of(text), " \t");
  if (parts.size() != kFields.size()) {
    return std::unexpected(
        Error(ErrorKind::usage, fmt::format("expected exactly 5 fields, found {}", parts.size())));
  }
  std::array<FieldValue, kFields.size()> values;
  for (std::size_t i = 0; i < kFields.size(); ++i) {
    const auto value = parse_field(parts[i], kFields[i]);
    if (!value) {
      return std::unexpected(
          Error(ErrorKind::usage, fmt::format("invalid {}: {}", kFields[i].what, parts[i])));
    }
    values[i] = *value;
  }
  schedule.minutes_ = values[0].bits;
  schedule.hours_ = values[1].bits;
  schedule.days_ = values[2].bits;
  schedule.months_ = values[3].bits;
  schedule.weekdays_ = values[4].bits;
  schedule.is_any_day_ = values[2].is_star || values[4].is_star;
  return schedule;
}

/// Returns whether the schedule includes this day. If both the day of the month and the weekday are
/// restricted, one of them has to match. Otherwise both have to match.
bool CronSchedule::matches_day(std::chrono::sys_days day) const {
  const std::chrono::year_month_day date(day);
  const bool by_day = has_bit(days_, unsigned{date.day()});
  const bool by_weekday = has_bit(weekdays_, std::chrono::weekday(day).c_encoding());
  return is_any_day_ ? by_day && by_weekday : by_day || by_weekday;
}

std::optional<CronSchedule::Time> CronSchedule::next(Time after) const {
  if (every_.count() > 0) return after + every_;
  auto at = std::chrono::floor<minutes>(after) + minutes(1);
  const auto limit = at + std::chrono::years(5);
  while (at < limit) {
    const auto day = std::chrono::floor<days>(at);
    const std::chrono::year_month_day date(day);
    const auto hour = std::chrono::floor<hours>(at);
    if (!has_bit(months_, unsigned{date.month()})) {
      const auto month = date.year() / date.month() + std::chrono::months(1);
      at = std::chrono::sys_days(month / std::chrono::day(1));
    } else if (!matches_day(day)) {
      at = day + days(1);
    } else if (!has_bit(hours_, (hour - day).count())) {
      at = hour + hours(1);
    } else if (!has_bit(minutes_, (at - hour).count())) {
      at += minutes(1);
    } else {
      return at;
    }
  }
  return std::nullopt;
}

std::optional<CronSchedule::Time> CronSchedule::last_between(Time begin, Time end) const {
  if (every_.count() > 0) {
    const auto count = (end - begin) / every_;
    if (count < 1) return std::nullopt;
    return begin + count * every_;
  }
  // Search a short period first, because a frequent schedule has many times in a long period.
  for (const auto back : {hours(1), hours(24), hours(24 * 32), hours(24 * 366 * 5)}) {
    std::optional<Time> last;
    for (auto at = next(std::max(begin, end - back)); at && *at <= end; at = next(*at)) last = at;
    if (last) return last;
  }
  return std::nullopt;
}

}  // namespace kinf::sandbox
