// SPDX-License-Identifier: Apache-2.0
// Whatever happens between an informer and its source, each handler gets a consistent history, and
// the cache ends in the state of the source.
#include <doctest/doctest.h>

#include <chrono>
#include <map>
#include <string>

#include "fakes/fake_lister_watcher.h"
#include "fakes/pumped_informer.h"
#include "kinf/base/random.h"

namespace kinf {
namespace {

using namespace std::chrono_literals;
using PumpedFake = test::PumpedInformer<test::FakeListerWatcher>;
using State = std::map<std::string, std::string>;  ///< resourceVersion by key

/// Applies the changes it gets, and counts the impossible ones.
class Historian final : public EventHandler {
 public:
  void on_add(const Change& change) override {
    if (!known.emplace(change.key, change.object->resource_version()).second) ++nonsense;
  }
  void on_update(const Change& change) override {
    std::string& held = known[change.key];
    const auto number = [](std::string_view text) { return std::stoull(std::string(text)); };
    if (held != change.old->resource_version() ||
        number(change.object->resource_version()) <= number(held)) {
      ++nonsense;
    }
    held = change.object->resource_version();
  }
  void on_delete(const Change& change) override {
    if (known.erase(change.key) == 0) ++nonsense;
  }

  State known;
  int nonsense = 0;
};

State state_of(const std::vector<ObjectPtr>& objects) {
  State state;
  for (const ObjectPtr& object : objects) {
    state.emplace(object->key(), std::string(object->resource_version()));
  }
  return state;
}

/// An event in the cluster or on the network.
void happen(PumpedFake& pumped, Random& random, bool& connected) {
  const auto below = [&](double limit) { return static_cast<int>(random.unit() * limit); };
  const std::string name(1, static_cast<char>('a' + below(6)));
  const bool exists = state_of(pumped.source.objects()).contains("default/" + name);
  const int what = below(20);
  if (what < 10) {
    exists ? pumped.source.modify(name) : pumped.source.add(name);
  } else if (what < 13) {
    if (exists) pumped.source.remove(name);
  } else if (what == 13) {
    if (exists) pumped.source.recreate_unseen(name);
  } else if (what == 14) {
    pumped.source.cut();
  } else if (what == 15) {
    pumped.source.expire();
    pumped.source.cut();
  } else if (what == 16) {
    connected ? pumped.source.disconnect() : pumped.source.reconnect();
    connected = !connected;
  } else if (what == 17) {
    pumped.source.list_error(Error(ErrorKind::unavailable, "down"), 2);
  } else {
    pumped.advance(std::chrono::milliseconds(below(3000)));
  }
}

TEST_CASE("G38: whatever faults occur, each handler gets a consistent and complete history") {
  for (const QueueKind queue :
       {QueueKind::in_order_atomic, QueueKind::in_order, QueueKind::delta}) {
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
      CAPTURE(seed);
      InformerOptions options;
      options.queue = queue;
      options.resync_period = seed % 3 == 0 ? 7s : 0s;
      PumpedFake pumped(options);
      pumped.source.offer_watch_list(true);
      Historian direct;
      Historian queued;
      HandlerOptions no_reminders;
      no_reminders.resync = 0s;
      no_reminders.bound = 2;  // nearly every change is merged
      HandlerOptions at_once = no_reminders;
      at_once.delivery = Delivery::direct;
      const auto first = pumped.informer.add_event_handler(direct, at_once).value();
      const auto second = pumped.informer.add_event_handler(queued, no_reminders).value();
      pumped.start();
      Random random(seed);
      bool connected = true;
      for (int step = 0; step < 300; ++step) {
        happen(pumped, random, connected);
        if (step % 3 == 0) pumped.settle();
      }
      pumped.source.reconnect();
      pumped.advance(5min);
      const State truth = state_of(pumped.source.objects());
      CHECK(state_of(pumped.informer.indexer().list()) == truth);
      for (const Historian* handler : {&direct, &queued}) {
        CHECK(handler->known == truth);
        CHECK(handler->nonsense == 0);
      }
    }
  }
}

}  // namespace
}  // namespace kinf
