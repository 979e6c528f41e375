// SPDX-License-Identifier: Apache-2.0
// Stage reflector: a reflector fills a DeltaFifo without known objects. The queue forgets popped
// objects, so it ignores the deletion of nettool, which it has already popped.
#include "kinf/cli/demo/reflector_loop.h"

namespace kinf {

Result<> demo_reflector(Demo& demo) {
  DeltaFifo queue({});
  demo.explain("the reflector lists and watches; this loop only pops",
               "src/kinf/informer/reflector.cc");
  const Result<> done = reflect_pods(demo, queue, [&](const Delta& delta) -> Result<> {
    if (delta.type == DeltaType::updated) {
      demo.explain("the queue has forgotten the popped object and will ignore its deletion",
                   "src/kinf/cache/delta_fifo.cc");
    }
    return {};
  });
  demo.explain("the server sent a deletion, but the queue ignored it",
               "src/kinf/cache/delta_fifo.cc");
  return done;
}

}  // namespace kinf
