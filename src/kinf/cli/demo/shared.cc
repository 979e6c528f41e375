// SPDX-License-Identifier: Apache-2.0
// Stage shared: one informer with one source and two handlers. Each handler has its own queue and
// thread: it gets all events in order and does not wait for the other.
#include <fmt/format.h>

#include <atomic>

#include "kinf/cli/demo/pod_source.h"
#include "kinf/cli/demo/stage.h"

namespace kinf {
namespace {

class NamePrinter final : public EventHandler {
 public:
  NamePrinter(Demo& demo, std::string prefix) : demo_(demo), prefix_(std::move(prefix)) {}
  void on_add(const Change& change) override {
    ++count_;
    demo_.print(prefix_ + std::string(change.object->name()));
    demo_.explain("called from the thread of this handler",
                  "src/kinf/informer/processor_listener.cc");
  }
  void on_update(const Change& change) override { (void)change; }
  void on_delete(const Change& change) override { (void)change; }
  int count() const { return count_; }

 private:
  Demo& demo_;
  const std::string prefix_;
  std::atomic<int> count_ = 0;
};

}  // namespace

Result<> demo_shared(Demo& demo) {
  auto owned = std::make_unique<PodSource>(demo.clock());
  PodSource& source = *owned;
  NamePrinter first(demo, "OnAdd: ");
  NamePrinter second(demo, "OnAdd:second ");
  SharedInformer informer(std::move(owned), demo.clock());
  const auto one = informer.add_event_handler(first);
  const auto two = informer.add_event_handler(second);
  if (!one || !two) return std::unexpected(one ? two.error() : one.error());
  informer.start(demo.stop());
  constexpr int kPods = 4;
  for (int i = 0; i < kPods; ++i) {
    source.add(object_from(fmt::format(
        R"({{"metadata":{{"name":"pod{}","uid":"{}","resourceVersion":"{}"}}}})", i, i, i + 1)));
  }
  demo.wait_until([&] { return first.count() == kPods && second.count() == kPods; });
  informer.stop();
  return {};
}

}  // namespace kinf
