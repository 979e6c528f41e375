// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/time_text.h"

#include <fmt/format.h>

#include <chrono>
#include <ctime>

#include "kinf/base/timestamp.h"

namespace kinf {
namespace {

using std::chrono::milliseconds;

std::string relative_text(milliseconds since) {
  const char sign = since.count() < 0 ? '-' : '+';
  const auto total = static_cast<unsigned long long>(std::abs(since.count()));
  const auto seconds = total / 1000;
  std::string text(1, sign);
  if (seconds >= 3600) {
    text += fmt::format("{}h{:02}m{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
  } else if (seconds >= 60) {
    text += fmt::format("{}m{:02}", seconds / 60, seconds % 60);
  } else {
    text += fmt::format("{}", seconds);
  }
  return text + fmt::format(".{:03}s", total % 1000);
}

}  // namespace

std::string time_text(TimeForm form, Clock::Wall time, Clock::Wall start) {
  if (form == TimeForm::relative)
    return relative_text(std::chrono::floor<milliseconds>(time - start));
  const auto at = std::chrono::floor<milliseconds>(time);
  const auto whole = std::chrono::floor<std::chrono::seconds>(at);
  const auto fraction = (at - whole).count();
  const std::time_t seconds = whole.time_since_epoch().count();
  if (form == TimeForm::unix_time) return fmt::format("{}.{:03}", seconds, fraction);
  std::tm local{};
  if (localtime_r(&seconds, &local) == nullptr) return "<unknown>";
  const std::string clock =
      fmt::format("{:02}:{:02}:{:02}.{:03}", local.tm_hour, local.tm_min, local.tm_sec, fraction);
  if (form == TimeForm::short_form) return clock;
  return fmt::format("{:04}-{:02}-{:02}T{}{}", local.tm_year + 1900, local.tm_mon + 1,
                     local.tm_mday, clock, offset_text(local.tm_gmtoff));
}

std::size_t time_width(TimeForm form) {
  // The widths are in the order of TimeForm.
  constexpr std::size_t kWidths[] = {12, 29, 14, 12};
  static_assert(std::size(kWidths) == static_cast<std::size_t>(TimeForm::relative) + 1);
  return kWidths[static_cast<std::size_t>(form)];
}

}  // namespace kinf
