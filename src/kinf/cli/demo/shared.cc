// SPDX-License-Identifier: Apache-2.0
// Stage shared: one informer with one source and two handlers. Each handler has its own queue and
// thread: it gets all events in order and does not wait for the other.
#include <fmt/format.h>

#include <atomic>

#include "kinf/cli/demo/places.h"
#include "kinf/cli/demo/pod_source.h"
#include "kinf/cli/demo/stage.h"

namespace kinf {
namespace {

class NamePrinter final : public EventHandler {
 public:
  NamePrinter(Demo& demo, std::string prefix) : demo_(demo), prefix_(std::move(prefix)) {}
  void on_add(const Change& change) override {
    demo_.print(prefix_ + std::string(change.object->name()));
    ++count_;
    demo_.on_idle();  // demo_shared() looks at the count again
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
  for (int pods = 1; pods <= 4; ++pods) {
    source.add(small_pod(fmt::format("pod{}", pods - 1), pods));
    demo.wait_until([&] { return first.count() == pods && second.count() == pods; });
    if (demo.stop().stop_requested()) break;
    const InformerStats stats = informer.stats();
    demo.explain(kListenerQueue,
                 fmt::format("{} event of the watch reached 2 handlers, each through its own queue "
                             "and on its own thread; the cache holds {} pod",
                             stats.watch_events, stats.objects));
  }
  informer.stop();
  return {};
}

}  // namespace kinf
