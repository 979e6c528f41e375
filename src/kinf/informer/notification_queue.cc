// SPDX-License-Identifier: Apache-2.0
#include "kinf/informer/notification_queue.h"

#include <utility>

namespace kinf {

void NotificationQueue::push(Notification notification) {
  if (indexed_) {
    const std::string key = key_of(notification);
    append(key, std::move(notification));
  } else {
    waiting_.push_back(std::move(notification));
  }
}

Notification NotificationQueue::pop() {
  const Position front = waiting_.begin();
  if (indexed_) {
    if (const auto found = tails_.find(key_of(*front)); found != tails_.end()) {
      if (found->second.deletion == front) found->second.deletion = waiting_.end();
      if (found->second.last == front) tails_.erase(found);
    }
  }
  Notification notification = std::move(*front);
  waiting_.pop_front();
  if (waiting_.empty() && indexed_) {
    indexed_ = false;
    tails_ = {};
  }
  return notification;
}

std::uint64_t NotificationQueue::fold(Notification notification) {
  if (!indexed_) build_index();
  const std::string key = key_of(notification);
  if (const auto found = tails_.find(key); found != tails_.end()) {
    std::uint64_t folded = 0;
    if (auto* update = std::get_if<UpdateEvent>(&notification)) {
      folded = fold_update(found->second, *update);
    } else if (auto* removal = std::get_if<DeleteEvent>(&notification)) {
      folded = fold_delete(found->second, *removal);
    }
    if (folded > 0) return folded;
  }
  append(key, std::move(notification));
  return 0;
}

std::uint64_t NotificationQueue::fold_update(Tail& tail, UpdateEvent& event) {
  if (auto* add = std::get_if<AddEvent>(&*tail.last)) {
    add->object = std::move(event.object);
    ++add->folded;
    return 1;
  }
  if (auto* update = std::get_if<UpdateEvent>(&*tail.last)) {
    update->object = std::move(event.object);
    // A change that waits must not be taken for a reminder, nor its time for an earlier one's.
    if (event.source != EventSource::resync) update->source = event.source;
    update->arrived = event.arrived;
    ++update->folded;
    return 1;
  }
  return 0;
}

std::uint64_t NotificationQueue::fold_delete(Tail& tail, DeleteEvent& event) {
  if (const auto* update = std::get_if<UpdateEvent>(&*tail.last)) {
    event.folded = update->folded + 1;
    *tail.last = std::move(event);
    return 1;
  }
  const auto* add = std::get_if<AddEvent>(&*tail.last);
  if (add != nullptr && tail.deletion != waiting_.end()) {
    // Deleted, added, deleted: the handler knows only the first object; it learns of the end.
    std::get<DeleteEvent>(*tail.deletion).folded += add->folded + 2;
    waiting_.erase(tail.last);
    tail.last = tail.deletion;
    tail.deletion = waiting_.end();
    return 2;
  }
  return 0;
}

void NotificationQueue::append(const std::string& key, Notification notification) {
  waiting_.push_back(std::move(notification));
  if (!key.empty()) index(key, std::prev(waiting_.end()));
}

void NotificationQueue::build_index() {
  indexed_ = true;
  for (auto position = waiting_.begin(); position != waiting_.end(); ++position) {
    if (std::string key = key_of(*position); !key.empty()) index(key, position);
  }
}

void NotificationQueue::index(const std::string& key, Position position) {
  const auto [entry, is_new] = tails_.try_emplace(key, Tail{position, waiting_.end()});
  if (is_new) return;
  Tail& tail = entry->second;
  const bool after_deletion = std::holds_alternative<DeleteEvent>(*tail.last);
  tail.deletion = after_deletion ? tail.last : waiting_.end();
  tail.last = position;
}

}  // namespace kinf
