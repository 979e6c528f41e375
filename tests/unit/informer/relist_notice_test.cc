// SPDX-License-Identifier: Apache-2.0
// InformerObserver::on_relisting() and on_delivered(): when they are called, and what they say.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <chrono>
#include <string>
#include <vector>

#include "fakes/manual_source.h"
#include "fakes/object_builder.h"
#include "fakes/pumped_informer.h"
#include "fakes/status_error.h"

namespace kinf {
namespace {

using namespace std::chrono_literals;
using test::make_object;
using Texts = std::vector<std::string>;

/// Writes what a direct handler and the observer get, in order. Times are seconds since the start.
struct RelistLog final : EventHandler, InformerObserver {
  void on_add(const Change& change) override { texts.push_back("add " + change.key); }
  void on_update(const Change& change) override { texts.push_back("update " + change.key); }
  void on_delete(const Change& change) override { texts.push_back("delete " + change.key); }
  void on_relisting(const Relisted& list) override {
    texts.push_back(fmt::format("{} at {}: {} to {}, {} changed", list.reason,
                                list.resource_version, seconds(list.watched_until),
                                seconds(list.arrived), list.changed));
  }
  void on_relisted(const Relisted& list) override {
    texts.push_back(fmt::format("{} changed", list.changed));
  }
  void on_idle() override {}
  static std::int64_t seconds(Clock::Wall time) {
    return std::chrono::duration_cast<std::chrono::seconds>(time - test::FakeClock::kStart).count();
  }
  Texts take() { return std::exchange(texts, {}); }
  Texts texts;
};

InformerOptions queueing(QueueKind queue) {
  InformerOptions options;
  options.queue = queue;
  return options;
}

/// Has listed `a` at version 10 in second 0, and has got an event in second 2. In second 10, that
/// version expires.
struct ExpiredWatch {
  explicit ExpiredWatch(QueueKind queue) : pumped(queueing(queue), &log) {
    HandlerOptions direct;
    direct.delivery = Delivery::direct;
    registration = pumped.informer.add_event_handler(log, direct).value();
    pumped.start();
    pumped.source.answer_list({make_object("a", "9")}, "10");
    pumped.settle();
    pumped.source.answer_watch();
    pumped.advance(2s);
    pumped.source.send(WatchEventType::modified, make_object("a", "12"));
    pumped.advance(8s);
    expire();
  }
  /// Refuses the version of the watch, and waits for the list.
  void expire() {
    pumped.source.send_error(test::expired());
    for (int i = 0; i < 100 && !pumped.source.pending(); ++i) pumped.advance(100ms);
    log.take();
  }
  std::string notice(std::string_view text, std::int64_t begin) {
    const Clock::Wall now = pumped.clock.wall();
    return fmt::format("{}: {} to {}, 0 changed", text, begin, RelistLog::seconds(now));
  }

  RelistLog log;
  test::PumpedInformer<test::ManualSource> pumped;
  HandlerRegistration registration;
};

constexpr QueueKind kQueueKinds[] = {QueueKind::in_order_atomic, QueueKind::in_order,
                                     QueueKind::delta};

TEST_CASE("What was delivered is reported with its arrival, but a resync is not") {
  struct Noting final : InformerObserver {
    void on_delivered(const Delivered& delivered) override {
      seconds.push_back(RelistLog::seconds(delivered.arrived));
      if (delivered.is_bookmark) bookmarks.push_back(delivered.resource_version);
    }
    std::vector<std::int64_t> seconds;
    Texts bookmarks;
  } observer;
  InformerOptions options;
  options.resync_period = 10s;
  test::PumpedInformer<test::ManualSource> pumped(options, &observer);
  RelistLog log;
  const auto registration = pumped.informer.add_event_handler(log).value();
  pumped.advance(1s);
  pumped.start();
  pumped.source.answer_list({make_object("a", "9")}, "10");
  pumped.settle();
  pumped.source.answer_watch();
  pumped.advance(2s);
  pumped.source.send_bookmark("12");
  pumped.advance(2s);
  pumped.source.send(WatchEventType::modified, make_object("a", "13"));
  pumped.advance(60s);
  CHECK(pumped.informer.stats().notifications > 5);
  CHECK(observer.seconds == std::vector<std::int64_t>{1, 3, 5});
  // A quiet server repeats its version each minute.
  pumped.source.send_bookmark("13");
  pumped.advance(60s);
  CHECK(observer.bookmarks == Texts{"12", "13"});
}

TEST_CASE("A relist is announced before its changes") {
  for (const QueueKind queue : kQueueKinds) {
    ExpiredWatch rig(queue);
    rig.pumped.source.answer_list({make_object("a", "20"), make_object("b", "21")}, "30");
    const std::string notice = rig.notice("resourceVersion 12 expired at 30", 2);
    rig.pumped.settle();
    CHECK(rig.log.take() == Texts{notice, "update default/a", "add default/b", "2 changed"});
  }
}

TEST_CASE("A relist that finds no difference is announced, too") {
  for (const QueueKind queue : kQueueKinds) {
    ExpiredWatch rig(queue);
    rig.pumped.source.answer_list({make_object("a", "12")}, "30");
    const std::string notice = rig.notice("resourceVersion 12 expired at 30", 2);
    rig.pumped.settle();
    CHECK(rig.log.take() == Texts{notice, "0 changed"});
  }
}

TEST_CASE("Each of several relists is announced, from one to the next") {
  for (const QueueKind queue : kQueueKinds) {
    ExpiredWatch rig(queue);
    rig.pumped.source.answer_list({make_object("a", "12")}, "30");
    rig.pumped.settle();
    const std::int64_t first = RelistLog::seconds(rig.pumped.clock.wall());
    rig.pumped.source.answer_watch();
    rig.pumped.advance(5s);
    rig.expire();
    rig.pumped.source.answer_list({}, "40");
    const std::string notice = rig.notice("resourceVersion 30 expired at 40", first);
    rig.pumped.settle();
    CHECK(rig.log.take() == Texts{notice, "delete default/a", "1 changed"});
  }
}

TEST_CASE("A relist that changes nothing is announced before the events that follow it") {
  ExpiredWatch rig(QueueKind::in_order_atomic);
  rig.pumped.source.answer_list({make_object("a", "12")}, "30");
  const std::string notice = rig.notice("resourceVersion 12 expired at 30", 2);
  // The reflector runs ahead: the list and the next event are queued together.
  while (rig.pumped.informer.step(StepPart::reflector).moved) {
  }
  rig.pumped.source.answer_watch();
  rig.pumped.source.send(WatchEventType::modified, make_object("a", "31"));
  while (rig.pumped.informer.step(StepPart::reflector).moved) {
  }
  rig.pumped.settle();
  const Texts texts = rig.log.take();
  REQUIRE(texts.size() == 3);
  CHECK(texts[0] == notice);
}

TEST_CASE("A very short watch leads to an announced relist") {
  ExpiredWatch rig(QueueKind::in_order_atomic);
  rig.pumped.source.answer_list({make_object("a", "12")}, "30");
  rig.pumped.settle();
  const std::int64_t listed = RelistLog::seconds(rig.pumped.clock.wall());
  rig.pumped.source.answer_watch();
  rig.pumped.source.close_stream();
  rig.pumped.settle();
  for (int i = 0; i < 100 && !rig.pumped.source.pending(); ++i) rig.pumped.advance(100ms);
  rig.log.take();
  rig.pumped.source.answer_list({make_object("a", "12")}, "31");
  const std::string notice = rig.notice("the watch closed as soon as it was opened at 31", listed);
  rig.pumped.settle();
  CHECK(rig.log.take() == Texts{notice, "0 changed"});
}

}  // namespace
}  // namespace kinf
