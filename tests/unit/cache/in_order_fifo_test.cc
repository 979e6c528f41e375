// SPDX-License-Identifier: Apache-2.0
#include "kinf/cache/in_order_fifo.h"

#include <doctest/doctest.h>

#include <algorithm>
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
using test::pop_batches;
using test::pop_text;
using test::text_of;
using Texts = std::vector<std::string>;

std::unique_ptr<InOrderFifo> atomic_queue(InOrderFifoOptions options = {}) {
  return std::move(InOrderFifo::create(std::move(options)).value());
}

std::unique_ptr<InOrderFifo> queue_over(const KnownObjects& known, std::size_t batch_size = 1000) {
  InOrderFifoOptions options;
  options.atomic_events = false;
  options.known_objects = &known;
  options.batch_size = batch_size;
  return atomic_queue(std::move(options));
}

TEST_CASE("C1: every change is delivered on its own, in the order of arrival") {
  const auto queue = atomic_queue();
  CHECK(queue->add(make_object("foo", "10"), kWatch));
  CHECK(queue->add(make_object("bar", "1"), kWatch));
  CHECK(queue->update(make_object("foo", "11"), kWatch));
  CHECK(queue->update(make_object("foo", "13"), kWatch));
  CHECK(queue->add(make_object("zab", "30"), kWatch));
  CHECK(pop_text(*queue) == "Added foo@10");
  CHECK(queue->update(make_object("foo", "14"), kWatch));  // does not overtake
  for (const char* expected :
       {"Added bar@1", "Updated foo@11", "Updated foo@13", "Added zab@30", "Updated foo@14", ""}) {
    CHECK(pop_text(*queue) == expected);
  }
}

TEST_CASE("C3: a relist deletes queued objects in their newest state, after their history") {
  Indexer known;
  const auto queue = queue_over(known);
  CHECK(queue->remove(make_object("a", "5"), kWatch));
  CHECK(queue->add(make_object("a", "6"), kWatch));
  CHECK(queue->replace({}, "7", kList));
  CHECK(text_of(queue->snapshot()) == "Deleted a@5, Added a@6, Deleted? a@6");
}

TEST_CASE("C2: a relist queues deletions before its objects") {
  Indexer known;
  CHECK(known.add(make_object("old", "1")));
  CHECK(known.add(make_object("kept", "1")));
  const auto queue = queue_over(known);
  CHECK(queue->remove(make_object("gone", "2"), kWatch));
  CHECK(queue->replace({make_object("kept", "3")}, "3", kList));
  CHECK(text_of(queue->snapshot()) == "Deleted gone@2, Deleted? old@1, Replaced kept@3");
}

TEST_CASE("C5: the queue is not synced while the last initial object is being applied") {
  Indexer known;
  const auto queue = queue_over(known);
  CHECK(queue->replace({make_object("a"), make_object("b")}, "1", kList));
  for (int i = 0; i < 2; ++i) {
    CHECK(queue->try_pop([&](Popped& popped) -> Result<void> {
      CHECK(popped.is_in_initial_list);
      CHECK_FALSE(queue->has_synced());
      return {};
    }));
  }
  CHECK(queue->has_synced());
}

TEST_CASE("C7: a batch never crosses the first list, holds no key twice and is bounded") {
  struct Case {
    const char* name;
    std::size_t batch_size;
    Texts replaced;
    Texts updated;
    Texts batches;
  };
  const Case cases[] = {
      {"one list", 1000, {"1", "2", "3"}, {}, {"Replaced 1@l, Replaced 2@l, Replaced 3@l"}},
      {"list, then changes",
       1000,
       {"1", "2"},
       {"3", "4"},
       {"Replaced 1@l, Replaced 2@l", "Updated 3@u, Updated 4@u"}},
      {"the same key thrice",
       1000,
       {"1"},
       {"1", "1"},
       {"Replaced 1@l", "Updated 1@u", "Updated 1@u"}},
      {"a key of the list again",
       1000,
       {"1", "2"},
       {"2", "3"},
       {"Replaced 1@l, Replaced 2@l", "Updated 2@u, Updated 3@u"}},
      {"small batches",
       2,
       {"1", "2", "3"},
       {"4"},
       {"Replaced 1@l, Replaced 2@l", "Replaced 3@l", "Updated 4@u"}},
      {"batches of one", 1, {"1", "2"}, {"3"}, {"Replaced 1@l", "Replaced 2@l", "Updated 3@u"}},
      {"no list", 1000, {}, {"1", "2", "1"}, {"Updated 1@u, Updated 2@u", "Updated 1@u"}},
      {"a duplicate in the list",
       1000,
       {"1", "1", "2"},
       {},
       {"Replaced 1@l", "Replaced 1@l, Replaced 2@l"}},
  };
  for (const Case& one : cases) {
    CAPTURE(one.name);
    Indexer known;
    const auto queue = queue_over(known, one.batch_size);
    std::vector<ObjectPtr> list;
    for (const std::string& name : one.replaced) list.push_back(make_object(name, "l"));
    if (!list.empty()) CHECK(queue->replace(list, "9", kList));
    for (const std::string& name : one.updated) {
      CHECK(queue->update(make_object(name, "u"), kWatch));
    }
    CHECK(pop_batches(*queue) == one.batches);
    CHECK(queue->has_synced());
  }
}

TEST_CASE("C7: a whole list, a reminder and a bookmark are popped alone") {
  InOrderFifoOptions options;
  options.emit_bookmarks = true;
  const auto queue = atomic_queue(options);
  CHECK(queue->replace({make_object("a"), make_object("b")}, "9", kList));
  CHECK(queue->update(make_object("a", "10"), kWatch));
  CHECK(queue->update(make_object("b", "11"), kWatch));
  CHECK(queue->bookmark("12", kWatch));
  CHECK(queue->resync({ChangeSource::resync, {}}));
  CHECK(queue->update(make_object("c", "13"), kWatch));
  CHECK(pop_batches(*queue) == Texts{"ReplacedAll 9 [a@1 b@1]", "Updated a@10, Updated b@11",
                                     "Bookmark 12", "SyncAll", "Updated c@13"});
}

TEST_CASE("C8: an object without a key is refused before it is queued") {
  InOrderFifoOptions options;
  options.key_function = [](const Object& object) -> Result<std::string> {
    if (object.label("bad")) return fail(ErrorKind::internal, "no key");
    return object.key();
  };
  const auto queue = atomic_queue(options);
  CHECK_FALSE(queue->add(make_labelled("a", "bad", "1"), kWatch));
  CHECK_FALSE(queue->replace({make_labelled("a", "bad", "1")}, "2", kList));
  CHECK(queue->depth() == 0);
}

TEST_CASE("C9: each list of an atomic queue is one delta, after what was queued") {
  const auto queue = atomic_queue();
  CHECK(queue->add(make_object("a", "1"), kWatch));
  CHECK(queue->replace({make_object("b", "2")}, "2", kList));
  CHECK(queue->replace({}, "3", kList));
  CHECK(text_of(queue->snapshot()) == "Added a@1, ReplacedAll 2 [b@2], ReplacedAll 3 []");
}

TEST_CASE("C12: the producer goes on while a batch is applied, and waits when the queue is full") {
  InOrderFifoOptions options;
  options.capacity = 2;
  const auto queue = atomic_queue(options);
  CHECK(queue->add(make_object("a"), kWatch));
  CHECK(queue->try_pop([&](Popped&) { return queue->add(make_object("b"), kWatch); }));
  CHECK(queue->has_room());
  CHECK(queue->add(make_object("c"), kWatch));
  CHECK_FALSE(queue->has_room());

  std::jthread producer([&] {
    for (const char* name : {"d", "e", "f"}) (void)queue->add(make_object(name), kWatch);
  });
  std::size_t deepest = 0;
  Texts order;
  for (int i = 0; i < 5; ++i) {
    CHECK(queue->pop(
        [&](Popped& popped) -> Result<void> {
          deepest = std::max(deepest, queue->depth());
          order.push_back(text_of(popped.deltas));
          return {};
        },
        {}));
  }
  CHECK(deepest <= 2);
  CHECK(order == Texts{"Added b@1", "Added c@1", "Added d@1", "Added e@1", "Added f@1"});
}

TEST_CASE("C12: a list does not wait for room, and does not take it") {
  Indexer known;
  InOrderFifoOptions options;
  options.atomic_events = false;
  options.known_objects = &known;
  options.capacity = 1;
  const auto queue = atomic_queue(options);
  CHECK(queue->replace({make_object("a"), make_object("b")}, "1", kList));
  CHECK(queue->has_room());
  CHECK(queue->add(make_object("c"), kWatch));
  CHECK_FALSE(queue->has_room());
  CHECK(queue->replace({make_object("d")}, "2", kList));
  CHECK(queue->depth() == 7);  // with the tombstones of a, b and c
}

TEST_CASE("C12: a producer that waits for room returns on stop and queues nothing") {
  InOrderFifoOptions options;
  options.capacity = 1;
  const auto queue = atomic_queue(options);
  CHECK(queue->add(make_object("a"), kWatch));
  Result<void> outcome;
  {
    std::jthread producer(
        [&](const std::stop_token& stop) { outcome = queue->add(make_object("b"), kWatch, stop); });
    producer.request_stop();
  }
  REQUIRE_FALSE(outcome);
  CHECK(outcome.error().kind == ErrorKind::stopped);
  CHECK(queue->depth() == 1);
}

TEST_CASE("C13: options that contradict each other are refused") {
  Indexer known;
  const auto refused = [](bool atomic, const KnownObjects* objects, bool bookmarks,
                          std::size_t batch_size = 1) {
    InOrderFifoOptions options;
    options.atomic_events = atomic;
    options.known_objects = objects;
    options.emit_bookmarks = bookmarks;
    options.batch_size = batch_size;
    const auto queue = InOrderFifo::create(options);
    return !queue && queue.error().kind == ErrorKind::usage;
  };
  CHECK(refused(true, &known, false));
  CHECK(refused(false, nullptr, false));
  CHECK(refused(false, &known, true));
  CHECK(refused(true, nullptr, false, 0));
  CHECK_FALSE(refused(true, nullptr, true));
  CHECK_FALSE(refused(false, &known, false));
}

TEST_CASE("C14: a popped object is not kept alive by the queue") {
  auto watched = std::make_shared<const TableColumns>();
  const std::weak_ptr<const TableColumns> alive = watched;
  const auto queue = atomic_queue();
  test::ObjectSpec spec;
  spec.name = "a";
  spec.columns = std::move(watched);
  CHECK(queue->add(make_object(spec), kWatch));
  spec.columns = nullptr;
  CHECK(queue->add(make_object("b"), kWatch));
  CHECK_FALSE(alive.expired());
  CHECK(pop_text(*queue) == "Added a@");
  CHECK(alive.expired());
}

TEST_CASE("C15: a list that cannot be transformed is not queued, not even in part") {
  const Transform picky = [](const ObjectPtr& object) -> Result<ObjectPtr> {
    if (object->label("bad")) return fail(ErrorKind::internal, "cannot");
    return object;
  };
  const std::vector<ObjectPtr> list = {make_object("a"), make_labelled("b", "bad", "1")};
  InOrderFifoOptions options;
  options.transform = picky;
  const auto atomic = atomic_queue(options);
  CHECK(atomic->replace(list, "1", kList).error().message == "cannot");
  CHECK(atomic->depth() == 0);
  CHECK_FALSE(atomic->has_synced());

  Indexer known;
  CHECK(known.add(make_object("old")));
  options.atomic_events = false;
  options.known_objects = &known;
  const auto each = atomic_queue(options);
  CHECK(each->replace(list, "1", kList).error().message == "couldn't enqueue object: cannot");
  CHECK(each->depth() == 0);
}

TEST_CASE("C16: both kinds of queue report the same changes of a relist") {
  Indexer known;
  for (const char* name : {"kept", "gone"}) CHECK(known.add(make_object(name, "1")));
  const std::vector<ObjectPtr> list = {make_object("new", "2"), make_object("kept", "2")};
  const auto each = queue_over(known);
  CHECK(each->replace(list, "9", kList));
  CHECK(pop_batches(*each) == Texts{"Deleted? gone@1, Replaced new@2, Replaced kept@2"});
  // The atomic queue leaves the deletions to its consumer but carries all it needs for them.
  const auto atomic = atomic_queue();
  CHECK(atomic->replace(list, "9", kList));
  bool initial = false;
  CHECK(pop_text(*atomic, &initial) == "ReplacedAll 9 [new@2 kept@2]");
  CHECK(initial);
  CHECK(atomic->has_synced());
}

TEST_CASE("C19: a change before any list makes the queue synced") {
  const auto queue = atomic_queue();
  CHECK_FALSE(queue->has_synced());
  CHECK(queue->bookmark("1", kWatch));
  CHECK_FALSE(queue->has_synced());
  CHECK(queue->remove(make_object("a"), kWatch));
  CHECK(queue->has_synced());
  bool initial = true;
  CHECK(pop_text(*queue, &initial) == "Deleted a@1");
  CHECK_FALSE(initial);
}

TEST_CASE("B18: all waiting calls return when the queue is closed") {
  const auto queue = atomic_queue();
  std::atomic<int> closed{0};
  std::vector<std::jthread> consumers;
  for (int i = 0; i < 10; ++i) {
    consumers.emplace_back([&] {
      const Result<void> popped = queue->pop([](Popped&) -> Result<void> { return {}; }, {});
      if (!popped && popped.error().message == "DeltaFIFO: manipulating with closed queue") {
        ++closed;
      }
    });
  }
  queue->close();
  consumers.clear();
  CHECK(closed == 10);
}

TEST_CASE("a consumer that is asked to stop pops nothing more") {
  const auto queue = atomic_queue();
  CHECK(queue->add(make_object("a"), kWatch));
  std::stop_source stop;
  stop.request_stop();
  const Result<void> popped =
      queue->pop([](Popped&) -> Result<void> { return {}; }, stop.get_token());
  REQUIRE_FALSE(popped);
  CHECK(popped.error().kind == ErrorKind::stopped);
  CHECK(queue->depth() == 1);
}

TEST_CASE("B20: pop returns the error of its handler") {
  const auto queue = atomic_queue();
  CHECK(queue->add(make_object("a"), kWatch));
  const Result<bool> popped =
      queue->try_pop([](Popped&) -> Result<void> { return fail(ErrorKind::internal, "boom"); });
  REQUIRE_FALSE(popped);
  CHECK(popped.error().message == "boom");
}

TEST_CASE("a consumer wakes at the end of a batch of changes, or when the producer needs room") {
  for (const std::size_t capacity : {std::size_t{2}, std::size_t{1000}}) {
    InOrderFifoOptions options;
    options.capacity = capacity;
    const auto queue = atomic_queue(std::move(options));
    std::vector<std::string> keys;
    {
      std::jthread consumer([&] {
        while (keys.size() < 5) {
          (void)queue->pop_batch(
              [&](Popped& popped) -> Result<void> {
                for (const Delta& delta : popped.deltas) keys.push_back(delta.key);
                return {};
              },
              {});
        }
      });
      const Queue::Batch batch(*queue);
      for (const char* name : {"a", "b", "c", "d", "e"})
        CHECK(queue->add(make_object(name), kWatch));
    }
    CHECK(keys == Texts{"default/a", "default/b", "default/c", "default/d", "default/e"});
  }
}

TEST_CASE("a delta carries its source and its time") {
  const auto queue = atomic_queue();
  const Clock::Wall arrived{std::chrono::seconds(5)};
  CHECK(queue->replace({make_object("a")}, "1", {ChangeSource::relist, arrived}));
  CHECK(queue->try_pop([&](Popped& popped) -> Result<void> {
    CHECK(popped.deltas[0].origin.source == ChangeSource::relist);
    CHECK(popped.deltas[0].origin.arrived == arrived);
    return {};
  }));
}

}  // namespace
}  // namespace kinf
