// SPDX-License-Identifier: Apache-2.0
#include "kinf/base/local_time.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <ctime>

namespace kinf {

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
