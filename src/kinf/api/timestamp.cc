// SPDX-License-Identifier: Apache-2.0
#include "kinf/api/timestamp.h"

#include <fmt/chrono.h>

namespace kinf {
namespace {

/// Reads fixed places of digits and marks from the front; after a failure it only fails.
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

std::string timestamp_text(std::chrono::sys_seconds time) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(time.time_since_epoch().count()));
}

}  // namespace kinf
