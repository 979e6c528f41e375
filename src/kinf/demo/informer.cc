// SPDX-License-Identifier: Apache-2.0
// Stage informer: combines reflector, queue, indexer and processor, and calls a handler for each
// change.
#include <fmt/format.h>

#include <string>

#include "kinf/demo/places.h"
#include "kinf/demo/stage.h"

namespace kinf {
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

Result<> demo_informer(Demo& demo) {
  auto source = demo.source("pods");
  if (!source) return std::unexpected(source.error());
  InformerPrinter printer(demo);
  SharedInformer informer(*std::move(source), demo.clock(), {}, &demo);
  const auto registration = informer.add_event_handler(printer);
  if (!registration) return std::unexpected(registration.error());
  informer.start(demo.stop());
  demo.follow(informer);
  informer.stop();
  return {};
}

}  // namespace kinf
