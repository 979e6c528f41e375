// SPDX-License-Identifier: Apache-2.0
// Stage shared-listwatch: like the stage shared, but with a server. Both handlers share one list,
// one watch and one indexer.
#include <fmt/format.h>

#include "kinf/demo/places.h"
#include "kinf/demo/stage.h"

namespace kinf {
namespace {

class EventNamePrinter final : public EventHandler {
 public:
  EventNamePrinter(Demo& demo, std::string suffix) : demo_(demo), suffix_(std::move(suffix)) {}
  void on_add(const Change& change) override { print("OnAdd", *change.object); }
  void on_update(const Change& change) override { print("OnUpdate", *change.object); }
  void on_delete(const Change& change) override { print("OnDelete", *change.object); }

 private:
  void print(std::string_view what, const Object& object) {
    demo_.print(fmt::format("{}:{} {}", what, suffix_, object.name()));
  }
  Demo& demo_;
  const std::string suffix_;
};

}  // namespace

Result<> demo_shared_listwatch(Demo& demo) {
  auto source = demo.source("pods");
  if (!source) return std::unexpected(source.error());
  EventNamePrinter first(demo, "");
  EventNamePrinter second(demo, "second");
  SharedInformer informer(*std::move(source), demo.clock(), {}, &demo);
  const auto one = informer.add_event_handler(first);
  const auto two = informer.add_event_handler(second);
  if (!one || !two) return std::unexpected(one ? two.error() : one.error());
  informer.start(demo.stop());
  if (auto synced = informer.wait_for_sync(Clock::kNever, demo.stop()); !synced) return synced;
  demo.explain(kApplyList, fmt::format("one indexer holds {} pods for both handlers, at "
                                       "resourceVersion {}",
                                       informer.indexer().size(),
                                       informer.indexer().last_store_sync_resource_version()));
  demo.follow(informer);
  informer.stop();
  const InformerStats stats = informer.stats();
  demo.explain(kDistribute,
               fmt::format("{} list, {} watch and {} events of it served both handlers with {} "
                           "calls",
                           stats.lists, stats.watches, stats.watch_events, stats.notifications));
  return {};
}

}  // namespace kinf
