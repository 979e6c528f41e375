// SPDX-License-Identifier: Apache-2.0
#include "kinf/cache/delta_fifo.h"

#include <doctest/doctest.h>

#include <atomic>
#include <thread>

#include "fakes/object_builder.h"
#include "fakes/queue_text.h"
#include "kinf/cache/indexer.h"

namespace kinf {
namespace {

using test::kList;
using test::kWatch;
using test::make_labelled;
using test::make_object;
using test::pop_text;

constexpr ChangeOrigin kResync{ChangeSource::resync, {}};

DeltaFifoOptions over(const KnownObjects& known) {
  DeltaFifoOptions options;
  options.known_objects = &known;
  return options;
}

TEST_CASE("a snapshot has the deltas of each key, in the order of the pops") {
  DeltaFifo queue({});
  REQUIRE(queue.add(make_object("b", "1"), kWatch));
  REQUIRE(queue.add(make_object("a", "2"), kWatch));
  REQUIRE(queue.update(make_object("b", "3"), kWatch));
  const std::vector<Deltas> units = queue.snapshot();
  REQUIRE(units.size() == 2);
  CHECK(test::text_of(units[0]) == "Added b@1, Updated b@3");
  CHECK(test::text_of(units[1]) == "Added a@2");
  CHECK(queue.depth() == 2);
}

TEST_CASE("B1: the order of each of two producers is kept") {
  DeltaFifo queue({});
  const auto produce = [&](const std::string& prefix) {
    for (int i = 0; i < 500; ++i) {
      (void)queue.add(make_object(prefix + std::to_string(i)), kWatch);
    }
  };
  {
    std::jthread first(produce, "a");
    std::jthread second(produce, "b");
  }
  int next_a = 0;
  int next_b = 0;
  for (std::string text; !(text = pop_text(queue)).empty();) {
    int& next = text.starts_with("Added a") ? next_a : next_b;
    const char* prefix = &next == &next_a ? "Added a" : "Added b";
    CHECK(text == prefix + std::to_string(next++) + "@1");
  }
  CHECK(next_a == 500);
  CHECK(next_b == 500);
}

TEST_CASE("B2: an object deleted and then listed again is not lost") {
  Indexer known;
  CHECK(known.add(make_object("foo", "1")));
  DeltaFifo queue(over(known));
  CHECK(queue.remove(make_object("foo", "1"), kWatch));
  CHECK(queue.replace({make_object("foo", "2")}, "2", kList));
  CHECK(pop_text(queue) == "Deleted foo@1, Replaced foo@2");
}

TEST_CASE("B3: a list deletes what only the queue knows, with its newest state") {
  Indexer known;
  DeltaFifo queue(over(known));
  CHECK(queue.add(make_object("foo", "1"), kWatch));
  CHECK(queue.update(make_object("foo", "2"), kWatch));
  CHECK(queue.replace({}, "3", kList));
  CHECK(pop_text(queue) == "Added foo@1, Updated foo@2, Deleted? foo@2");
}

TEST_CASE("B4, B5: of two deletions in a row only the one that was seen is kept") {
  DeltaFifo queue({});
  CHECK(queue.add(make_object("foo", "1"), kWatch));
  CHECK(queue.remove(make_object("foo", "2"), kWatch));
  CHECK(queue.replace({}, "3", kList));
  CHECK(queue.replace({}, "4", kList));
  CHECK(pop_text(queue) == "Added foo@1, Deleted foo@2");
  CHECK(queue.add(make_object("bar", "5"), kWatch));
  CHECK(queue.replace({}, "6", kList));
  CHECK(queue.remove(make_object("bar", "7"), kWatch));
  CHECK(pop_text(queue) == "Added bar@5, Deleted bar@7");
}

TEST_CASE("B7: the transform gets each object once, and no tombstone") {
  int calls = 0;
  DeltaFifoOptions options;
  options.transform = [&](const ObjectPtr& object) -> Result<ObjectPtr> {
    ++calls;
    return make_object(std::string(object->name()), std::string(object->resource_version()) + "t");
  };
  DeltaFifo queue(options);
  CHECK(queue.add(make_object("a", "1"), kWatch));
  CHECK(queue.replace({make_object("b", "2")}, "2", kList));
  CHECK(calls == 2);
  CHECK(pop_text(queue) == "Added a@1t, Deleted? a@1t");
  CHECK(pop_text(queue) == "Replaced b@2t");
}

TEST_CASE("B10, B11: only keys without queued changes get a reminder") {
  Indexer known;
  CHECK(known.add(make_object("idle", "1")));
  CHECK(known.add(make_object("busy", "1")));
  DeltaFifo queue(over(known));
  CHECK(queue.update(make_object("busy", "2"), kWatch));
  CHECK(queue.resync(kResync));
  CHECK(pop_text(queue) == "Updated busy@2");
  CHECK(pop_text(queue) == "Sync idle@1");
  CHECK(pop_text(queue).empty());
}

TEST_CASE("B15: synced only after every object and deletion of the first list was popped") {
  Indexer known;
  for (const char* name : {"foo", "bar", "baz"}) CHECK(known.add(make_object(name)));
  DeltaFifo queue(over(known));
  CHECK_FALSE(queue.has_synced());
  CHECK(queue.replace({make_object("foo", "2")}, "2", kList));
  for (int i = 0; i < 3; ++i) {
    CHECK_FALSE(queue.has_synced());
    bool initial = false;
    CHECK_FALSE(pop_text(queue, &initial).empty());
    CHECK(initial);
  }
  CHECK(queue.has_synced());
  CHECK(queue.replace({make_object("new", "3")}, "3", kList));
  CHECK(queue.has_synced());
}

TEST_CASE("B15: an empty first list is synced at once, and a key counts once") {
  DeltaFifo empty({});
  CHECK(empty.replace({}, "1", kList));
  CHECK(empty.has_synced());
  DeltaFifo twice({});
  CHECK(twice.replace({make_object("a", "1"), make_object("a", "2")}, "2", kList));
  CHECK(pop_text(twice) == "Replaced a@1, Replaced a@2");
  CHECK(twice.has_synced());
}

TEST_CASE("B16: a queued key keeps its place, a popped one goes to the end") {
  DeltaFifo queue({});
  CHECK(queue.add(make_object("a", "1"), kWatch));
  CHECK(queue.add(make_object("b", "1"), kWatch));
  CHECK(queue.update(make_object("a", "2"), kWatch));
  CHECK(pop_text(queue) == "Added a@1, Updated a@2");
  CHECK(queue.update(make_object("a", "3"), kWatch));
  CHECK(pop_text(queue) == "Added b@1");
  CHECK(pop_text(queue) == "Updated a@3");
}

TEST_CASE("B18: all waiting calls return on close") {
  DeltaFifo queue({});
  std::atomic<int> returned{0};
  std::vector<std::jthread> consumers;
  for (int i = 0; i < 10; ++i) {
    consumers.emplace_back([&] {
      if (!queue.pop([](Popped&) -> Result<void> { return {}; }, {})) ++returned;
    });
  }
  queue.close();
  consumers.clear();
  CHECK(returned == 10);
}

TEST_CASE("B19: what is queued at close is still popped, then pop fails") {
  DeltaFifo queue({});
  CHECK(queue.add(make_object("a"), kWatch));
  queue.close();
  CHECK(queue.add(make_object("b"), kWatch));
  CHECK(pop_text(queue) == "Added a@1");
  CHECK(pop_text(queue) == "Added b@1");
  const Result<bool> popped = queue.try_pop([](Popped&) -> Result<void> { return {}; });
  REQUIRE_FALSE(popped);
  CHECK(popped.error().kind == ErrorKind::stopped);
  CHECK(popped.error().message == "DeltaFIFO: manipulating with closed queue");
}

TEST_CASE("a list that cannot be transformed queues nothing, or a part of it with client_go") {
  const std::vector<ObjectPtr> list = {make_object("a"), make_labelled("b", "bad", "1")};
  DeltaFifoOptions options;
  options.transform = [](const ObjectPtr& object) -> Result<ObjectPtr> {
    if (object->label("bad")) return fail(ErrorKind::internal, "cannot");
    return object;
  };
  DeltaFifo strict(options);
  CHECK(strict.replace(list, "1", kList).error().message == "couldn't enqueue object: cannot");
  CHECK(strict.depth() == 0);
  options.behaviour = Behaviour::client_go;
  DeltaFifo client_go(options);
  CHECK_FALSE(client_go.replace(list, "1", kList));
  CHECK(pop_text(client_go) == "Replaced a@1");
  CHECK_FALSE(client_go.has_synced());
}

TEST_CASE("a failing change still ends the time before the first list") {
  DeltaFifoOptions options;
  options.transform = [](const ObjectPtr&) -> Result<ObjectPtr> {
    return fail(ErrorKind::internal, "cannot");
  };
  DeltaFifo queue(options);
  CHECK_FALSE(queue.add(make_object("a"), kWatch));
  CHECK(queue.has_synced());
}

TEST_CASE("a deletion that arrives while the object is being applied is not lost") {
  Indexer known;
  DeltaFifo queue(over(known));
  CHECK(queue.add(make_object("a", "1"), kWatch));
  std::jthread producer;
  CHECK(queue.try_pop([&](Popped& popped) -> Result<void> {
    // Neither queued nor stored at this moment: the call has to wait for what happens below.
    producer = std::jthread([&] { (void)queue.remove(make_object("a", "2"), kWatch); });
    return known.add(popped.deltas[0].object);
  }));
  producer.join();
  CHECK(pop_text(queue) == "Deleted a@2");
}

TEST_CASE("the bound counts every change of every key, and merging frees room") {
  DeltaFifoOptions options;
  options.capacity = 3;
  DeltaFifo queue(options);
  CHECK(queue.add(make_object("a", "1"), kWatch));
  CHECK(queue.update(make_object("a", "2"), kWatch));
  CHECK(queue.remove(make_object("a", "3"), kWatch));
  CHECK_FALSE(queue.has_room());
  std::stop_source stop;
  stop.request_stop();
  CHECK_FALSE(queue.update(make_object("a", "4"), kWatch, stop.get_token()));
  CHECK(pop_text(queue) == "Added a@1, Updated a@2, Deleted a@3");
  CHECK(queue.has_room());
  CHECK(queue.add(make_object("b", "1"), kWatch));
  CHECK(queue.remove(make_object("b", "2"), kWatch));
  CHECK(queue.remove(make_object("b", "3"), kWatch));  // folded
  CHECK(queue.has_room());
}

}  // namespace
}  // namespace kinf
