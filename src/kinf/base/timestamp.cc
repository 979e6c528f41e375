// SPDX-License-Identifier: Apache-2.0
#include "kinf/base/timestamp.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>

namespace kinf {
namespace {

/// Reads digits and punctuation from the front of a text. After an error, done() remains false.
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  int digits(std::size_t count) {
    int number = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const char c = take();
      if (c < '0' || c > '9') failed_ = true;
      number = number * 10 + (c - '0');
    }
    return failed_ ? 0 : number;
  }
  void mark(char wanted) {
    if (take() != wanted) failed_ = true;
  }
  char take() {
    if (rest_.empty()) {
      failed_ = true;
      return '\0';
    }
    const char c = rest_.front();
    rest_.remove_prefix(1);
    return c;
  }
  void skip_fraction() {
    if (rest_.empty() || rest_.front() != '.') return;
    rest_.remove_prefix(1);
    const std::size_t end = rest_.find_first_not_of("0123456789");
    if (end == 0 || end == std::string_view::npos) failed_ = true;
    if (!failed_) rest_.remove_prefix(end);
  }
  bool done() const { return !failed_ && rest_.empty(); }

 private:
  std::string_view rest_;
  bool failed_ = false;
};

/// Writes `number` with `digits` digits, the last of them at `last`. Used instead of fmt for speed,
/// because each line of JSON output contains a time.
void put_digits(char* last, unsigned number, unsigned digits) {
  for (; digits > 0; --digits, number /= 10) *last-- = static_cast<char>('0' + number % 10);
}

/// Returns the fraction of a second in an RFC 3339 time.
std::chrono::nanoseconds fraction_of(std::string_view timestamp) {
  std::chrono::nanoseconds fraction{0};
  std::chrono::nanoseconds digit{100'000'000};
  const std::size_t point = timestamp.find('.');
  if (point == std::string_view::npos) return fraction;
  for (const char c : timestamp.substr(point + 1)) {
    if (c < '0' || c > '9') break;
    fraction += (c - '0') * digit;
    digit /= 10;
  }
  return fraction;
}

}  // namespace

std::optional<std::chrono::sys_seconds> parse_timestamp(std::string_view text) {
  Reader in(text);
  const std::chrono::year year(in.digits(4));
  in.mark('-');
  const std::chrono::month month(static_cast<unsigned>(in.digits(2)));
  in.mark('-');
  const std::chrono::day day(static_cast<unsigned>(in.digits(2)));
  in.mark('T');
  const std::chrono::hours hour(in.digits(2));
  in.mark(':');
  const std::chrono::minutes minute(in.digits(2));
  in.mark(':');
  const std::chrono::seconds second(in.digits(2));
  in.skip_fraction();
  std::chrono::minutes offset{0};
  const char zone = in.take();
  if (zone == '+' || zone == '-') {
    const std::chrono::hours hours(in.digits(2));
    in.mark(':');
    offset = hours + std::chrono::minutes(in.digits(2));
    if (zone == '-') offset = -offset;
  } else if (zone != 'Z') {
    return std::nullopt;
  }
  const std::chrono::year_month_day date(year, month, day);
  if (!in.done() || !date.ok() || hour.count() > 23 || minute.count() > 59 || second.count() > 59) {
    return std::nullopt;
  }
  return std::chrono::sys_days(date) + hour + minute + second - offset;
}

Clock::Wall wall_time(std::chrono::sys_seconds time, std::chrono::nanoseconds fraction) {
  const auto least = std::chrono::ceil<std::chrono::seconds>(Clock::Wall::min());
  const auto most = std::chrono::floor<std::chrono::seconds>(Clock::Wall::max());
  if (time < least) return Clock::Wall::min();
  if (time > most) return Clock::Wall::max();
  const Clock::Wall whole(time);
  return whole + (time < most ? fraction : std::min(fraction, Clock::Wall::max() - whole));
}

std::optional<Clock::Wall> parse_precise_timestamp(std::string_view text) {
  const auto time = parse_timestamp(text);
  return time ? std::optional(wall_time(*time, fraction_of(text))) : std::nullopt;
}

void append_timestamp(std::string& out, std::chrono::sys_seconds time, unsigned fraction,
                      unsigned digits) {
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(time - day);
  char text[] = "0000-00-00T00:00:00.000000000";
  put_digits(text + 3, static_cast<unsigned>(int{date.year()}), 4);
  put_digits(text + 6, unsigned{date.month()}, 2);
  put_digits(text + 9, unsigned{date.day()}, 2);
  put_digits(text + 12, static_cast<unsigned>(clock.hours().count()), 2);
  put_digits(text + 15, static_cast<unsigned>(clock.minutes().count()), 2);
  put_digits(text + 18, static_cast<unsigned>(clock.seconds().count()), 2);
  put_digits(text + 19 + digits, fraction, digits);
  out.append(text, digits == 0 ? 19 : 20 + digits).append("Z");
}

std::string offset_text(long seconds) {
  if (seconds == 0) return "Z";
  const long minutes = std::abs(seconds) / 60;
  return fmt::format("{}{:02}:{:02}", seconds < 0 ? '-' : '+', minutes / 60, minutes % 60);
}

std::string local_time_text(Clock::Wall time) {
  const std::time_t seconds =
      std::chrono::floor<std::chrono::seconds>(time).time_since_epoch().count();
  std::tm local{};
  if (::localtime_r(&seconds, &local) == nullptr) return "<unknown>";
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}{}", local.tm_year + 1900,
                     local.tm_mon + 1, local.tm_mday, local.tm_hour, local.tm_min, local.tm_sec,
                     offset_text(local.tm_gmtoff));
}

}  // namespace kinf
