// SPDX-License-Identifier: Apache-2.0
// The stages that compare handlers of one informer: shared, slow-handler and resync. Their pods
// come from a PodSource.

#include <fmt/format.h>

#include <array>
#include <atomic>
#include <latch>
#include <memory>
#include <string>
#include <string_view>

#include "kinf/api/event_handler.h"
#include "kinf/cache/indexer.h"
#include "kinf/demo/stages/places.h"
#include "kinf/demo/stages/pod_source.h"
#include "kinf/demo/stages/stage.h"

namespace kinf {

// Stage shared: one informer with one source and two handlers. Each handler has its own queue and
// thread, so it gets all events in order and does not wait for the other handler.
Result<void> demo_shared(Demo& demo) {
  auto owned = std::make_unique<PodSource>(demo.clock());
  PodSource& source = *owned;
  std::atomic<int> calls = 0;
  const auto print_with = [&](std::string_view prefix) {
    return FunctionHandler([&, prefix](const Change& change) {
      demo.print(fmt::format("{}{}", prefix, change.object->name()));
      ++calls;
      demo.on_idle();  // so that wait_until() below reads `calls` again
    });
  };
  FunctionHandler first = print_with("OnAdd: ");
  FunctionHandler second = print_with("OnAdd:second ");
  SharedInformer informer(std::move(owned), demo.clock(), informer_options(demo));
  const auto one = informer.add_event_handler(first);
  const auto two = informer.add_event_handler(second);
  if (!one || !two) return std::unexpected(one ? two.error() : one.error());
  if (auto started = informer.start(demo.stop()); !started) return started;
  for (int pods = 1; pods <= 4; ++pods) {
    source.add(small_pod(fmt::format("pod{}", pods - 1), pods));
    demo.wait_until([&] { return calls == 2 * pods; });
    if (demo.stop().stop_requested()) break;
    const InformerStats stats = informer.stats();
    demo.explain(kListenerQueue,
                 fmt::format("{} event of the watch reached 2 handlers, each through its own queue "
                             "and on its own thread; the cache holds {} pod",
                             stats.watch_events, stats.objects));
  }
  informer.stop();
  return {};
}

// Stage slow-handler: shows where changes wait while a handler is slow. The options of the handler
// decide: the informer merges the waiting changes of an object, blocks, or lets the queue grow.
namespace {

/// A handler that hangs in its first call.
/// Threads: the informer's threads call the EventHandler functions. The main thread calls the other
/// functions.
class HangingHandler final : public EventHandler {
 public:
  HangingHandler(Demo& demo, std::string_view name) : demo_(demo), name_(name) {}
  /// Prints the change, then blocks until open() is called.
  void on_add(const Change& change) override {
    on_update(change);
    opened_.wait();
  }
  void on_update(const Change& change) override {
    const std::string merged = change.folded == 0 ? "" : fmt::format(" ({} merged)", change.folded);
    demo_.print(fmt::format("{}: version {} -> {}{}", name_,
                            change.old ? change.old->resource_version() : "none",
                            change.object->resource_version(), merged));
    last_ = std::stoi(std::string(change.object->resource_version()));
    demo_.on_idle();
  }
  void on_delete(const Change& change) override { (void)change; }
  /// Ends the blocked call of on_add(). Call once.
  void open() { opened_.count_down(); }
  /// Returns the last version that the handler has received, or 0 before the first.
  int last() const { return last_; }

 private:
  Demo& demo_;
  const std::string_view name_;
  std::latch opened_{1};
  std::atomic<int> last_ = 0;
};

constexpr int kVersions = 8;

struct Mode {
  WhenFull when_full;
  std::string_view name;
  int cached;  ///< the version that reaches the cache while the handler hangs
  Place place;
  std::string_view meaning;
};

/// Waits until the slow handler keeps the informer from making progress. `cached` is the version of
/// the pod that is in the cache at that point.
void wait_until_stuck(Demo& demo, const SharedInformer& informer, int cached) {
  const auto is_stuck = [&] {
    const InformerStats stats = informer.stats();
    const ObjectPtr pod = informer.indexer().get_by_key("pod0");
    return stats.watch_events == kVersions && pod &&
           pod->resource_version() == std::to_string(cached) &&
           (cached < kVersions || stats.queued == 0);
  };
  while (!is_stuck() && !demo.stop().stop_requested()) {
    sleep_until(demo.clock(), demo.clock().now() + std::chrono::milliseconds(10), demo.stop());
  }
}

Result<void> run_with(Demo& demo, const Mode& mode) {
  auto owned = std::make_unique<PodSource>(demo.clock());
  PodSource& source = *owned;
  HangingHandler handler(demo, mode.name);
  SharedInformer informer(std::move(owned), demo.clock());
  const auto registration =
      informer.add_event_handler(handler, {.when_full = mode.when_full, .bound = 3});
  if (!registration) return std::unexpected(registration.error());
  if (auto started = informer.start(demo.stop()); !started) return started;
  source.add(small_pod("pod0", 1));
  demo.wait_until([&] { return handler.last() == 1; });
  for (int version = 2; version <= kVersions; ++version) source.add(small_pod("pod0", version));
  wait_until_stuck(demo, informer, mode.cached);
  const InformerStats stats = informer.stats();
  demo.print(
      fmt::format("{}: the server has version {}, the cache {}; {} changes wait, {} were "
                  "merged",
                  mode.name, kVersions, mode.cached, stats.backlog, stats.folded));
  demo.explain(mode.place, fmt::format("{}; {} changes wait in the queue before the cache",
                                       mode.meaning, stats.queued));
  handler.open();
  demo.wait_until([&] { return handler.last() == kVersions; });
  informer.stop();
  return {};
}

}  // namespace

Result<void> demo_slow_handler(Demo& demo) {
  const std::array modes = {
      Mode{WhenFull::coalesce, "coalesce", kVersions, kFold,
           "3 changes may wait for the handler, then those of an object are merged"},
      Mode{WhenFull::block, "block", 5, kListenerQueue,
           "3 changes may wait for the handler, then the cache waits, too"},
      Mode{WhenFull::grow, "grow", kVersions, kDistribute,
           "any number of changes may wait for the handler"}};
  for (const Mode& mode : modes) {
    if (auto done = run_with(demo, mode); !done) return done;
  }
  return {};
}

// Stage resync: delivers every object of the cache again, without a request. The queue returns each
// object as a Sync delta. Each of the two handlers has its own resync period. After a failure, a
// resync gives a handler a second chance.
namespace {

/// A handler that fails for pod1 at first, and succeeds at a resync.
struct Worker {
  Demo& demo;
  std::string_view name;
  bool has_failed = false;
  std::atomic<int> resyncs = 0;

  void take(const Change& change) {
    const bool is_pod1 = change.object->name() == "pod1";
    const bool is_resync = change.type == ChangeType::resync;
    std::string_view what = is_resync ? "resync" : is_pod1 ? "add, failed" : "add";
    if (is_resync && is_pod1 && has_failed) what = "resync, done now";
    if (is_pod1) has_failed = !is_resync;
    resyncs += is_resync ? 1 : 0;
    demo.print(fmt::format("{}: {}: {}", name, change.object->name(), what));
    if (!is_resync) return;
    demo.explain(kResyncDue,
                 fmt::format("resync {} for this handler: {} is still at resourceVersion {}, and "
                             "no request was sent",
                             change.origin.round, change.key, change.object->resource_version()));
  }
};

/// Shows what a queue without an informer does at a resync.
Result<void> resync_queue(Demo& demo) {
  Indexer indexer;
  const std::unique_ptr<Queue> made = make_queue(demo, &indexer);
  Queue& queue = *made;
  for (int i = 0; i < 2; ++i) {
    if (auto done = indexer.add(small_pod(fmt::format("pod{}", i), i + 1)); !done) return done;
  }
  if (auto done = queue.resync({}); !done) return done;
  demo.explain(kQueueResync, fmt::format("the queue was empty; now it holds the {} objects of the "
                                         "indexer, as Sync deltas",
                                         queue.depth()));
  return pop_all(queue, [&](Popped& popped) -> Result<void> {
    for (const Delta& delta : popped.deltas) {
      demo.print(fmt::format("{} {}", to_string(delta.type), delta.object->name()));
    }
    return {};
  });
}

}  // namespace

Result<void> demo_resync(Demo& demo) {
  if (auto done = resync_queue(demo); !done) return done;
  auto owned = std::make_unique<PodSource>(demo.clock());
  for (int i = 0; i < 2; ++i) owned->add(small_pod(fmt::format("pod{}", i), i + 1));
  Worker first{demo, "first"};
  Worker second{demo, "second"};
  FunctionHandler one([&](const Change& change) { first.take(change); });
  FunctionHandler two([&](const Change& change) { second.take(change); });
  SharedInformer informer(std::move(owned), demo.clock(), informer_options(demo));
  const auto often = informer.add_event_handler(one, {.resync = demo.resync()});
  const auto seldom = informer.add_event_handler(two, {.resync = 2 * demo.resync()});
  if (!often || !seldom) return std::unexpected(often ? seldom.error() : often.error());
  demo.explain(kResyncCheck, fmt::format("the shortest period of the handlers, {} ms, is how often "
                                         "the informer checks whether a resync is due",
                                         demo.resync() / std::chrono::milliseconds(1)));
  if (auto started = informer.start(demo.stop()); !started) return started;
  demo.wait_until([&] { return first.resyncs == 4 && second.resyncs == 2; });
  informer.stop();
  return {};
}

}  // namespace kinf
