// SPDX-License-Identifier: Apache-2.0
// Stage shared: one informer with one source and two handlers. Each handler has its own queue and
// thread: it gets all events in order and does not wait for the other.
#include <fmt/format.h>

#include <atomic>

#include "kinf/api/event_handler.h"
#include "kinf/demo/places.h"
#include "kinf/demo/pod_source.h"
#include "kinf/demo/stage.h"

namespace kinf {
Result<> demo_shared(Demo& demo) {
  auto owned = std::make_unique<PodSource>(demo.clock());
  PodSource& source = *owned;
  std::atomic<int> calls = 0;
  const auto print_with = [&](std::string_view prefix) {
    return FunctionHandler([&, prefix](const Change& change) {
      demo.print(fmt::format("{}{}", prefix, change.object->name()));
      ++calls;
      demo.on_idle();  // demo_shared() looks at the number of calls again
    });
  };
  FunctionHandler first = print_with("OnAdd: ");
  FunctionHandler second = print_with("OnAdd:second ");
  SharedInformer informer(std::move(owned), demo.clock());
  const auto one = informer.add_event_handler(first);
  const auto two = informer.add_event_handler(second);
  if (!one || !two) return std::unexpected(one ? two.error() : one.error());
  informer.start(demo.stop());
  for (int pods = 1; pods <= 4; ++pods) {
    source.add(small_pod(fmt::format("pod{}", pods - 1), pods));
    demo.wait_until([&] { return calls == 2 * pods; });
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
