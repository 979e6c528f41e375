// SPDX-License-Identifier: Apache-2.0
// IndexRunner: runs a query of `kinf index` on one cluster, once or live.
#pragma once

#include <atomic>
#include <memory>
#include <optional>

#include "kinf/cli/index/index_output.h"
#include "kinf/cli/index/index_query.h"
#include "kinf/cli/index/index_watch.h"
#include "kinf/cli/runtime/commands.h"

namespace kinf {

/// Call prepare() first, then read() or watch().
/// Threads: one owner.
class IndexRunner {
 public:
  /// `sync_deadline`: see --sync-timeout. All references must outlive this object and the session.
  IndexRunner(const IndexCommand& command, Session& session, const CommandContext& context,
              Clock::Mono sync_deadline);

  /// Checks the query and adds the informers. Blocks on discovery.
  Result<void> prepare();
  /// Reads all objects and stops the informers. Returns false if the exit code was set meanwhile.
  Result<bool> read();
  /// Returns the answer, which refers to this object. Call it after read().
  Result<IndexPart> part();
  /// Returns all values and their keys. Call it after read().
  IndexDump dump() const { return query_->dump(); }
  /// Prints the values of all objects and their changes to `output` until the exit code is set, or
  /// until the recording or sandbox scenario has ended. Stops the informers before it returns.
  Result<void> watch(IndexChangeWriter& output);

 private:
  Result<void> print_changes(IndexWatch& watch);
  Result<void> follow_owners(IndexWatch& watch);
  void note_owner_change();
  /// Returns a function that computes the current values of an object. The function also requests
  /// informers for owner types that are not followed yet.
  ValuesOf live_values();

  IndexCommand command_;  ///< a copy: prepare() completes the types of owners
  /// The flags of the caller's command, not of the copy, because the informers outlive the copy.
  const InformerFlags& informer_flags_;
  Session& session_;
  const CommandContext& context_;
  const Clock::Mono sync_deadline_;
  std::atomic<bool> owners_changed_ = false;
  std::unique_ptr<OwnerTree> owners_;  ///< null unless a spec follows owners
  std::optional<IndexQuery> query_;    ///< set by read()
};

}  // namespace kinf
