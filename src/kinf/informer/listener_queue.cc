// SPDX-License-Identifier: Apache-2.0
#include "kinf/informer/processor_listener.h"

#include <utility>

namespace kinf {

void ListenerQueue::push(Item item) {
  waiting_.push_back(std::move(item));
  if (indexed_) index(std::prev(waiting_.end()));
}

ListenerQueue::Item ListenerQueue::pop() {
  const Position front = waiting_.begin();
  if (const Change* change = std::get_if<Change>(&*front); change != nullptr && indexed_) {
    if (const auto found = tails_.find(change->key); found != tails_.end()) {
      if (found->second.deletion == front) found->second.deletion = waiting_.end();
      if (found->second.last == front) tails_.erase(found);
    }
  }
  Item item = std::move(*front);
  waiting_.pop_front();
  if (waiting_.empty() && indexed_) {
    indexed_ = false;
    tails_ = {};
  }
  return item;
}

std::vector<Change> ListenerQueue::changes() const {
  std::vector<Change> changes;
  for (const Item& item : waiting_) {
    if (const Change* const change = std::get_if<Change>(&item)) changes.push_back(*change);
  }
  return changes;
}

std::uint64_t ListenerQueue::fold(Item item) {
  if (!std::exchange(indexed_, true)) {
    for (auto position = waiting_.begin(); position != waiting_.end(); ++position) index(position);
  }
  if (Change* change = std::get_if<Change>(&item)) {
    if (const auto found = tails_.find(change->key); found != tails_.end()) {
      if (const std::uint64_t folded = fold_into(found->second, *change); folded > 0) return folded;
    }
  }
  push(std::move(item));
  return 0;
}

std::uint64_t ListenerQueue::fold_into(Tail& tail, Change& change) {
  Change& last = std::get<Change>(*tail.last);
  if (last.type == ChangeType::deleted || change.type == ChangeType::added) return 0;
  if (change.type != ChangeType::deleted) {
    last.object = std::move(change.object);
    ++last.folded;
    if (last.type == ChangeType::added) return 1;
    // A waiting update must not become a resync.
    if (change.type == ChangeType::updated) {
      last.type = ChangeType::updated;
      last.origin.source = change.origin.source;
    }
    last.origin.arrived = change.origin.arrived;
    return 1;
  }
  if (last.type != ChangeType::added) {
    change.folded = last.folded + 1;
    last = std::move(change);
    return 1;
  }
  if (tail.deletion == waiting_.end()) return 0;
  // The handler has seen only the object of the first deletion, so drop the addition and the second
  // deletion.
  std::get<Change>(*tail.deletion).folded += last.folded + 2;
  waiting_.erase(tail.last);
  tail = {tail.deletion, waiting_.end()};
  return 2;
}

void ListenerQueue::index(Position position) {
  const Change* change = std::get_if<Change>(&*position);
  if (change == nullptr) return;
  const auto [entry, is_new] = tails_.try_emplace(change->key, Tail{position, waiting_.end()});
  if (is_new) return;
  Tail& tail = entry->second;
  const bool after_deletion = std::get<Change>(*tail.last).type == ChangeType::deleted;
  tail.deletion = after_deletion ? tail.last : waiting_.end();
  tail.last = position;
}

}  // namespace kinf
