// SPDX-License-Identifier: Apache-2.0
// IndexQuery: queries the caches of one command. Reads each cache under one lock.
#pragma once

#include <map>
#include <unordered_map>

#include "kinf/cli/flags/index_flags.h"
#include "kinf/cli/selection/owner_tree.h"
#include "kinf/cli/session/informer_set.h"
#include "kinf/cli/session/session.h"
#include "kinf/print/index_text.h"

namespace kinf {

/// Threads: one owner.
class IndexQuery {
 public:
  /// `owners` may be null if no spec follows owners. All references must outlive this object.
  IndexQuery(Session& session, const IndexCommand& command, const OwnerTree* owners)
      : session_(session), command_(command), owners_(owners) {}

  /// Returns an answer that holds the query and its cluster, but no objects.
  IndexAnswer question() const;
  /// Returns the objects that match all specs with a value.
  Result<IndexAnswer> answer();
  /// Returns every value of every index with its keys. Without --by, uses the namespace index.
  IndexDump dump() const;
  /// Returns a function that reads the values of an object in answer() from the indices.
  ValuesOf values_of() const;

 private:
  using ValuesByObject = std::unordered_map<const Object*, std::vector<std::string>>;

  Result<void> select(const InformerSet::Member& member, IndexAnswer& answer);
  void collect_values(const IndexTable& table);

  Session& session_;
  const IndexCommand& command_;
  const OwnerTree* owners_;
  std::map<std::string, ValuesByObject, std::less<>> values_;  ///< key: spec name
};

}  // namespace kinf
