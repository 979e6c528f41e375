// SPDX-License-Identifier: Apache-2.0
// ListRound: requests one complete list. Chooses the resourceVersion and the page size of the
// request. If the server cannot serve that version, asks once more, for the newest state.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "kinf/informer/informer_options.h"
#include "kinf/informer/pager.h"
#include "kinf/informer/version_tracker.h"

namespace kinf {

/// Requests one complete list. Behaviour::client_go requests its first list at any version
/// (resourceVersion `0`), in pages of 500 objects. It requests later lists at the last known
/// version, without pages. The server answers both from memory and, for version `0`, ignores the
/// page size. If a server returns the first list in pages nevertheless, all later lists use pages,
/// too.
///
/// Behaviour::strict does the same if the source cannot serve the newest state from memory
/// (ListerWatcher::newest_from_memory()). Otherwise `strict` requests the newest state, with an
/// unset resourceVersion, because only that version works with pages: for `0`, the server ignores
/// the page size, and for the last known version with a page size, it returns exactly that version.
///
/// With the default page size, the pages of `strict` grow from 500 to 4,000 objects. Any other page
/// size is exact.
///
/// To serve the newest state, a server asks etcd. If no byte arrives within 5 s, `strict` asks for
/// a version that the server holds in memory instead. If a list is older than the last known
/// version, `strict` asks once more, for the newest state. Threads: one thread at a time.
class ListRound {
 public:
  /// All references must outlive the ListRound.
  ListRound(ListerWatcher& source, VersionTracker& versions, DialPacer& pacer, const Clock& clock,
            const InformerOptions& options);

  /// Sends the request. Returns the resourceVersion that it asks for.
  std::string start();
  /// Returns nullopt while the list is incomplete. After a success, the caller must update the
  /// VersionTracker.
  std::optional<Result<PagedList>> poll();
  /// Returns when poll() must be called even if no data arrives; kNever if there is no such time.
  Clock::Mono deadline() const;
  void cancel() { pager_.reset(); }

 private:
  void send();
  std::string choose_version();
  std::int64_t choose_page_size(const std::string& version) const;
  Clock::Mono memory_deadline() const;
  bool asks_again(const Result<PagedList>& outcome);

  ListerWatcher& source_;
  VersionTracker& versions_;
  DialPacer& pacer_;
  const Clock& clock_;
  const InformerOptions& options_;

  std::optional<Pager> pager_;  ///< empty while waiting for send_at_
  Clock::Mono send_at_{};       ///< the time of the next request
  std::string first_version_;
  Clock::Mono sent_at_{};
  bool newest_ = false;       ///< requests the newest state although for_list() allows an older one
  bool from_memory_ = false;  ///< the server did not answer a request for the newest state in time
  bool asked_again_ = false;
  bool always_pages_ = false;
};

}  // namespace kinf
