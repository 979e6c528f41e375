// SPDX-License-Identifier: Apache-2.0
// Stage deltafifo: uses the queue alone. The queue collects the changes of each key since the last
// pop. It keeps no old values; comparing with them needs a store.
#include <fmt/format.h>

#include <array>

#include "kinf/api/object_path.h"
#include "kinf/cache/delta_fifo.h"
#include "kinf/demo/places.h"
#include "kinf/demo/stage.h"

namespace kinf {
namespace {

ObjectPtr pod1(std::string_view value) {
  return object_from(fmt::format(R"({{"metadata":{{"name":"pod1"}},"value":{}}})", value));
}

std::string delta_text(const Delta& delta) {
  const auto value = object_field(*delta.object, std::array<std::string_view, 1>{"value"});
  return fmt::format("{} {}  value: {}", to_string(delta.type), delta.object->name(), *value);
}

}  // namespace

Result<> demo_deltafifo(Demo& demo) {
  DeltaFifo queue({});
  if (auto done = queue.add(pod1("1"), {}); !done) return done;
  if (auto done = queue.update(pod1("1.1"), {}); !done) return done;
  if (auto done = queue.remove(pod1("1.1"), {}); !done) return done;
  for (const Deltas& deltas : queue.snapshot()) {
    demo.explain(kQueueKey, fmt::format("three changes are one entry: the queue holds {} key, {}, "
                                        "with {} deltas",
                                        queue.depth(), deltas.front().key, deltas.size()));
  }
  return pop_all(queue, [&](Popped& popped) -> Result<> {
    demo.explain(kQueuePop, fmt::format("one pop returns all {} deltas of the key and leaves {} "
                                        "keys; each has the new value, none the old one",
                                        popped.deltas.size(), queue.depth()));
    for (const Delta& delta : popped.deltas) demo.print(delta_text(delta));
    return {};
  });
}

}  // namespace kinf
