// SPDX-License-Identifier: Apache-2.0
// Stage reflector: a reflector fills a DeltaFifo without known objects. The queue forgets popped
// objects, so it ignores the deletion of nettool, which it has already popped.
#include <fmt/format.h>

#include "kinf/demo/places.h"
#include "kinf/demo/reflector_loop.h"

namespace kinf {

Result<> demo_reflector(Demo& demo) {
  DeltaFifo queue({});
  ReflectorSteps steps;
  steps.apply = [&](const Delta& delta) -> Result<> {
    if (delta.type == DeltaType::updated) {
      demo.explain(kQueuePop,
                   fmt::format("popped {} at resourceVersion {}; the queue has forgotten "
                               "it and holds {} keys",
                               delta.key, delta.object->resource_version(), queue.depth()));
    }
    return {};
  };
  steps.ignored = [&](const std::string& version) {
    demo.explain(kQueueDeletion,
                 fmt::format("the server sent a deletion (resourceVersion {}), and the queue "
                             "ignored it: it holds {} keys and has no store that knows the object",
                             version, queue.depth()));
  };
  return reflect_pods(demo, queue, steps);
}

}  // namespace kinf
