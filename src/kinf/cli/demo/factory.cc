// SPDX-License-Identifier: Apache-2.0
// Stage factory: a SharedInformerFactory creates one informer per type, starts new informers and
// waits for all caches. A Lister reads a cache as if it were the server.
#include <fmt/format.h>

#include "kinf/cache/lister.h"
#include "kinf/cli/demo/stage.h"
#include "kinf/informer/shared_informer_factory.h"

namespace kinf {
namespace {
class DeploymentPrinter final : public EventHandler {
 public:
  explicit DeploymentPrinter(Demo& demo) : demo_(demo) {}
  void on_add(const Change& change) override {
    demo_.print(fmt::format("add a deployment: {}", change.object->name()));
  }
  void on_update(const Change& change) override {
    demo_.print(fmt::format("update deployment: {} {}", change.old->name(), change.object->name()));
    demo_.explain("a resync sends every object to the handler again",
                  "src/kinf/informer/reflector.cc");
  }
  void on_delete(const Change& change) override {
    demo_.print(fmt::format("delete a deployment: {}", change.object->name()));
  }

 private:
  Demo& demo_;
};

}  // namespace

Result<> demo_factory(Demo& demo) {
  auto source = demo.source("deployments");
  if (!source) return std::unexpected(source.error());
  InformerOptions options;
  options.resync_period = demo.resync();
  SharedInformerFactory factory(demo.clock(), options, &demo);
  const Result<SharedInformer*> deployments = factory.informer_for(
      {{"apps", "v1", "deployments"}, demo.ns(), "", ""}, [&] { return *std::move(source); });
  if (!deployments) return std::unexpected(deployments.error());
  SharedInformer& informer = **deployments;
  factory.start(demo.stop());
  for (const auto& [identity, synced] : factory.wait_for_cache_sync(Clock::kNever, demo.stop())) {
    if (!synced) return synced;
  }
  const Lister lister(informer.indexer(), "deployments");
  int number = 0;
  for (const ObjectPtr& deployment : lister.list(demo.ns(), LabelSelector())) {
    demo.print(fmt::format("{} -> {}", ++number, deployment->name()));
  }
  demo.explain("the lister reads the cache, not the server", "src/kinf/cache/lister.cc");
  DeploymentPrinter printer(demo);  // added late, but still gets every existing object
  const auto registration = informer.add_event_handler(printer);
  if (!registration) return std::unexpected(registration.error());
  demo.follow(informer);
  factory.shutdown();
  return {};
}

}  // namespace kinf
