// SPDX-License-Identifier: Apache-2.0
// Stage synced: when a queue, and with it an informer, has synced: when the last object of the
// first list was popped. Later changes do not count.
#include <fmt/format.h>

#include "kinf/cache/delta_fifo.h"
#include "kinf/demo/places.h"
#include "kinf/demo/stage.h"

namespace kinf {

Result<> demo_synced(Demo& demo) {
  DeltaFifo queue({});
  const auto print = [&](std::string_view after) {
    demo.print(fmt::format("{:<16}  HasSynced: {:<5}  keys: {}", after, queue.has_synced(),
                           queue.depth()));
  };
  print("new queue");
  if (auto done = queue.replace({small_pod("pod0", 1), small_pod("pod1", 2)}, "2", {}); !done) {
    return done;
  }
  print("list: pod0, pod1");
  if (auto done = queue.add(small_pod("pod2", 3), {}); !done) return done;
  print("watch: add pod2");
  demo.explain(kQueueSynced,
               fmt::format("{} keys wait, but only the 2 of the first list count", queue.depth()));
  std::string key;
  const auto handle = [&](Popped& popped) -> Result<> {
    key = popped.deltas.front().key;
    return {};
  };
  for (int i = 0; i < 3; ++i) {
    if (const Result<bool> popped = queue.try_pop(handle); !popped) {
      return std::unexpected(popped.error());
    }
    print("pop " + key);
  }
  DeltaFifo empty({});
  if (auto done = empty.replace({}, "3", {}); !done) return done;
  demo.print(fmt::format("{:<16}  HasSynced: {:<5}  keys: {}", "an empty list", empty.has_synced(),
                         empty.depth()));
  return {};
}

}  // namespace kinf
