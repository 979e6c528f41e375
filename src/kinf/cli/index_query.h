// SPDX-License-Identifier: Apache-2.0
// IndexQuery: questions to the caches of one command, each cache asked under one lock.
#pragma once

#include "kinf/cli/command_line.h"
#include "kinf/cli/owner_tree.h"
#include "kinf/cli/session.h"
#include "kinf/print/index_text.h"

namespace kinf {

/// Threads: one owner.
class IndexQuery {
 public:
  /// `owners` may be null if no spec follows owners. All references outlive this.
  IndexQuery(Session& session, const IndexCommand& command, const OwnerTree* owners)
      : session_(session), command_(command), owners_(owners) {}

  /// What was asked, with nothing found yet.
  IndexAnswer question() const;
  /// The objects that match all specs with a value.
  Result<IndexAnswer> answer() const;
  /// Every value of every index with its keys; without --by the index by namespace.
  IndexDump dump() const;
  ValuesOf values_of() const;

 private:
  Result<void> select(const InformerSet::Member& member, IndexAnswer& answer) const;

  Session& session_;
  const IndexCommand& command_;
  const OwnerTree* owners_;
};

}  // namespace kinf
