// SPDX-License-Identifier: Apache-2.0
// Stage shared-vs-separate: what two informers of the same type cost, and what one costs that two
// handlers share: requests, bytes from the server, and objects in memory.
#include <fmt/format.h>

#include <map>
#include <vector>

#include "kinf/api/event_handler.h"
#include "kinf/demo/places.h"
#include "kinf/demo/stage.h"

namespace kinf {
namespace {

/// Runs `informers` informers with two handlers in all, until each watches. Prints what that cost.
Result<> run_with(Demo& demo, int informers, std::string_view name) {
  std::vector<std::unique_ptr<SharedInformer>> all;
  std::vector<HandlerRegistration> registrations;
  FunctionHandler handler([](const Change&) {});
  for (int i = 0; i < 2; ++i) {
    if (i < informers) {
      auto source = demo.source("pods");
      if (!source) return std::unexpected(source.error());
      all.push_back(std::make_unique<SharedInformer>(*std::move(source), demo.clock(),
                                                     InformerOptions(), &demo));
    }
    auto registration = all.back()->add_event_handler(handler);
    if (!registration) return std::unexpected(registration.error());
    registrations.push_back(*std::move(registration));
  }
  for (const auto& informer : all) informer->start(demo.stop());
  std::uint64_t lists = 0;
  std::uint64_t watches = 0;
  std::map<const Object*, std::size_t> memory;
  for (const auto& informer : all) {
    demo.wait_until([&] { return informer->has_synced() && informer->stats().watches > 0; });
    lists += informer->stats().lists;
    watches += informer->stats().watches;
    for (const ObjectPtr& object : informer->indexer().list()) {
      Scratch scratch;
      memory[object.get()] = object->json(scratch).size();
    }
  }
  std::size_t bytes = 0;
  for (const auto& [object, size] : memory) bytes += size;
  demo.print(
      fmt::format("{}: lists {}, watches {}, received {} bytes, in memory {} objects with {} "
                  "bytes",
                  name, lists, watches, demo.bytes_received(), memory.size(), bytes));
  if (informers == 1) {
    demo.explain(kDistribute, fmt::format("a shared informer hands the same {} objects to both of "
                                          "its handlers",
                                          memory.size()));
  }
  for (const auto& informer : all) informer->stop();
  return {};
}

}  // namespace

Result<> demo_shared_vs_separate(Demo& demo) {
  const Result<> done = run_with(demo, 2, "two informers");
  return done ? run_with(demo, 1, "one for two handlers") : done;
}

}  // namespace kinf
