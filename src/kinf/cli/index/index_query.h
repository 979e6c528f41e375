// SPDX-License-Identifier: Apache-2.0
// IndexQuery: queries the caches of one command. Reads the indices of each cache under one read
// lock.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "kinf/cache/index_table.h"
#include "kinf/cli/flags/index_flags.h"
#include "kinf/cli/selection/owner_tree.h"
#include "kinf/cli/session/informer_set.h"
#include "kinf/cli/session/session.h"
#include "kinf/print/index_text.h"

namespace kinf {

/// Calls `visit` with each value of an index and each selected object that has it.
template <class Visit>
void for_each_indexed(const InformerSet::Member& member, std::string_view index,
                      const Visit& visit) {
  std::unordered_set<const Object*> selected;
  for (const ObjectPtr& object : member.objects()) selected.insert(object.get());
  member.informer->indexer().with_read_lock([&](const IndexTable& table) {
    table.for_each_value(index, [&](const std::string& value, std::size_t) {
      table.for_each_in_index(index, value, [&](const std::string&, const ObjectPtr& object) {
        if (selected.contains(object.get())) visit(value, *object);
      });
    });
  });
}

/// Threads: one owner.
class IndexQuery {
 public:
  /// `owners` may be null if no spec follows owners. All references must outlive this object.
  IndexQuery(Session& session, const IndexCommand& command, const OwnerTree* owners)
      : session_(session), command_(command), owners_(owners) {}

  /// Returns an answer that holds the query and its cluster, but no objects.
  IndexAnswer question() const;
  /// Returns the objects that match all specs that have a value.
  Result<IndexAnswer> answer();
  /// Returns every value of every index with its keys. Without --by, uses the namespace index.
  IndexDump dump() const;
  /// Returns a function that looks up an object's values in the indices. The object must come from
  /// answer().
  ValuesOf values_of() const;

 private:
  using ValuesByObject = std::unordered_map<const Object*, std::vector<std::string>>;

  Result<void> select(const InformerSet::Member& member, IndexAnswer& answer);
  void collect_values(const IndexTable& table);

  Session& session_;
  const IndexCommand& command_;
  const OwnerTree* owners_;
  std::map<std::string, ValuesByObject, std::less<>> values_;  ///< by IndexSpec::name()
};

}  // namespace kinf
