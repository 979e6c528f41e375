// SPDX-License-Identifier: Apache-2.0
// The stages about complete informers: informer, shared-listwatch, shared-vs-separate and factory.

#include <fmt/format.h>

#include <map>
#include <string>
#include <vector>

#include "kinf/api/event_handler.h"
#include "kinf/cache/store_reader.h"
#include "kinf/demo/stages/places.h"
#include "kinf/demo/stages/stage.h"
#include "kinf/informer/shared_informer_factory.h"

namespace kinf {

// Stage informer: combines reflector, queue, indexer and processor, and calls a handler for each
// change.
namespace {

class InformerPrinter final : public EventHandler {
 public:
  explicit InformerPrinter(Demo& demo) : demo_(demo) {}
  void on_add(const Change& change) override {
    demo_.print("OnAdd: " + std::string(change.object->name()));
    demo_.explain(change.initial ? kApplyList : kDistribute,
                  fmt::format("{} {}; the cache now holds it at resourceVersion {}", change.key,
                              change.initial ? "was in the first list" : "is new",
                              change.object->resource_version()));
  }
  void on_update(const Change& change) override {
    demo_.print("OnUpdate: " + std::string(change.object->name()));
    demo_.explain(kApplyUpdate, fmt::format("the cache held {} at resourceVersion {}, which is the "
                                            "old object, and now holds it at {}",
                                            change.key, change.old->resource_version(),
                                            change.object->resource_version()));
  }
  void on_delete(const Change& change) override {
    demo_.print("OnDelete: " + std::string(change.object->name()));
    demo_.explain(kApplyDeletion, fmt::format("the cache has removed {}; the handler gets its last "
                                              "state, resourceVersion {}",
                                              change.key, change.object->resource_version()));
  }

 private:
  Demo& demo_;
};

}  // namespace

Result<void> demo_informer(Demo& demo) {
  auto source = demo.source("pods");
  if (!source) return std::unexpected(source.error());
  InformerPrinter printer(demo);
  SharedInformer informer(*std::move(source), demo.clock(), informer_options(demo), &demo);
  const auto registration = informer.add_event_handler(printer);
  if (!registration) return std::unexpected(registration.error());
  if (auto started = informer.start(demo.stop()); !started) return started;
  demo.follow(informer);
  informer.stop();
  return {};
}

// Stage shared-listwatch: like the stage shared, but with an API server. Both handlers share one
// list, one watch and one indexer.
namespace {

FunctionHandler event_name_printer(Demo& demo, std::string_view suffix) {
  const auto print = [&demo, suffix](std::string_view what) {
    return [&demo, suffix, what](const Change& change) {
      demo.print(fmt::format("{}:{} {}", what, suffix, change.object->name()));
    };
  };
  return FunctionHandler(HandlerFunctions{print("OnAdd"), print("OnUpdate"), print("OnDelete")});
}

}  // namespace

Result<void> demo_shared_listwatch(Demo& demo) {
  auto source = demo.source("pods");
  if (!source) return std::unexpected(source.error());
  FunctionHandler first = event_name_printer(demo, "");
  FunctionHandler second = event_name_printer(demo, "second");
  SharedInformer informer(*std::move(source), demo.clock(), informer_options(demo), &demo);
  const auto one = informer.add_event_handler(first);
  const auto two = informer.add_event_handler(second);
  if (!one || !two) return std::unexpected(one ? two.error() : one.error());
  if (auto started = informer.start(demo.stop()); !started) return started;
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

// Stage shared-vs-separate: compares two informers of the same type with one informer that two
// handlers share. Prints the requests, the bytes from the server, and the objects in memory.
namespace {

/// Runs `informers` (1 or 2) informers with two handlers in total until each informer watches.
/// Prints the cost.
Result<void> run_with(Demo& demo, int informers, std::string_view name) {
  std::vector<std::unique_ptr<SharedInformer>> all;
  std::vector<HandlerRegistration> registrations;
  FunctionHandler handler([](const Change&) {});
  for (int i = 0; i < 2; ++i) {
    if (i < informers) {
      auto source = demo.source("pods");
      if (!source) return std::unexpected(source.error());
      all.push_back(std::make_unique<SharedInformer>(*std::move(source), demo.clock(),
                                                     informer_options(demo), &demo));
    }
    auto registration = all.back()->add_event_handler(handler);
    if (!registration) return std::unexpected(registration.error());
    registrations.push_back(*std::move(registration));
  }
  for (const auto& informer : all) {
    if (auto started = informer->start(demo.stop()); !started) return started;
  }
  std::uint64_t lists = 0;
  std::uint64_t watches = 0;
  std::map<const Object*, std::size_t> memory;
  for (const auto& informer : all) {
    demo.wait_until([&] { return informer->has_synced() && informer->stats().watches > 0; });
    lists += informer->stats().lists;
    watches += informer->stats().watches;
    for (const ObjectPtr& object : informer->indexer().list()) {
      Scratch scratch;
      memory[object.get()] = object->json(scratch).size();
    }
  }
  std::size_t bytes = 0;
  for (const auto& [object, size] : memory) bytes += size;
  demo.print(
      fmt::format("{}: lists {}, watches {}, received {} bytes, in memory {} objects with {} "
                  "bytes",
                  name, lists, watches, demo.bytes_received(), memory.size(), bytes));
  if (informers == 1) {
    demo.explain(kDistribute, fmt::format("a shared informer hands the same {} objects to both of "
                                          "its handlers",
                                          memory.size()));
  }
  for (const auto& informer : all) informer->stop();
  return {};
}

}  // namespace

Result<void> demo_shared_vs_separate(Demo& demo) {
  const Result<void> done = run_with(demo, 2, "two informers");
  return done ? run_with(demo, 1, "one for two handlers") : done;
}

// Stage factory: a SharedInformerFactory creates one informer per type, starts new informers and
// waits for all caches. A Lister reads a cache as if it were the server.
namespace {

void print_change(Demo& demo, const Change& change) {
  const std::string_view name = change.object->name();
  const std::string_view version = change.object->resource_version();
  if (change.type == ChangeType::deleted) {
    demo.print(fmt::format("delete a deployment: {}", name));
  } else if (change.type == ChangeType::added) {
    demo.print(fmt::format("add a deployment: {}", name));
  } else {
    demo.print(fmt::format("update deployment: {} {}", change.old->name(), name));
    if (change.type != ChangeType::resync) return;
    demo.explain(kResyncDue, fmt::format("resync {}: the handler gets every object of the cache "
                                         "again, as an update; {} is still at resourceVersion {}",
                                         change.origin.round, change.key, version));
  }
}

/// Prints the additions that a handler gets that was registered after the list.
void print_late(Demo& demo, const Change& change) {
  demo.print(fmt::format("late handler: add a deployment: {}", change.object->name()));
  demo.explain(kLateHandler, fmt::format("the handler came after the list, so {} at "
                                         "resourceVersion {} comes from the cache, without a "
                                         "request",
                                         change.key, change.object->resource_version()));
}

/// Returns the factory's informer of `type`. The first call creates it; later calls return the same
/// one.
Result<SharedInformer*> informer_of(Demo& demo, SharedInformerFactory& factory,
                                    const GroupVersionResource& type) {
  return factory.informer_for({type, demo.ns(), "", ""},
                              [&]() { return demo.source(type.resource); });
}

}  // namespace

Result<void> demo_factory(Demo& demo) {
  InformerOptions options = informer_options(demo);
  options.resync_period = demo.resync();
  SharedInformerFactory factory(demo.clock(), options, &demo);
  const GroupVersionResource type{"apps", "v1", "deployments"};
  const Result<SharedInformer*> deployments = informer_of(demo, factory, type);
  if (!deployments) return std::unexpected(deployments.error());
  const Result<SharedInformer*> again = informer_of(demo, factory, type);
  const Result<SharedInformer*> pods = informer_of(demo, factory, {"", "v1", "pods"});
  if (!again || !pods) return std::unexpected(again ? pods.error() : again.error());
  SharedInformer& informer = **deployments;
  FunctionHandler printer([&](const Change& change) { print_change(demo, change); });
  const auto registration = informer.add_event_handler(printer);
  if (!registration) return std::unexpected(registration.error());
  if (auto started = factory.start(demo.stop()); !started) return started;
  for (const auto& [identity, synced] : factory.wait_for_cache_sync(Clock::kNever, demo.stop())) {
    if (!synced) return synced;
  }
  demo.wait_until([&] { return registration->has_synced(); });
  demo.explain(kFactory, fmt::format("asked for deployments twice and for pods once: {}; the "
                                     "deployments took {} list, the pods {}",
                                     *again == *deployments ? "2 informers" : "3 informers",
                                     informer.stats().lists, (*pods)->stats().lists));
  const Lister lister(informer.indexer(), "deployments");
  int number = 0;
  for (const ObjectPtr& deployment : lister.list(demo.ns(), LabelSelector())) {
    demo.print(fmt::format("{} -> {}", ++number, deployment->name()));
  }
  demo.explain(kLister,
               fmt::format("the lister read {} from the cache, without a request", number));
  // This handler is added late, but still receives every existing object.
  FunctionHandler late(
      HandlerFunctions{.on_add = [&](const Change& change) { print_late(demo, change); }});
  const auto second = informer.add_event_handler(late);
  if (!second) return std::unexpected(second.error());
  demo.follow(informer);
  factory.shutdown();
  return {};
}

}  // namespace kinf
