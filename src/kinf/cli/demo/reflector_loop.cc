// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/demo/reflector_loop.h"

#include <fmt/format.h>

#include "kinf/informer/reflector.h"

namespace kinf {
Result<> reflect_pods(Demo& demo, DeltaFifo& queue,
                      const std::function<Result<>(const Delta&)>& apply) {
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
      if (auto applied = apply(delta); !applied) return applied;
    }
    return {};
  };
  const std::stop_token stop = demo.stop();
  while (!stop.stop_requested() && !demo.is_over(reflector.last_sync_resource_version())) {
    const StepResult step = reflector.step(stop);
    Result<bool> popped = true;
    while (popped && *popped) popped = queue.try_pop(handle);
    if (!popped) return std::unexpected(popped.error());
    if (!step.moved) (*source)->wait(step.wake, stop);
  }
  reflector.finish();
  return {};
}

}  // namespace kinf
