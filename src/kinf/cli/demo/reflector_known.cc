// SPDX-License-Identifier: Apache-2.0
// Stage reflector-known: the same with an Indexer as the queue's known objects. What was popped is
// stored, so the queue knows what a deletion is about, and it comes out.
#include "kinf/cache/indexer.h"
#include "kinf/cli/demo/reflector_loop.h"

namespace kinf {

Result<> demo_reflector_known(Demo& demo) {
  Indexer indexer;
  DeltaFifoOptions options;
  options.known_objects = &indexer;
  DeltaFifo queue(std::move(options));
  demo.explain("the queue asks the indexer which objects are known",
               "src/kinf/cache/known_objects.h");
  return reflect_pods(demo, queue, [&](const Delta& delta) -> Result<> {
    demo.explain("applied to the indexer, under the key " + delta.key, "src/kinf/cache/indexer.cc");
    if (delta.type == DeltaType::deleted) return indexer.remove(delta.object);
    return indexer.update(delta.object);
  });
}

}  // namespace kinf
