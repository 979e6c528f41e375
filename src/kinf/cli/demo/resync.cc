// SPDX-License-Identifier: Apache-2.0
// Stage resync: goes through the cache again, without a request. The queue hands over each object
// as a Sync delta. Two handlers have their own periods; for a handler, a resync is a second chance
// to do what failed.
#include <fmt/format.h>

#include <atomic>

#include "kinf/cache/delta_fifo.h"
#include "kinf/cache/indexer.h"
#include "kinf/cli/demo/places.h"
#include "kinf/cli/demo/pod_source.h"
#include "kinf/cli/demo/stage.h"

namespace kinf {
namespace {

/// Fails the first time for pod1, and tries again when it is reminded.
class Worker final : public EventHandler {
 public:
  Worker(Demo& demo, std::string name) : demo_(demo), name_(std::move(name)) {}
  void on_add(const Change& change) override {
    failed_ = change.object->name() == "pod1";
    print(change, failed_ ? "add, failed" : "add");
  }
  void on_update(const Change& change) override {
    const bool retries = failed_ && change.object->name() == "pod1";
    failed_ = failed_ && !retries;
    ++resyncs_;
    print(change, retries ? "resync, done now" : "resync");
    demo_.explain(kResyncDue,
                  fmt::format("resync {}: {} is still at resourceVersion {}, and no "
                              "request was sent",
                              change.origin.round, change.key, change.object->resource_version()));
  }
  void on_delete(const Change& change) override { (void)change; }
  int resyncs() const { return resyncs_; }

 private:
  void print(const Change& change, std::string_view what) {
    demo_.print(fmt::format("{}: {}: {}", name_, change.object->name(), what));
  }

  Demo& demo_;
  const std::string name_;
  bool failed_ = false;
  std::atomic<int> resyncs_ = 0;
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
  demo.explain(
      kQueueResync,
      fmt::format("the queue copied {} keys from the indexer, as Sync deltas", queue.depth()));
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
  Worker first(demo, "first");
  Worker second(demo, "second");
  SharedInformer informer(std::move(owned), demo.clock());
  HandlerOptions often;
  often.resync = demo.resync();
  HandlerOptions seldom;
  seldom.resync = 2 * demo.resync();
  const auto one = informer.add_event_handler(first, often);
  const auto two = informer.add_event_handler(second, seldom);
  if (!one || !two) return std::unexpected(one ? two.error() : one.error());
  informer.start(demo.stop());
  demo.wait_until([&] { return first.resyncs() == 4 && second.resyncs() == 2; });
  informer.stop();
  return {};
}

}  // namespace kinf
