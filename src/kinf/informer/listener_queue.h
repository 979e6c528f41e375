// SPDX-License-Identifier: Apache-2.0
// ListenerQueue: the changes that wait for one handler. Can merge changes of the same object when
// the queue is full. ProcessorListener adds locking and waiting.
#pragma once

#include <cstdint>
#include <list>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#include "kinf/api/event_handler.h"

namespace kinf {

/// Differs from client-go: processorListener keeps every change in a ring buffer of unlimited size.
/// Threads: one thread at a time.
class ListenerQueue {
 public:
  using Item = std::variant<Change, SyncedEvent>;

  void push(Item item);
  /// Merges the item with the waiting changes of the same object, or appends it. Returns how many
  /// changes the handler no longer gets. Keeps the order of changes per object, but not across
  /// objects.
  std::uint64_t fold(Item item);
  /// Removes and returns the oldest item. The queue must not be empty.
  Item pop();

  /// Returns a copy of the waiting changes, oldest first.
  std::vector<Change> changes() const;
  std::size_t size() const { return waiting_.size(); }
  bool empty() const { return waiting_.empty(); }

 private:
  using Position = std::list<Item>::iterator;
  /// The last waiting change of a key, and the change before it if that is a deletion (else end()).
  struct Tail {
    Position last;
    Position deletion;
  };

  void index(Position position);
  std::uint64_t fold_into(Tail& tail, Change& change);

  std::list<Item> waiting_;
  /// Last changes by key. Maintained only from the first fold() until the queue is empty, because
  /// most handlers are fast enough.
  std::unordered_map<std::string, Tail> tails_;
  bool indexed_ = false;  ///< whether tails_ is maintained
};

}  // namespace kinf
