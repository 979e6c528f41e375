// SPDX-License-Identifier: Apache-2.0
// Stage deltafifo: uses the queue alone. The queue collects the changes of each key since the last
// pop. It keeps no old values; comparing with them needs a store.
#include <fmt/format.h>

#include <array>

#include "kinf/api/object_field.h"
#include "kinf/cache/delta_fifo.h"
#include "kinf/cli/demo/stage.h"

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
  constexpr std::string_view kFile = "src/kinf/cache/delta_fifo.cc";
  if (auto done = queue.add(pod1("1"), {}); !done) return done;
  if (auto done = queue.update(pod1("1.1"), {}); !done) return done;
  if (auto done = queue.remove(pod1("1.1"), {}); !done) return done;
  demo.explain(fmt::format("three changes of one key are {} queue entry", queue.depth()), kFile);

  const auto handle = [&](Popped& popped) -> Result<> {
    for (const Delta& delta : popped.deltas) {
      demo.print(delta_text(delta));
      demo.explain("a delta has only the new value; the queue does not keep the old one", kFile);
    }
    return {};
  };
  for (Result<bool> popped = true; popped.value_or(false);) {
    popped = queue.try_pop(handle);
    if (!popped) return std::unexpected(popped.error());
  }
  return {};
}

}  // namespace kinf
