// SPDX-License-Identifier: Apache-2.0
// Stage slow-handler: what waits where while a handler is slow. Its options decide: merge the
// waiting changes of an object, hold up the whole informer, or let the queue grow.
#include <fmt/format.h>

#include <array>

#include "kinf/demo/hanging_handler.h"
#include "kinf/demo/places.h"
#include "kinf/demo/pod_source.h"
#include "kinf/demo/stage.h"

namespace kinf {
namespace {

constexpr int kVersions = 8;

struct Mode {
  WhenFull when_full;
  std::string_view name;
  int cached;  ///< the version that reaches the cache while the handler hangs
  Place place;
  std::string_view meaning;
};

/// Waits until the informer can do no more: the slow handler holds up the rest.
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

Result<> run_with(Demo& demo, const Mode& mode) {
  auto owned = std::make_unique<PodSource>(demo.clock());
  PodSource& source = *owned;
  HangingHandler handler(demo, mode.name);
  SharedInformer informer(std::move(owned), demo.clock());
  const auto registration =
      informer.add_event_handler(handler, {.when_full = mode.when_full, .bound = 3});
  if (!registration) return std::unexpected(registration.error());
  informer.start(demo.stop());
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

Result<> demo_slow_handler(Demo& demo) {
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

}  // namespace kinf
