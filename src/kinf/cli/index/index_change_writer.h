// SPDX-License-Identifier: Apache-2.0
// IndexChangeWriter: writes the lines of `kinf index -w`, of one or more clusters.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/base/sync.h"
#include "kinf/cli/runtime/exit_request.h"
#include "kinf/cli/runtime/file_writer.h"
#include "kinf/print/index_text.h"

namespace kinf {

/// Threads: any.
class IndexChangeWriter {
 public:
  /// `writer` and `exit_request` must outlive this object. Sets the exit code after `max_events`
  /// lines, or when a write fails.
  IndexChangeWriter(IndexChanges changes, std::optional<std::uint64_t> max_events,
                    FileWriter& writer, ExitRequest& exit_request);

  /// Makes the columns wide enough for values that may be printed later.
  void reserve(const std::vector<IndexTuple>& tuples);
  /// Adds one line per move of the object with this key. `question` is the query of its cluster.
  void print(const IndexAnswer& question, const std::vector<IndexMove>& moves,
             std::string_view key);
  /// Writes the lines to the output.
  void write_out();
  /// Returns the number of lines so far.
  std::uint64_t printed() const;

 private:
  void write_out_locked() KINF_REQUIRES(mu_);

  const std::optional<std::uint64_t> max_events_;
  FileWriter& writer_;
  ExitRequest& exit_request_;
  mutable Mutex mu_;
  IndexChanges changes_ KINF_GUARDED_BY(mu_);
  std::uint64_t printed_ KINF_GUARDED_BY(mu_) = 0;
  std::string text_ KINF_GUARDED_BY(mu_);
};

}  // namespace kinf
