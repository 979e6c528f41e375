// SPDX-License-Identifier: Apache-2.0
// Stage slow-handler: what waits where while a handler is slow. Its options decide: merge the
// waiting changes of an object, hold up the whole informer, or let the queue grow.
#include <fmt/format.h>

#include "kinf/cli/demo/places.h"
#include "kinf/cli/demo/pod_source.h"
#include "kinf/cli/demo/stage.h"

namespace kinf {
namespace {

constexpr int kVersions = 8;

/// Stays in its first call until open() is called.
class SlowHandler final : public EventHandler {
 public:
  SlowHandler(Demo& demo, std::string_view name) : demo_(demo), name_(name) {}
  void on_add(const Change& change) override {
    print(change);
    MutexLock lock(mu_);
    while (!open_ && !demo_.stop().stop_requested()) opened_.wait(mu_, demo_.stop());
  }
  void on_update(const Change& change) override { print(change); }
  void on_delete(const Change& change) override { (void)change; }
  void open() {
    MutexLock lock(mu_);
    open_ = true;
    opened_.notify_all();
  }
  /// Returns the last version that the handler has received.
  int last() {
    MutexLock lock(mu_);
    return last_;
  }

 private:
  void print(const Change& change) {
    const std::string_view old = change.old ? change.old->resource_version() : "none";
    const std::string merged = change.folded == 0 ? "" : fmt::format(" ({} merged)", change.folded);
    demo_.print(fmt::format("{}: version {} -> {}{}", name_, old, change.object->resource_version(),
                            merged));
    MutexLock lock(mu_);
    last_ = std::stoi(std::string(change.object->resource_version()));
    demo_.on_idle();
  }

  Demo& demo_;
  const std::string_view name_;
  Mutex mu_;
  CondVar opened_;
  bool open_ KINF_GUARDED_BY(mu_) = false;
  int last_ KINF_GUARDED_BY(mu_) = 0;
};

/// Waits until nothing moves any more: the slow handler holds up the rest.
InformerStats settled(Demo& demo, const SharedInformer& informer) {
  InformerStats last;
  InformerStats now = informer.stats();
  for (int quiet = 0; quiet < 10 && !demo.stop().stop_requested();) {
    last = now;
    sleep_until(demo.clock(), demo.clock().now() + std::chrono::milliseconds(10), demo.stop());
    now = informer.stats();
    const bool same = now.watch_events == kVersions && now.queued == last.queued &&
                      now.backlog == last.backlog && now.folded == last.folded;
    quiet = same ? quiet + 1 : 0;
  }
  return now;
}

Result<> run_with(Demo& demo, WhenFull when_full, std::string_view name, const Place& place,
                  std::string_view meaning) {
  auto owned = std::make_unique<PodSource>(demo.clock());
  PodSource& source = *owned;
  SlowHandler handler(demo, name);
  SharedInformer informer(std::move(owned), demo.clock());
  HandlerOptions options;
  options.when_full = when_full;
  options.bound = 3;
  const auto registration = informer.add_event_handler(handler, options);
  if (!registration) return std::unexpected(registration.error());
  informer.start(demo.stop());
  source.add(small_pod("pod0", 1));
  demo.wait_until([&] { return handler.last() == 1; });
  for (int version = 2; version <= kVersions; ++version) source.add(small_pod("pod0", version));
  const InformerStats stats = settled(demo, informer);
  const ObjectPtr cached = informer.indexer().get_by_key("pod0");
  demo.print(fmt::format(
      "{}: the server has version {}, the cache {}; {} changes wait, {} were "
      "merged",
      name, kVersions, cached ? cached->resource_version() : "none", stats.backlog, stats.folded));
  demo.explain(place, fmt::format("{}: {} changes wait for the handler, {} in the queue before the "
                                  "cache",
                                  meaning, stats.backlog, stats.queued));
  handler.open();
  demo.wait_until([&] { return handler.last() == kVersions; });
  informer.stop();
  return {};
}

}  // namespace

Result<> demo_slow_handler(Demo& demo) {
  Result<> done = run_with(demo, WhenFull::coalesce, "coalesce", kFold,
                           "the waiting changes of an object are merged");
  if (done) {
    done = run_with(demo, WhenFull::block, "block", kListenerQueue,
                    "with 3 changes in its queue, the handler holds up the cache");
  }
  if (done) {
    done = run_with(demo, WhenFull::grow, "grow", kDistribute, "the handler's queue has no limit");
  }
  return done;
}

}  // namespace kinf
