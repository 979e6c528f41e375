// SPDX-License-Identifier: Apache-2.0
// Stage reflector: a reflector fills a DeltaFifo that knows no store. Whatever has been popped is
// forgotten; so the deletion of nettool, which is not in the queue any more, means nothing to the
// queue and never comes out of it.
#include "kinf/cli/demo/reflector_loop.h"

namespace kinf {

Result<> demo_reflector(Demo& demo) {
  DeltaFifo queue({});
  demo.explain("the reflector lists and watches; this loop only pops",
               "src/kinf/informer/reflector.cc");
  const Result<> done = reflect_pods(demo, queue, [&](const Delta& delta) -> Result<> {
    if (delta.type == DeltaType::updated) {
      demo.explain("popped and forgotten: a deletion from here on concerns nobody",
                   "src/kinf/cache/delta_fifo.cc");
    }
    return {};
  });
  demo.explain("no Deleted came out, although the server sent one", "src/kinf/cache/delta_fifo.cc");
  return done;
}

}  // namespace kinf
