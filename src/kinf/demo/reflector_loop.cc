// SPDX-License-Identifier: Apache-2.0
#include "kinf/demo/reflector_loop.h"

#include <fmt/format.h>

#include "kinf/demo/places.h"
#include "kinf/informer/reflector.h"

namespace kinf {
Result<> reflect_pods(Demo& demo, DeltaFifo& queue, const ReflectorSteps& steps) {
  auto source = demo.source("pods");
  if (!source) return std::unexpected(source.error());
  ReflectorHost host;
  InformerCounters counters;
  const InformerOptions options;
  Reflector reflector(**source, queue, demo.clock(), options, host, counters, nullptr);
  const auto handle = [&](Popped& popped) -> Result<> {
    for (const Delta& delta : popped.deltas) {
      demo.print(fmt::format("{} : {} : {}", to_string(delta.type), delta.object->name(),
                             phase_of(*delta.object)));
      if (auto applied = steps.apply(delta); !applied) return applied;
    }
    return {};
  };
  const std::stop_token stop = demo.stop();
  while (!stop.stop_requested() && !demo.is_over(reflector.last_sync_resource_version())) {
    const std::uint64_t events = counters.watch_events;
    const StepResult step = reflector.step(stop);
    const std::string version = reflector.last_sync_resource_version();
    if (queue.depth() > 0) {
      demo.explain(kReflectorList, fmt::format("the reflector has filled the queue: {} keys, up to "
                                               "resourceVersion {}",
                                               queue.depth(), version));
    } else if (counters.watch_events > events && steps.ignored) {
      steps.ignored(version);
    }
    if (auto popped = pop_all(queue, handle); !popped) return popped;
    if (!step.moved) (*source)->wait(step.wake, stop);
  }
  reflector.finish();
  return {};
}

}  // namespace kinf
