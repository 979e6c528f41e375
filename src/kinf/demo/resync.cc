// SPDX-License-Identifier: Apache-2.0
// Stage resync: goes through the cache again, without a request. The queue hands over each object
// as a Sync delta. Two handlers have their own periods; for a handler, a resync is a second chance
// to do what failed.
#include <fmt/format.h>

#include <atomic>

#include "kinf/api/event_handler.h"
#include "kinf/cache/delta_fifo.h"
#include "kinf/cache/indexer.h"
#include "kinf/demo/places.h"
#include "kinf/demo/pod_source.h"
#include "kinf/demo/stage.h"

namespace kinf {
namespace {

/// Fails the first time for pod1, and tries again when it is reminded.
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

/// What the queue alone does at a resync.
Result<> resync_queue(Demo& demo) {
  Indexer indexer;
  DeltaFifoOptions options;
  options.known_objects = &indexer;
  DeltaFifo queue(std::move(options));
  for (int i = 0; i < 2; ++i) {
    if (auto done = indexer.add(small_pod(fmt::format("pod{}", i), i + 1)); !done) return done;
  }
  if (auto done = queue.resync({}); !done) return done;
  demo.explain(kQueueResync, fmt::format("the queue was empty; now it holds the {} objects of the "
                                         "indexer, as Sync deltas",
                                         queue.depth()));
  return pop_all(queue, [&](Popped& popped) -> Result<> {
    for (const Delta& delta : popped.deltas) {
      demo.print(fmt::format("{} {}", to_string(delta.type), delta.object->name()));
    }
    return {};
  });
}

}  // namespace

Result<> demo_resync(Demo& demo) {
  if (auto done = resync_queue(demo); !done) return done;
  auto owned = std::make_unique<PodSource>(demo.clock());
  for (int i = 0; i < 2; ++i) owned->add(small_pod(fmt::format("pod{}", i), i + 1));
  Worker first{demo, "first"};
  Worker second{demo, "second"};
  FunctionHandler one([&](const Change& change) { first.take(change); });
  FunctionHandler two([&](const Change& change) { second.take(change); });
  SharedInformer informer(std::move(owned), demo.clock());
  const auto often = informer.add_event_handler(one, {.resync = demo.resync()});
  const auto seldom = informer.add_event_handler(two, {.resync = 2 * demo.resync()});
  if (!often || !seldom) return std::unexpected(often ? seldom.error() : often.error());
  informer.start(demo.stop());
  demo.wait_until([&] { return first.resyncs == 4 && second.resyncs == 2; });
  informer.stop();
  return {};
}

}  // namespace kinf
