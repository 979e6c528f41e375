// SPDX-License-Identifier: Apache-2.0
// NotificationQueue: what waits for one handler, and how it is folded when that becomes too much.
// No lock, no wait: ProcessorListener has both.
#pragma once

#include <cstdint>
#include <list>
#include <string>
#include <unordered_map>

#include "kinf/informer/notification.h"

namespace kinf {

/// client-go's processorListener keeps all of it, in a ring that grows without bound.
/// Threads: one at a time.
class NotificationQueue {
 public:
  /// Appends.
  void push(Notification notification);
  /// Folds into what waits for the same object, or appends; returns how many notifications nobody
  /// will see for it. Per object the order stays, across objects it may not.
  std::uint64_t fold(Notification notification);
  /// The oldest; the queue must not be empty.
  Notification pop();

  std::size_t size() const { return waiting_.size(); }
  bool empty() const { return waiting_.empty(); }

 private:
  using Position = std::list<Notification>::iterator;
  /// The last notification that waits for a key, and the one before it if that is a deletion.
  struct Tail {
    Position last;
    Position deletion;
  };

  void build_index();
  void index(const std::string& key, Position position);
  std::uint64_t fold_update(Tail& tail, UpdateEvent& event);
  std::uint64_t fold_delete(Tail& tail, DeleteEvent& event);
  void append(const std::string& key, Notification notification);

  std::list<Notification> waiting_;
  /// Kept only from the first fold until the queue is empty again: most handlers keep up.
  std::unordered_map<std::string, Tail> tails_;
  bool indexed_ = false;
};

}  // namespace kinf
