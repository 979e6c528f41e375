// SPDX-License-Identifier: Apache-2.0
// Stage dedup: how the queue keeps itself short. A key is in the queue once, where it was first
// added, and two deletions in a row are one.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kinf/cache/delta_fifo.h"
#include "kinf/demo/places.h"
#include "kinf/demo/stage.h"

namespace kinf {
namespace {

std::string types_of(const Deltas& deltas) {
  std::string text;
  for (const Delta& delta : deltas) text += fmt::format(" {}", to_string(delta.type));
  return text;
}

void print_queue(Demo& demo, std::string_view after, const DeltaFifo& queue) {
  std::string text;
  for (const Deltas& deltas : queue.snapshot()) {
    text += fmt::format("{}{}:{}", text.empty() ? "" : ",  ", deltas.front().key, types_of(deltas));
  }
  demo.print(fmt::format("{:<16}  {}", after, text));
}

}  // namespace

Result<> demo_dedup(Demo& demo) {
  DeltaFifo queue({});
  if (auto done = queue.add(small_pod("pod0", 1), {}); !done) return done;
  if (auto done = queue.add(small_pod("pod1", 2), {}); !done) return done;
  print_queue(demo, "add pod0, pod1", queue);
  if (auto done = queue.update(small_pod("pod0", 3), {}); !done) return done;
  print_queue(demo, "update pod0", queue);
  demo.explain(kQueueKey,
               fmt::format("pod0 keeps its place, with {} deltas now; still {} keys wait",
                           queue.snapshot().front().size(), queue.depth()));
  if (auto done = queue.remove(small_pod("pod1", 4), {}); !done) return done;
  print_queue(demo, "delete pod1", queue);
  if (auto done = queue.remove(DeletedObject{"pod1", small_pod("pod1", 2)}, {}); !done) return done;
  print_queue(demo, "pod1 not in list", queue);
  demo.explain(kQueueFold,
               "two deletions in a row are one; the one that knows the final state, "
               "resourceVersion 4, stays");
  return pop_all(queue, [&](Popped& popped) -> Result<> {
    demo.print(fmt::format("pop {}:{}", popped.deltas.front().key, types_of(popped.deltas)));
    return {};
  });
}

}  // namespace kinf
