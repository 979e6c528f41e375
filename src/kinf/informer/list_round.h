// SPDX-License-Identifier: Apache-2.0
// ListRound: one complete list, with the fallbacks that need no pause. Chooses the version and the
// page size, and lists once more for the newest state if the server cannot serve the version.
#pragma once

#include <cstdint>
#include <optional>

#include "kinf/informer/dial_pacer.h"
#include "kinf/informer/informer_options.h"
#include "kinf/informer/pager.h"
#include "kinf/informer/version_tracker.h"

namespace kinf {

/// Pages as in client-go: 500 objects for a first list, no pages once a version is known (the
/// server then answers from memory), but always 500 after a first list that came in pages although
/// it accepted any state. Unlike client-go, `strict` lists again for the newest state if a list is
/// older than the last version.
/// Threads: one owner.
class ListRound {
 public:
  /// All references outlive this.
  ListRound(ListerWatcher& source, VersionTracker& versions, DialPacer& pacer, const Clock& clock,
            const InformerOptions& options);

  void start();
  /// Empty while unfinished. On success the caller advances the tracker.
  std::optional<Result<PagedList>> poll();
  void cancel() { pager_.reset(); }
  bool is_running() const { return pager_.has_value(); }

 private:
  void send();
  bool asks_again(const Result<PagedList>& outcome);

  ListerWatcher& source_;
  VersionTracker& versions_;
  DialPacer& pacer_;
  const Clock& clock_;
  const InformerOptions& options_;

  std::optional<Pager> pager_;
  std::string first_version_;
  std::int64_t page_size_ = 0;
  bool asked_again_ = false;
  bool always_pages_ = false;
};

}  // namespace kinf
