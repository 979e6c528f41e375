// SPDX-License-Identifier: Apache-2.0
// Stage reflector-known: like the stage reflector, but an Indexer is the queue's known objects. It
// stores the popped objects, so that the queue accepts and returns their deletions.
#include "kinf/cache/indexer.h"
#include "kinf/cli/demo/reflector_loop.h"

namespace kinf {

Result<> demo_reflector_known(Demo& demo) {
  Indexer indexer;
  DeltaFifoOptions options;
  options.known_objects = &indexer;
  DeltaFifo queue(std::move(options));
  demo.explain("the queue looks up known objects in the indexer", "src/kinf/cache/known_objects.h");
  return reflect_pods(demo, queue, [&](const Delta& delta) -> Result<> {
    demo.explain("applies the delta to the indexer under the key " + delta.key,
                 "src/kinf/cache/indexer.cc");
    if (delta.type == DeltaType::deleted) return indexer.remove(delta.object);
    return indexer.update(delta.object);
  });
}

}  // namespace kinf
