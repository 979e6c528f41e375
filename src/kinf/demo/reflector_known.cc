// SPDX-License-Identifier: Apache-2.0
// Stage reflector-known: like the stage reflector, but an Indexer is the queue's known objects. It
// stores the popped objects, so that the queue accepts and returns their deletions.
#include <fmt/format.h>

#include "kinf/cache/indexer.h"
#include "kinf/demo/places.h"
#include "kinf/demo/reflector_loop.h"

namespace kinf {

Result<> demo_reflector_known(Demo& demo) {
  Indexer indexer;
  DeltaFifoOptions options;
  options.known_objects = &indexer;
  DeltaFifo queue(std::move(options));
  ReflectorSteps steps;
  steps.apply = [&](const Delta& delta) -> Result<> {
    if (delta.type == DeltaType::deleted) {
      demo.explain(kQueueKnown, fmt::format("the queue held no delta of {}, but the indexer, with "
                                            "{} objects, knew it: so its deletion came out",
                                            delta.key, indexer.size()));
      return indexer.remove(delta.object);
    }
    const Result<> done = indexer.update(delta.object);
    demo.explain(kIndexerUpdate,
                 fmt::format("wrote {} at resourceVersion {} to the indexer, which now holds {}",
                             delta.key, delta.object->resource_version(), indexer.size()));
    return done;
  };
  return reflect_pods(demo, queue, steps);
}

}  // namespace kinf
