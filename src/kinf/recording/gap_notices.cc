// SPDX-License-Identifier: Apache-2.0
#include "kinf/recording/gap_notices.h"

#include <algorithm>
#include <utility>

#include "kinf/base/log.h"
#include "kinf/base/timestamp.h"

namespace kinf {

Result<GapNotices> GapNotices::read(RecordingReader& reader, Clock::Wall begin, Clock::Wall end) {
  Result<std::vector<RecordedGap>> gaps = reader.gaps();
  if (!gaps) return std::unexpected(std::move(gaps).error());
  GapNotices notices;
  for (RecordedGap& gap : *gaps) {
    if ((gap.end > begin || gap.is_open) && gap.begin <= end)
      notices.gaps_.push_back(std::move(gap));
  }
  std::ranges::sort(notices.gaps_, {}, &RecordedGap::end);
  return notices;
}

void GapNotices::report(Clock::Wall time,
                        const std::function<bool(const RecordedGap& gap)>& concerns) {
  while (!gaps_.empty() && gaps_.front().end <= time) {
    const RecordedGap& gap = gaps_.front();
    if (concerns(gap)) {
      log::notice("{}: not recorded from {} to {} ({})", gap.resource, local_time_text(gap.begin),
                  local_time_text(gap.end), gap.reason);
    }
    gaps_.pop_front();
  }
}

}  // namespace kinf
