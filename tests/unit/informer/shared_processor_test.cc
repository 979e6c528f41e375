// SPDX-License-Identifier: Apache-2.0
#include "kinf/informer/shared_processor.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "fakes/change_builder.h"
#include "fakes/fake_clock.h"
#include "fakes/object_builder.h"
#include "fakes/recording_handler.h"
#include "kinf/cache/indexer.h"

namespace kinf {
namespace {

using namespace std::chrono_literals;
using test::make_object;
using test::RecordingHandler;
using Texts = std::vector<std::string>;

/// A processor without threads whose handlers are called directly.
struct Processing {
  HandlerRegistration add(EventHandler& handler, Clock::Duration period = {}) {
    HandlerOptions options;
    options.delivery = Delivery::direct;
    HandlerRegistration registration = processor.add(borrowed(handler), options, period);
    processor.admit({});
    return registration;
  }
  void remind(std::uint32_t round) {
    Change change = test::make_updated(make_object("a"), make_object("a"));
    change.type = ChangeType::resync;
    change.origin = {.source = ChangeSource::resync, .round = round};
    processor.distribute({&change, 1}, {});
  }

  test::FakeClock clock;
  Indexer indexer;
  InformerCounters counters;
  int wakes = 0;
  SharedProcessor processor{indexer, clock, counters, [this] { ++wakes; }};
};

TEST_CASE("a late handler gets the stored objects and on_synced, an early one only changes") {
  Processing processing;
  RecordingHandler early;
  const auto first = processing.add(early);
  CHECK(processing.wakes == 1);
  processing.processor.announce_synced({"1", 0}, {});
  CHECK(early.take() == Texts{"SYNCED 0"});
  CHECK(processing.indexer.add(make_object("a")));
  RecordingHandler late;
  const auto second = processing.add(late);
  CHECK(late.take() == Texts{"ADDED a@1 initial", "SYNCED 1"});
  CHECK(early.count() == 0);
}

TEST_CASE("a resync is for the handlers that are due") {
  Processing processing;
  RecordingHandler two;
  RecordingHandler three;
  RecordingHandler never;
  const auto r2 = processing.add(two, 2s);
  const auto r3 = processing.add(three, 3s);
  const auto r0 = processing.add(never);
  CHECK(processing.processor.next_resync() == Clock::kNever);  // not before the initial list
  processing.processor.announce_synced({"1", 0}, {});
  CHECK(processing.processor.next_resync() == processing.clock.now() + 2s);
  CHECK(processing.processor.begin_resync() == 0);
  for (RecordingHandler* handler : {&two, &three, &never}) handler->take();

  processing.clock.advance(2s);
  const std::uint32_t first = processing.processor.begin_resync();
  CHECK(first == 1);
  CHECK(processing.processor.next_resync() == processing.clock.now() + 1s);
  processing.clock.advance(1s);
  const std::uint32_t second = processing.processor.begin_resync();
  CHECK(second == 2);
  // The deltas of a resync reach its own handlers, even if the next one has begun.
  processing.remind(first);
  CHECK(two.take().size() == 1);
  CHECK(three.count() == 0);
  processing.remind(second);
  CHECK(two.count() == 0);
  CHECK(three.take().size() == 1);
  CHECK(never.count() == 0);
}

TEST_CASE("a removed handler gets no more changes") {
  Processing processing;
  RecordingHandler handler;
  auto registration = processing.add(handler);
  const Change change = test::make_added(make_object("a"));
  processing.processor.distribute({&change, 1}, {});
  registration.remove();
  processing.processor.distribute({&change, 1}, {});
  processing.processor.admit({});
  processing.processor.distribute({&change, 1}, {});
  CHECK(handler.take() == Texts{"ADDED a@1"});
}

}  // namespace
}  // namespace kinf
