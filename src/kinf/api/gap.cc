// SPDX-License-Identifier: Apache-2.0
#include "kinf/api/gap.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kinf/base/log.h"
#include "kinf/base/timestamp.h"

namespace kinf {

std::string Gap::types_text() const {
  constexpr std::size_t kNamed = 3;
  if (resources.empty()) return "all types";
  if (resources.size() <= kNamed) return fmt::format("{}", fmt::join(resources, ", "));
  return fmt::format("{}, {} and {} other types", resources[0], resources[1], resources.size() - 2);
}

void log_gap(const Gap& gap) {
  const std::string begin = local_time_text(gap.begin);
  const std::string end = local_time_text(gap.end);
  if (gap.resources.empty()) {
    log::notice("{} between {} and {}", gap.reason, begin, end);
  } else {
    log::notice("{}: not recorded from {} to {} ({})", gap.types_text(), begin, end, gap.reason);
  }
}

}  // namespace kinf
