// SPDX-License-Identifier: Apache-2.0
// ListenerQueue: the changes that wait for one handler, and how they are merged when there are too
// many. ProcessorListener adds the lock and the waits.
#pragma once

#include <cstdint>
#include <list>
#include <string>
#include <unordered_map>
#include <variant>

#include "kinf/api/event_handler.h"

namespace kinf {

/// client-go's processorListener keeps every change, in a ring that grows without bound.
/// Threads: one at a time.
class ListenerQueue {
 public:
  using Item = std::variant<Change, SyncedEvent>;

  void push(Item item);
  /// Merges the item into the changes that wait for the same object, or appends it. Returns how
  /// many changes the handler will not see because of it. Keeps the order of changes of one
  /// object, but not across objects.
  std::uint64_t fold(Item item);
  /// The oldest item. The queue must not be empty.
  Item pop();

  std::size_t size() const { return waiting_.size(); }
  bool empty() const { return waiting_.empty(); }

 private:
  using Position = std::list<Item>::iterator;
  /// The last change that waits for a key, and the one before it if that is a deletion.
  struct Tail {
    Position last;
    Position deletion;
  };

  void index(Position position);
  std::uint64_t fold_into(Tail& tail, Change& change);

  std::list<Item> waiting_;
  /// Kept only from the first fold until the queue is empty again, because most handlers keep up.
  std::unordered_map<std::string, Tail> tails_;
  bool indexed_ = false;
};

}  // namespace kinf
