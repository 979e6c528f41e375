// SPDX-License-Identifier: Apache-2.0
// ListRound: requests one complete list, and retries once without a pause. Chooses the version and
// the page size. If the server cannot serve that version, asks for the newest state.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "kinf/informer/informer_options.h"
#include "kinf/informer/pager.h"
#include "kinf/informer/version_tracker.h"

namespace kinf {

/// `client_go` asks for any version in pages of 500 objects, and later for the last version without
/// pages, because the server answers both from memory. But if the server split the first list into
/// pages although any version was accepted, all lists use pages. `strict` does the same if the
/// source says that it can serve no newest state from memory. Otherwise it asks for the newest
/// state, with an unset resourceVersion: the server ignores the page size if any version is
/// accepted, and takes the last version with a page size for exactly that version.
///
/// With the default page size, the pages of `strict` double from 500 to 4,000 objects. Any other
/// page size is exact.
///
/// For the newest state, a server asks etcd. If no byte arrives within 5 s, `strict` asks for what
/// the server holds in memory instead. `strict` also retries for the newest state if a list is
/// older than the last version. Threads: one thread at a time.
class ListRound {
 public:
  /// All references must outlive the ListRound.
  ListRound(ListerWatcher& source, VersionTracker& versions, DialPacer& pacer, const Clock& clock,
            const InformerOptions& options);

  /// Returns the version that the list asks for.
  std::string start();
  /// Returns nothing while the list is incomplete. After a success, the caller must update the
  /// VersionTracker.
  std::optional<Result<PagedList>> poll();
  /// Returns when poll() has something to do although nothing arrives; kNever if there is no such
  /// time.
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

  std::optional<Pager> pager_;  ///< none before send_at_
  Clock::Mono send_at_{};       ///< when to ask again
  std::string first_version_;
  Clock::Mono sent_at_{};
  bool newest_ = false;       ///< the newest state was requested although an older one would do
  bool from_memory_ = false;  ///< the server did not answer a request for the newest state
  bool asked_again_ = false;
  bool always_pages_ = false;
};

}  // namespace kinf
