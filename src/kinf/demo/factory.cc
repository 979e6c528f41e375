// SPDX-License-Identifier: Apache-2.0
// Stage factory: a SharedInformerFactory creates one informer per type, starts new informers and
// waits for all caches. A Lister reads a cache as if it were the server.
#include <fmt/format.h>

#include "kinf/api/event_handler.h"
#include "kinf/cache/store_reader.h"
#include "kinf/demo/places.h"
#include "kinf/demo/stage.h"
#include "kinf/informer/shared_informer_factory.h"

namespace kinf {
namespace {
void print_change(Demo& demo, const Change& change) {
  const std::string_view name = change.object->name();
  const std::string_view version = change.object->resource_version();
  if (change.type == ChangeType::deleted) {
    demo.print(fmt::format("delete a deployment: {}", name));
  } else if (change.type == ChangeType::added) {
    demo.print(fmt::format("add a deployment: {}", name));
    demo.explain(kLateHandler, fmt::format("the handler came after the list, so {} at "
                                           "resourceVersion {} comes from the cache, without a "
                                           "request",
                                           change.key, version));
  } else {
    demo.print(fmt::format("update deployment: {} {}", change.old->name(), name));
    if (change.type != ChangeType::resync) return;
    demo.explain(kResyncDue, fmt::format("resync {}: the handler gets every object of the cache "
                                         "again, as an update; {} is still at resourceVersion {}",
                                         change.origin.round, change.key, version));
  }
}

/// Asks the factory for the informer of `type`, which exists once however often it is asked for.
Result<SharedInformer*> informer_of(Demo& demo, SharedInformerFactory& factory,
                                    const GroupVersionResource& type) {
  return factory.informer_for({type, demo.ns(), "", ""},
                              [&]() { return demo.source(type.resource); });
}

}  // namespace

Result<> demo_factory(Demo& demo) {
  InformerOptions options;
  options.resync_period = demo.resync();
  SharedInformerFactory factory(demo.clock(), options, &demo);
  const GroupVersionResource type{"apps", "v1", "deployments"};
  const Result<SharedInformer*> deployments = informer_of(demo, factory, type);
  if (!deployments) return std::unexpected(deployments.error());
  const Result<SharedInformer*> again = informer_of(demo, factory, type);
  const Result<SharedInformer*> pods = informer_of(demo, factory, {"", "v1", "pods"});
  if (!again || !pods) return std::unexpected(again ? pods.error() : again.error());
  factory.start(demo.stop());
  for (const auto& [identity, synced] : factory.wait_for_cache_sync(Clock::kNever, demo.stop())) {
    if (!synced) return synced;
  }
  SharedInformer& informer = **deployments;
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
  // Added late, but still gets every existing object.
  FunctionHandler printer([&](const Change& change) { print_change(demo, change); });
  const auto registration = informer.add_event_handler(printer);
  if (!registration) return std::unexpected(registration.error());
  demo.follow(informer);
  factory.shutdown();
  return {};
}

}  // namespace kinf
