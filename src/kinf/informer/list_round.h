// SPDX-License-Identifier: Apache-2.0
// ListRound: requests one complete list, and retries once without a pause. Chooses the version and
// the page size. If the server cannot serve that version, asks for the newest state.
#pragma once

#include <cstdint>
#include <optional>

#include "kinf/informer/dial_pacer.h"
#include "kinf/informer/informer_options.h"
#include "kinf/informer/pager.h"
#include "kinf/informer/version_tracker.h"

namespace kinf {

/// The page sizes are those of client-go: the first list uses pages of 500 objects. Later lists do
/// not use pages, because the server answers them from memory. But if the server split the first
/// list into pages although any version was accepted, all lists use pages. Unlike client-go,
/// `strict` also retries for the newest state if a list is older than the last version.
/// Threads: one thread at a time.
class ListRound {
 public:
  /// All references must outlive the ListRound.
  ListRound(ListerWatcher& source, VersionTracker& versions, DialPacer& pacer, const Clock& clock,
            const InformerOptions& options);

  void start();
  /// Returns nothing while the list is incomplete. After a success, the caller must update the
  /// VersionTracker.
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
