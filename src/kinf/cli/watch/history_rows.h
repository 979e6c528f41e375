// SPDX-License-Identifier: Apache-2.0
// HistoryRows: the rows of `kinf history` that wait until it is known which row is the next one.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "kinf/api/change.h"
#include "kinf/api/gap.h"
#include "kinf/api/group_version_resource.h"
#include "kinf/base/clock.h"
#include "kinf/print/event_note.h"

namespace kinf {

/// A version of an object, an Event about an object, or a gap of the recording.
struct HistoryRow {
  const ResourceType* type = nullptr;  ///< null for a gap
  std::string cluster{};
  Change change{};
  Clock::Wall now{};  ///< when the change was delivered; ages are relative to it
  std::optional<EventNote> note{};
  std::optional<Gap> gap{};
  bool is_between = false;  ///< a gap is between two rows
};

/// Changes are delivered in their order, but an Event arrives after it happened, and after a gap of
/// the recording much later. Therefore, with Events, rows wait and are sorted by time: at most
/// 1,000 of them, and 16 MiB of objects. An Event that arrives even later comes where it arrived.
/// Also finds the gaps that are between two rows.
///
/// Threads: one thread at a time.
class HistoryRows {
 public:
  /// Without `sorts`, rows keep the order in which they are added.
  explicit HistoryRows(bool sorts) : sorts_(sorts) {}

  void add(HistoryRow row);
  /// Returns the rows to print next, in order. With `all`, no row waits any longer.
  std::vector<HistoryRow> take(bool all);

 private:
  struct Waiting {
    HistoryRow row;
    std::size_t bytes = 0;  ///< the memory of its objects
  };
  /// Returns the time by which to sort a row.
  Clock::Wall place_of(const HistoryRow& row);
  bool has_ready(bool all) const;

  const bool sorts_;
  std::multimap<Clock::Wall, Waiting> waiting_;
  std::size_t bytes_ = 0;         ///< the sum of Waiting::bytes
  Clock::Wall last_{};            ///< the place of the last version or gap
  bool has_row_ = false;          ///< take() has returned a row that is no gap
  std::vector<HistoryRow> gaps_;  ///< gaps after the last row; another row may follow
};

}  // namespace kinf
