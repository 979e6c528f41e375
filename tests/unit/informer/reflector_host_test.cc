// SPDX-License-Identifier: Apache-2.0
// What a Reflector tells its host, and asks of it, one step at a time.
#include "kinf/informer/reflector.h"

#include <doctest/doctest.h>

#include <stop_token>
#include <string>
#include <vector>

#include "fakes/fake_clock.h"
#include "fakes/manual_source.h"
#include "fakes/object_builder.h"
#include "kinf/cache/delta_fifo.h"
#include "kinf/cache/indexer.h"

namespace kinf {
namespace {

using test::make_object;

/// Notes the versions of first lists, and is due for a resync when the test says so.
struct NotingHost final : ReflectorHost {
  void first_list(const std::string& version) override {
    versions.push_back(version);
    CHECK_FALSE(queue->try_pop(ignore).value());
  }
  Clock::Mono next_resync() const override { return due; }
  std::uint32_t begin_resync() override { return ++resyncs; }

  static Result<void> ignore(Popped&) { return {}; }

  Queue* queue = nullptr;
  std::vector<std::string> versions;
  Clock::Mono due = Clock::kNever;
  std::uint32_t resyncs = 0;
};

DeltaFifoOptions feeding(const Indexer& indexer) {
  DeltaFifoOptions options;
  options.known_objects = &indexer;
  return options;
}

/// The same delays in each run.
InformerOptions seeded() {
  InformerOptions options;
  options.seed = 1;
  return options;
}

struct SteppedReflector {
  SteppedReflector() { host.queue = &queue; }
  void settle() {
    while (reflector.step(stop.get_token()).moved) {
    }
  }

  NotingHost host;
  test::FakeClock clock;
  test::ManualSource source{clock};
  Indexer indexer;
  DeltaFifo queue{feeding(indexer)};
  InformerOptions options = seeded();
  InformerCounters counters;
  Reflector reflector{source, queue, clock, options, host, counters, nullptr};
  std::stop_source stop;
};

TEST_CASE("the version of the first list is known before the list is queued") {
  SteppedReflector rig;
  rig.settle();
  rig.source.answer_list({make_object("a", "9")}, "10");
  rig.settle();
  CHECK(rig.host.versions == std::vector<std::string>{"10"});
  CHECK(rig.queue.try_pop(NotingHost::ignore).value());
}

TEST_CASE("a stop during a resync is not a failure") {
  SteppedReflector rig;
  rig.settle();
  rig.source.answer_list({make_object("a", "9")}, "10");
  rig.settle();
  rig.source.answer_watch();
  rig.settle();
  // While an object is being applied, a resync waits; the stop ends this wait.
  CHECK(rig.queue.try_pop([&](Popped&) -> Result<void> {
    rig.host.due = rig.clock.now();
    rig.stop.request_stop();
    rig.reflector.step(rig.stop.get_token());
    return {};
  }));
  CHECK(rig.host.resyncs == 1);
  CHECK(rig.counters.errors == 0);
  CHECK_FALSE(rig.reflector.last_error());
}

}  // namespace
}  // namespace kinf
