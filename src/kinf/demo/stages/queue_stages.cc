// SPDX-License-Identifier: Apache-2.0
// The demo stages that use only the queue: deltafifo, dedup and synced. They need no server.

#include <fmt/format.h>

#include <array>

#include "kinf/api/object_path.h"
#include "kinf/demo/stages/places.h"
#include "kinf/demo/stages/stage.h"

namespace kinf {

// Stage deltafifo: uses the queue alone. The queue collects the changes of each key since the last
// pop. The queue keeps no old values, so comparing old and new needs a store.
namespace {

ObjectPtr pod1(std::string_view value) {
  return object_from(fmt::format(R"({{"metadata":{{"name":"pod1"}},"value":{}}})", value));
}

std::string delta_text(const Delta& delta) {
  const auto value = object_field(*delta.object, std::array<std::string_view, 1>{"value"});
  return fmt::format("{} {}  value: {}", to_string(delta.type), delta.object->name(), *value);
}

/// Returns which callback a consumer calls for a delta.
std::string_view callback_of(DeltaType type) {
  if (type == DeltaType::added) return "add";
  return type == DeltaType::updated ? "update" : "delete";
}

}  // namespace

Result<void> demo_deltafifo(Demo& demo) {
  const std::unique_ptr<Queue> made = make_queue(demo);
  Queue& queue = *made;
  if (auto done = queue.add(pod1("1"), {}); !done) return done;
  if (auto done = queue.update(pod1("1.1"), {}); !done) return done;
  if (auto done = queue.remove(pod1("1.1"), {}); !done) return done;
  const bool is_delta = demo.queue() == QueueKind::delta;
  if (!is_delta) {
    demo.explain(kInOrderPop, fmt::format("three changes are {} entries, each of which is popped "
                                          "by itself, in the order of arrival",
                                          queue.depth()));
  }
  for (const Deltas& deltas : queue.snapshot()) {
    if (!is_delta) break;
    demo.explain(kQueueKey, fmt::format("three changes are one entry: the queue holds {} key, {}, "
                                        "with {} deltas",
                                        queue.depth(), deltas.front().key, deltas.size()));
  }
  return pop_all(queue, [&](Popped& popped) -> Result<void> {
    if (is_delta) {
      demo.explain(kQueuePop,
                   fmt::format("one pop returns all {} deltas of the key and leaves {} keys; each "
                               "has the new value; the old one is in the Indexer, if there is one",
                               popped.deltas.size(), queue.depth()));
    }
    for (const Delta& delta : popped.deltas) {
      demo.print(delta_text(delta));
      demo.print(fmt::format("  the {} callback is called", callback_of(delta.type)));
    }
    return {};
  });
}

// Stage dedup: shows how the queue stays short. A key is in the queue once, at the place where it
// was first added. Two deletions in a row become one.
namespace {

std::string types_of(const Deltas& deltas) {
  std::string text;
  for (const Delta& delta : deltas) text += fmt::format(" {}", to_string(delta.type));
  return text;
}

void print_queue(Demo& demo, std::string_view after, const Queue& queue) {
  std::string text;
  for (const Deltas& deltas : queue.snapshot()) {
    text += fmt::format("{}{}:{}", text.empty() ? "" : ",  ", deltas.front().key, types_of(deltas));
  }
  demo.print(fmt::format("{:<16}  {}", after, text));
}

}  // namespace

Result<void> demo_dedup(Demo& demo) {
  const std::unique_ptr<Queue> made = make_queue(demo);
  Queue& queue = *made;
  if (auto done = queue.add(small_pod("pod0", 1), {}); !done) return done;
  if (auto done = queue.add(small_pod("pod1", 2), {}); !done) return done;
  print_queue(demo, "add pod0, pod1", queue);
  if (auto done = queue.update(small_pod("pod0", 3), {}); !done) return done;
  print_queue(demo, "update pod0", queue);
  const bool is_delta = demo.queue() == QueueKind::delta;
  if (is_delta) {
    demo.explain(kQueueKey,
                 fmt::format("pod0 keeps its place, with {} deltas now; still {} keys wait",
                             queue.snapshot().front().size(), queue.depth()));
  } else {
    demo.explain(kInOrderPop, fmt::format("pod0 waits twice, before and after pod1: {} changes, in "
                                          "the order of arrival",
                                          queue.depth()));
  }
  if (auto done = queue.remove(small_pod("pod1", 4), {}); !done) return done;
  print_queue(demo, "delete pod1", queue);
  if (auto done = queue.remove(DeletedObject{"pod1", small_pod("pod1", 2)}, {}); !done) return done;
  print_queue(demo, "pod1 not in list", queue);
  if (is_delta) {
    demo.explain(kQueueFold,
                 "two deletions in a row are one; the one that knows the final state, "
                 "resourceVersion 4, stays");
  }
  return pop_all(queue, [&](Popped& popped) -> Result<void> {
    demo.print(fmt::format("pop {}:{}", popped.deltas.front().key, types_of(popped.deltas)));
    return {};
  });
}

// Stage synced: shows when a queue, and with it an informer, has synced: as soon as the last object
// of the first list was popped. Later changes do not count.
Result<void> demo_synced(Demo& demo) {
  const std::unique_ptr<Queue> made = make_queue(demo);
  Queue& queue = *made;
  const auto print = [&](std::string_view after) {
    demo.print(fmt::format("{:<16}  HasSynced: {:<5}  keys: {}", after, queue.has_synced(),
                           queue.depth()));
  };
  print("new queue");
  if (auto done = queue.replace({small_pod("pod0", 1), small_pod("pod1", 2)}, "2", {}); !done) {
    return done;
  }
  print("list: pod0, pod1");
  if (auto done = queue.add(small_pod("pod2", 3), {}); !done) return done;
  print("watch: add pod2");
  demo.explain(kQueueSynced,
               fmt::format("{} keys wait, but only the 2 of the first list count", queue.depth()));
  std::string key;
  const auto handle = [&](Popped& popped) -> Result<void> {
    key = popped.deltas.front().key;
    return {};
  };
  for (int i = 0; i < 3; ++i) {
    if (const Result<bool> popped = queue.try_pop(handle); !popped) {
      return std::unexpected(popped.error());
    }
    print("pop " + key);
  }
  const std::unique_ptr<Queue> empty = make_queue(demo);
  if (auto done = empty->replace({}, "3", {}); !done) return done;
  demo.print(fmt::format("{:<16}  HasSynced: {:<5}  keys: {}", "an empty list", empty->has_synced(),
                         empty->depth()));
  return {};
}

}  // namespace kinf
