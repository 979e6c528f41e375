// SPDX-License-Identifier: Apache-2.0
// The stages about rules that a program seldom sees: queue-wait, index-more and informer-rules.
// They need no server.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>

#include "kinf/api/event_handler.h"
#include "kinf/cache/delta_fifo.h"
#include "kinf/cache/indexer.h"
#include "kinf/demo/stages/places.h"
#include "kinf/demo/stages/pod_source.h"
#include "kinf/demo/stages/stage.h"

namespace kinf {

// Stage queue-wait: a pop waits until something is queued, or the queue is closed. An object whose
// key cannot be computed is not queued.
Result<void> demo_queue_wait(Demo& demo) {
  const std::unique_ptr<Queue> queue = make_queue(demo);
  std::atomic<int> pops = 0;
  std::jthread consumer([&] {
    demo.print("consumer: waits in pop");
    for (;;) {
      pops.fetch_add(1);
      demo.on_idle();
      const Result<void> popped = queue->pop(
          [&](Popped& unit) -> Result<void> {
            demo.print("consumer: woke up with " + unit.deltas.front().key);
            return {};
          },
          demo.stop());
      if (!popped) break;  // closed, or stopped
    }
    demo.print("consumer: ends, because the queue is closed and empty");
  });
  demo.wait_until([&] { return pops == 1; });
  if (auto done = queue->add(small_pod("pod0", 1), {}); !done) return done;
  demo.wait_until([&] { return pops == 2; });
  queue->close();
  demo.explain(kQueueClose,
               "closing wakes every pop that waits; client-go closes the queue when the informer "
               "is stopped");
  consumer.join();
  DeltaFifoOptions options;
  options.key_function = [](const Object& object) -> Result<std::string> {
    return fail(ErrorKind::usage, fmt::format("{} has no label app", object.name()));
  };
  DeltaFifo keyless(std::move(options));
  const Result<void> refused = keyless.add(small_pod("pod1", 2), {});
  demo.print(fmt::format("add pod1: {}; {} keys wait", refused ? "queued" : refused.error().message,
                         keyless.depth()));
  demo.explain(kKeyError,
               "the key function failed, so the object is not queued (client-go: "
               "KeyError)");
  return {};
}

// Stage index-more: an index is added to a store that has objects, and read in three ways. Each
// write is one step for all readers: a reader never sees an object without its index entry.
namespace {

ObjectPtr app_pod(std::string_view name, std::string_view app) {
  return object_from(
      fmt::format(R"({{"metadata":{{"name":"{}","labels":{{"app":"{}"}}}}}})", name, app));
}

/// Moves a pod from one value to the other and back while readers look it up by index. Returns how
/// many of the look-ups found a pod that has another value.
Result<int> torn_reads(Indexer& indexer, int writes) {
  std::atomic<bool> is_done = false;
  std::atomic<int> torn = 0;
  {
    std::vector<std::jthread> readers;
    for (int i = 0; i < 2; ++i) {
      readers.emplace_back([&] {
        while (!is_done) {
          for (const std::string_view value : {"old", "new"}) {
            const auto pods = indexer.by_index("app", value);
            for (const ObjectPtr& pod : *pods) torn.fetch_add(pod->label("app") == value ? 0 : 1);
          }
        }
      });
    }
    for (int i = 0; i < writes; ++i) {
      const Result<void> done = indexer.update(app_pod("mover", i % 2 == 0 ? "new" : "old"));
      if (!done) return std::unexpected(done.error());
    }
    is_done = true;
  }
  return torn;
}

}  // namespace

Result<void> demo_index_more(Demo& demo) {
  Indexer indexer;
  for (const char* const name : {"web-1", "web-2"}) {
    if (auto done = indexer.add(app_pod(name, "web")); !done) return done;
  }
  if (auto done = indexer.add(app_pod("mover", "old")); !done) return done;
  if (auto done = indexer.add_indexers({{"app", app_label}}); !done) return done;
  demo.print(fmt::format("AddIndexers: the store had {} pods; the new index has {} values",
                         indexer.size(), indexer.list_index_func_values("app").size()));
  demo.explain(kAddIndexers, "an index that is added later is filled from the stored objects");
  std::vector<std::string> names;
  for (const auto& [name, function] : indexer.get_indexers()) names.push_back(name);
  demo.print(fmt::format("GetIndexers: {}", fmt::join(names, " ")));
  const auto found = indexer.index("app", *app_pod("other", "web"));
  if (!found) return std::unexpected(found.error());
  demo.print(fmt::format("Index(other): {} pods have the same app as a pod that is not stored",
                         found->size()));
  constexpr int kWrites = 200;
  const Result<int> torn = torn_reads(indexer, kWrites);
  if (!torn) return std::unexpected(torn.error());
  demo.print(
      fmt::format("{} writes while 2 threads read: {} reads saw half a write", kWrites, *torn));
  demo.explain(kStoreLock,
               "a write takes the lock of the table once, for the object and all its indexes");
  return {};
}

// Stage informer-rules: what an informer does with a second start, with a handler that fails, with
// events of another kind, and when a handler has synced.
namespace {

ObjectPtr typed_pod(std::string_view name, int version, std::string_view kind) {
  return object_from(
      fmt::format(R"({{"apiVersion":"v1","kind":"{2}","metadata":{{"name":"{0}","uid":"{0}",)"
                  R"("resourceVersion":"{1}"}}}})",
                  name, version, kind));
}

void print_state(Demo& demo, const SharedInformer& informer, const HandlerRegistration& handler,
                 std::string_view when) {
  demo.print(fmt::format("{}: informer HasSynced {}, handler HasSynced {}", when,
                         informer.has_synced(), handler.has_synced()));
}

}  // namespace

Result<void> demo_informer_rules(Demo& demo) {
  auto owned = std::make_unique<PodSource>(demo.clock());
  PodSource& source = *owned;
  InformerOptions options = informer_options(demo);
  options.expected_api_version = "v1";
  options.expected_kind = "Pod";
  SharedInformer informer(std::move(owned), demo.clock(), std::move(options), &demo);
  FunctionHandler handler([&](const Change& change) {
    demo.print(fmt::format("  handler: {}", change.object->name()));
    if (change.object->name() == "pod1") throw std::runtime_error("cannot work on pod1");
  });
  const auto registered = informer.add_event_handler(handler);
  if (!registered) return std::unexpected(registered.error());
  print_state(demo, informer, *registered, "before the start");
  if (auto started = informer.start(demo.stop()); !started) return started;
  demo.wait_until([&] { return registered->has_synced(); });
  print_state(demo, informer, *registered, "after the list");
  demo.explain(kHandlerSynced,
               "a handler begins as not synced, and has synced when it has handled "
               "the first list, later than the informer");
  const Result<void> again = informer.start(demo.stop());
  demo.print(fmt::format("second start: {}, {} list in all",
                         again ? "does nothing" : again.error().message, informer.stats().lists));
  demo.explain(kStart, "an informer runs once; client-go logs a warning at a second Run");
  source.add(typed_pod("pod1", 1, "Pod"));
  demo.wait_until([&] { return informer.stats().handler_exceptions == 1; });
  demo.print("the handler has thrown; the informer goes on");
  demo.explain(kThrows,
               "an exception of a handler is caught, counted and logged; in Go, "
               "HandleCrash logs a panic and ends the program");
  source.add(typed_pod("node1", 2, "Node"));
  source.add(typed_pod("pod2", 3, "Pod"));
  demo.wait_until([&] { return informer.stats().notifications == 2; });
  demo.print(fmt::format("{} event of another kind was dropped", informer.stats().foreign_events));
  demo.explain(kForeign,
               "the informer expects v1 Pod; a wrong server or proxy cannot put other "
               "kinds into the cache (client-go: expectedGVK)");
  informer.stop();
  const Result<void> late = informer.start(demo.stop());
  demo.print(fmt::format("start after stop: {}", late ? "does nothing" : late.error().message));
  return {};
}

}  // namespace kinf
