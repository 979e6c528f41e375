// SPDX-License-Identifier: Apache-2.0
#include "kinf/informer/controller.h"

#include <doctest/doctest.h>

#include <thread>

#include "fakes/fake_clock.h"
#include "fakes/fake_lister_watcher.h"
#include "fakes/recording_handler.h"

namespace kinf {
namespace {

TEST_CASE("a controller without an informer fills the indexer until it is stopped") {
  test::FakeClock clock;
  test::FakeListerWatcher source(clock);
  source.add("a");
  const InformerOptions options;
  Indexer indexer;
  InformerCounters counters;
  Controller* waking = nullptr;
  SharedProcessor processor(indexer, clock, counters, [&] {
    if (waking != nullptr) waking->wake();
  });
  Controller controller(source, indexer, processor, clock, options, counters, nullptr);
  waking = &controller;
  CHECK_FALSE(controller.has_synced());
  CHECK(controller.last_sync_resource_version().empty());

  std::stop_source stop;
  std::jthread runner([&] { CHECK(controller.run(stop.get_token())); });
  CHECK(controller.wait_for_sync(Clock::kNever, {}));
  CHECK(controller.has_synced());
  CHECK(indexer.list_keys().size() == 1);
  stop.request_stop();
  runner.join();
  CHECK(controller.has_synced());
  // The reflector's thread notes the version after it has queued the list, so not before it ends.
  CHECK(controller.last_sync_resource_version() == "1");
}

}  // namespace
}  // namespace kinf
