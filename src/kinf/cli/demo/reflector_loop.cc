// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/demo/reflector_loop.h"

#include <fmt/format.h>

#include <thread>

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
  std::jthread thread([&](const std::stop_token& stop) { reflector.run(stop); });
  Result<bool> popped = false;
  while (popped && !demo.stop().stop_requested()) {
    const bool is_over = demo.is_over(reflector.last_sync_resource_version());
    popped = queue.try_pop(handle);
    if (popped && !*popped) {
      if (is_over) break;
      sleep_until(demo.clock(), demo.clock().now() + std::chrono::milliseconds(10), demo.stop());
    }
  }
  thread.request_stop();
  (*source)->wake();
  queue.close();
  thread.join();
  return popped ? Result<>() : std::unexpected(popped.error());
}

}  // namespace kinf
