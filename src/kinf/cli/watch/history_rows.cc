// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/watch/history_rows.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

namespace kinf {
namespace {

constexpr std::size_t kWaitingRows = 1000;
constexpr std::size_t kWaitingBytes = std::size_t{16} * 1024 * 1024;

std::size_t memory_of(const Change& change) {
  std::size_t bytes = 0;
  for (const ObjectPtr& object : {change.object, change.old}) {
    if (object) bytes += object->memory_size();
  }
  return bytes;
}

/// Returns the latest time at which an Event can have happened. Most have times of whole seconds.
Clock::Wall latest_time(const HistoryRow& row) {
  const Clock::Wall shown = std::max(shown_time(*row.type, row.change), Clock::Wall());
  const Clock::Wall arrived = row.change.origin.arrived;
  const bool is_whole = shown == std::chrono::floor<std::chrono::seconds>(shown);
  if (shown >= arrived) return arrived;  // a hostile time may be the last one of the clock
  return is_whole ? std::min(arrived, shown + (std::chrono::seconds(1) - Clock::Duration(1)))
                  : shown;
}

}  // namespace

Clock::Wall HistoryRows::place_of(const HistoryRow& row) {
  if (!sorts_) return {};
  if (row.note) return latest_time(row);
  // Versions keep their order even if the clock went back.
  last_ = std::max(last_, row.gap ? row.gap->end : row.change.origin.arrived);
  return last_;
}

void HistoryRows::add(HistoryRow row) {
  const Clock::Wall place = place_of(row);
  const std::size_t bytes = memory_of(row.change);
  bytes_ += bytes;
  waiting_.emplace(place, Waiting{std::move(row), bytes});
}

bool HistoryRows::has_ready(bool all) const {
  if (waiting_.empty()) return false;
  return all || !sorts_ || waiting_.size() > kWaitingRows || bytes_ > kWaitingBytes;
}

std::vector<HistoryRow> HistoryRows::take(bool all) {
  std::vector<HistoryRow> ready;
  while (has_ready(all)) {
    Waiting next = std::move(waiting_.begin()->second);
    waiting_.erase(waiting_.begin());
    bytes_ -= next.bytes;
    if (next.row.gap) {
      (has_row_ ? gaps_ : ready).push_back(std::move(next.row));
      continue;
    }
    has_row_ = true;
    for (HistoryRow& gap : std::exchange(gaps_, {})) {
      gap.is_between = true;
      ready.push_back(std::move(gap));
    }
    ready.push_back(std::move(next.row));
  }
  if (all) std::ranges::move(std::exchange(gaps_, {}), std::back_inserter(ready));
  return ready;
}

}  // namespace kinf
