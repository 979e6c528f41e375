// SPDX-License-Identifier: Apache-2.0
// Stage informer: combines reflector, queue, indexer and processor, and calls a handler for each
// change.
#include <string>

#include "kinf/cli/demo/stage.h"

namespace kinf {
namespace {

class InformerPrinter final : public EventHandler {
 public:
  explicit InformerPrinter(Demo& demo) : demo_(demo) {}
  void on_add(const Change& change) override {
    demo_.print("OnAdd: " + std::string(change.object->name()));
    demo_.explain(change.initial ? "the object was in the initial list" : "the object is new",
                  kFile);
  }
  void on_update(const Change& change) override {
    demo_.print("OnUpdate: " + std::string(change.object->name()));
    demo_.explain("the handler gets the new state, and the old state from the indexer", kFile);
  }
  void on_delete(const Change& change) override {
    demo_.print("OnDelete: " + std::string(change.object->name()));
    demo_.explain("the handler gets the last known state, for example to clean up", kFile);
  }

 private:
  static constexpr std::string_view kFile = "src/kinf/informer/delta_applier.cc";
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
