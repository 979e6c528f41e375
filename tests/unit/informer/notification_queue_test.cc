// SPDX-License-Identifier: Apache-2.0
#include "kinf/informer/notification_queue.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "fakes/object_builder.h"
#include "fakes/recording_handler.h"

namespace kinf {
namespace {

using test::make_object;
using Texts = std::vector<std::string>;

Notification add(const std::string& name, const std::string& rv) {
  AddEvent event;
  event.object = make_object(name, rv);
  return event;
}
Notification update(const std::string& name, const std::string& from, const std::string& to) {
  UpdateEvent event;
  event.old_object = make_object(name, from);
  event.object = make_object(name, to);
  return event;
}
Notification removal(const std::string& name, const std::string& rv) {
  DeleteEvent event;
  event.object = make_object(name, rv);
  event.key = event.object->key();
  return event;
}

Texts drain(NotificationQueue& queue) {
  test::RecordingHandler handler;
  while (!queue.empty()) {
    const Notification next = queue.pop();
    if (const auto* a = std::get_if<AddEvent>(&next)) handler.on_add(*a);
    if (const auto* u = std::get_if<UpdateEvent>(&next)) handler.on_update(*u);
    if (const auto* d = std::get_if<DeleteEvent>(&next)) handler.on_delete(*d);
    if (const auto* s = std::get_if<SyncedEvent>(&next)) handler.on_synced(*s);
  }
  return handler.take();
}

TEST_CASE("what is pushed comes out in order, unfolded") {
  NotificationQueue queue;
  queue.push(add("a", "1"));
  queue.push(update("a", "1", "2"));
  queue.push(removal("a", "3"));
  CHECK(drain(queue) == Texts{"ADDED a@1", "MODIFIED a@1->2", "DELETED a@3"});
}

TEST_CASE("a newer state takes the place of an older one of the same object") {
  NotificationQueue queue;
  queue.push(add("a", "1"));
  queue.push(update("b", "1", "2"));
  queue.push(SyncedEvent{});
  CHECK(queue.fold(update("a", "1", "5")) == 1);
  CHECK(queue.fold(update("b", "2", "6")) == 1);
  CHECK(queue.fold(update("c", "1", "7")) == 0);
  CHECK(drain(queue) == Texts{"ADDED a@5", "MODIFIED b@1->6", "SYNCED 0", "MODIFIED c@1->7"});
}

TEST_CASE("additions and deletions are kept, a change before a deletion is not") {
  NotificationQueue queue;
  queue.push(add("a", "1"));
  queue.push(update("b", "1", "2"));
  CHECK(queue.fold(removal("a", "3")) == 0);
  CHECK(queue.fold(removal("b", "4")) == 1);
  CHECK(queue.fold(add("b", "5")) == 0);
  CHECK(drain(queue) == Texts{"ADDED a@1", "DELETED b@4", "DELETED a@3", "ADDED b@5"});
}

TEST_CASE("an object that comes and goes for ever takes no more room than its last round") {
  NotificationQueue queue;
  queue.push(update("a", "1", "2"));
  std::uint64_t folded = queue.fold(removal("a", "3"));
  for (int i = 0; i < 100; ++i) {
    folded += queue.fold(add("a", "10"));
    folded += queue.fold(removal("a", "11"));
    CHECK(queue.size() <= 2);
  }
  folded += queue.fold(add("a", "12"));
  CHECK(folded == 201);
  CHECK(drain(queue) == Texts{"DELETED a@3", "ADDED a@12"});
}

TEST_CASE("an event says for how many others it stands") {
  NotificationQueue queue;
  queue.push(add("a", "1"));
  queue.push(update("b", "1", "2"));
  queue.fold(update("a", "1", "3"));
  queue.fold(update("a", "3", "4"));
  queue.fold(update("b", "2", "5"));
  queue.fold(removal("b", "6"));
  queue.fold(add("b", "7"));
  queue.fold(update("b", "7", "8"));
  queue.fold(removal("b", "9"));
  CHECK(std::get<AddEvent>(queue.pop()).folded == 2);
  // Two changes before it; an addition, its change and its end after it.
  CHECK(std::get<DeleteEvent>(queue.pop()).folded == 5);
  CHECK(queue.empty());
}

TEST_CASE("what has been taken out is not folded into") {
  NotificationQueue queue;
  queue.push(update("a", "1", "2"));
  queue.push(update("b", "1", "2"));
  CHECK(queue.fold(update("a", "2", "3")) == 1);
  CHECK(std::get<UpdateEvent>(queue.pop()).object->resource_version() == "3");
  CHECK(queue.fold(update("a", "3", "4")) == 0);
  CHECK(drain(queue) == Texts{"MODIFIED b@1->2", "MODIFIED a@3->4"});
}

}  // namespace
}  // namespace kinf
