// SPDX-License-Identifier: Apache-2.0
// Informers with their real threads. No test sleeps: each waits for the effect of what it did.
#include <doctest/doctest.h>
#include <pthread.h>

#include <atomic>
#include <chrono>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "fakes/fake_clock.h"
#include "fakes/fake_lister_watcher.h"
#include "fakes/recording_handler.h"
#include "fakes/threaded_informer.h"
#include "kinf/base/log.h"
#include "kinf/informer/informer_observer.h"
#include "kinf/informer/shared_informer_factory.h"

namespace kinf {
namespace {

using namespace std::chrono_literals;
using test::FakeClock;
using test::FakeListerWatcher;
using test::RecordingHandler;
using test::Threaded;
using Texts = std::vector<std::string>;

/// Blocks handlers until it is opened.
class Gate {
 public:
  void pass() {
    MutexLock lock(mu_);
    ++waiting_;
    changed_.notify_all();
    while (!open_) changed_.wait(mu_);
  }
  void wait_for_arrival() {
    MutexLock lock(mu_);
    while (waiting_ == 0) changed_.wait(mu_);
  }
  void open() {
    MutexLock lock(mu_);
    open_ = true;
    changed_.notify_all();
  }

 private:
  Mutex mu_;
  CondVar changed_;
  int waiting_ = 0;
  bool open_ = false;
};

/// Counts its calls, and waits at the gate in each addition.
struct GatedHandler final : EventHandler {
  explicit GatedHandler(Gate& gate_in) : gate(gate_in) {}
  void on_add(const Change&) override {
    ++calls;
    gate.pass();
    ++finished;
  }
  void on_update(const Change&) override { ++calls; }
  void on_delete(const Change&) override { ++calls; }
  Gate& gate;
  std::atomic<int> calls{0};
  std::atomic<int> finished{0};
};

TEST_CASE("an informer with threads lists, watches and stops") {
  Threaded threaded;
  threaded.source->add("a");
  RecordingHandler direct;
  RecordingHandler queued;
  const auto first =
      threaded.informer->add_event_handler(direct, {.resync = {}, .delivery = Delivery::direct})
          .value();
  const auto second = threaded.informer->add_event_handler(queued).value();
  CHECK(threaded.informer->start());
  CHECK(threaded.informer->start());
  CHECK(threaded.informer->wait_for_sync(Clock::kNever));
  threaded.source->add("b");
  for (RecordingHandler* handler : {&direct, &queued}) {
    handler->wait_for(3);
    CHECK(handler->take() == Texts{"ADDED a@1 initial", "SYNCED 1", "ADDED b@2"});
  }
  threaded.informer->stop();
  threaded.informer->stop();
  CHECK(threaded.informer->is_stopped());
}

TEST_CASE("a change that arrives while the first list is delivered comes after the list's end") {
  // The processor may take the list in two places, one of which was wrong.
  for (int round = 0; round < 200; ++round) {
    Threaded threaded;
    threaded.source->add("a");
    Gate gate;
    GatedHandler slow(gate);
    RecordingHandler other;
    const HandlerOptions direct{.resync = {}, .delivery = Delivery::direct};
    const auto first = threaded.informer->add_event_handler(slow, direct).value();
    const auto second = threaded.informer->add_event_handler(other, direct).value();
    CHECK(threaded.informer->start());
    gate.wait_for_arrival();
    threaded.source->add("b");
    while (threaded.informer->stats().watch_events == 0) std::this_thread::yield();
    threaded.clock.wait_for_sleepers(1);  // the reflector, which has queued it
    gate.open();
    other.wait_for(3);
    CHECK(other.take() == Texts{"ADDED a@1 initial", "SYNCED 1", "ADDED b@2"});
  }
}

TEST_CASE("G29: an informer stops, whatever it waits for") {
  SUBCASE("an idle watch, by its token") {
    Threaded threaded;
    std::stop_source stop;
    CHECK(threaded.informer->start(stop.get_token()));
    CHECK(threaded.informer->wait_for_sync(Clock::kNever));
    stop.request_stop();
  }
  SUBCASE("a backoff") {
    Threaded threaded;
    threaded.source->list_error(Error(ErrorKind::unavailable, "down"), 1000);
    CHECK(threaded.informer->start());
    threaded.clock.wait_for_sleepers(1);
  }
  SUBCASE("nothing yet") { Threaded threaded; }
  SUBCASE("run() until its token says so") {
    Threaded threaded;
    std::jthread runner([&](const std::stop_token& stop) { CHECK(threaded.informer->run(stop)); });
    CHECK(threaded.informer->wait_for_sync(Clock::kNever));
    runner.request_stop();
    runner.join();
    CHECK(threaded.informer->is_stopped());
  }
}

TEST_CASE("the pauses between failures use the clock") {
  Threaded threaded;
  threaded.source->list_error(Error(ErrorKind::unavailable, "down"), 3);
  CHECK(threaded.informer->start());
  for (int round = 0; round < 3; ++round) {
    threaded.clock.wait_for_sleepers(1);
    threaded.clock.advance(30s);
  }
  CHECK(threaded.informer->wait_for_sync(Clock::kNever));
  CHECK(threaded.source->lists() == 4);
}

TEST_CASE("the first handler of a running informer is reminded one period later") {
  InformerOptions options;
  options.resync_period = 60s;
  options.stall_timeout = 0s;
  Threaded threaded(options);
  threaded.source->add("a");
  CHECK(threaded.informer->start());
  REQUIRE(threaded.informer->wait_for_sync(Clock::kNever));
  while (threaded.informer->stats().watches == 0) std::this_thread::yield();
  threaded.clock.wait_for_sleepers(1);  // the reflector
  RecordingHandler late;
  const auto registration = threaded.informer->add_event_handler(late).value();
  late.wait_for(2);
  CHECK(late.take() == Texts{"ADDED a@1 initial", "SYNCED 1"});
  threaded.clock.advance(60s);
  late.wait_for(1);
  CHECK(late.take() == Texts{"MODIFIED a@1->1 (resync)"});
  threaded.informer->stop();
}

/// Makes the informer list again, after a change that no watch shows.
void force_relist(FakeListerWatcher& source) {
  source.disconnect();
  source.modify("a");
  source.expire();
  source.reconnect();
}

struct RelistObserver final : InformerObserver {
  void on_relisted(const Relisted& relisted) override {
    MutexLock lock(mu);
    changed.push_back(relisted.changed);
  }
  std::vector<std::size_t> reported() {
    MutexLock lock(mu);
    return changed;
  }
  Mutex mu;
  std::vector<std::size_t> changed KINF_GUARDED_BY(mu);
};

TEST_CASE("relists that wait for a slow handler are reported one by one") {
  RelistObserver observer;
  Threaded threaded({}, &observer);
  threaded.source->add("a");
  Gate gate;
  GatedHandler handler(gate);
  HandlerOptions direct;
  direct.delivery = Delivery::direct;
  const auto registration = threaded.informer->add_event_handler(handler, direct).value();
  CHECK(threaded.informer->start());
  gate.wait_for_arrival();  // the processor waits, with the initial list
  for (int i = 0; i < 2; ++i) {
    force_relist(*threaded.source);
    while (threaded.informer->last_sync_resource_version() != threaded.source->version()) {
      threaded.clock.wait_for_sleepers(1);
      threaded.clock.advance(1s);
    }
  }
  gate.open();
  while (handler.calls < 3) std::this_thread::yield();
  threaded.informer->stop();
  CHECK(observer.reported() == std::vector<std::size_t>{1, 1});
  CHECK(threaded.informer->stats().relists == 2);
}

TEST_CASE("a relist is reported although the queue is never empty") {
  struct Busy final : EventHandler {
    void on_add(const Change&) override {}
    void on_update(const Change&) override {
      relists = informer->stats().relists;
      if (++updates >= 20) return;
      source->modify("a");
      while (informer->stats().queued == 0) {
        clock->wait_for_sleepers(1);
        clock->advance(100ms);
      }
    }
    void on_delete(const Change&) override {}
    SharedInformer* informer = nullptr;
    FakeListerWatcher* source = nullptr;
    FakeClock* clock = nullptr;
    std::atomic<int> updates{0};
    std::uint64_t relists = 0;
  } handler;
  Threaded threaded;
  handler.informer = &*threaded.informer;
  handler.source = threaded.source;
  handler.clock = &threaded.clock;
  threaded.source->add("a");
  HandlerOptions direct;
  direct.delivery = Delivery::direct;
  const auto registration = threaded.informer->add_event_handler(handler, direct).value();
  CHECK(threaded.informer->start());
  REQUIRE(threaded.informer->wait_for_sync(Clock::kNever));
  force_relist(*threaded.source);
  while (handler.updates == 0) {
    threaded.clock.wait_for_sleepers(1);
    threaded.clock.advance(100ms);
  }
  while (handler.updates < 20) std::this_thread::yield();
  threaded.informer->stop();
  CHECK(handler.relists == 1);
}

TEST_CASE("G7: handlers added while objects change miss nothing and see nothing twice") {
  Threaded threaded;
  CHECK(threaded.informer->start());
  std::vector<std::unique_ptr<RecordingHandler>> handlers;
  std::vector<HandlerRegistration> registrations;
  std::jthread writer([&] {
    for (int i = 0; i < 300; ++i) threaded.source->add("x" + std::to_string(i));
  });
  for (int i = 0; i < 20; ++i) {
    handlers.push_back(std::make_unique<RecordingHandler>());
    HandlerOptions options;
    options.delivery = i % 2 == 0 ? Delivery::direct : Delivery::queued;
    options.when_full = WhenFull::grow;
    registrations.push_back(
        threaded.informer->add_event_handler(*handlers.back(), options).value());
  }
  writer.join();
  for (const auto& handler : handlers) {
    handler->wait_for(301);  // 300 additions and on_synced
    Texts names;
    for (const std::string& line : handler->take()) {
      if (line.starts_with("ADDED ")) names.push_back(line.substr(6, line.find('@') - 6));
    }
    std::sort(names.begin(), names.end());
    CHECK(std::unique(names.begin(), names.end()) == names.end());
    CHECK(names.size() == 300);
  }
}

TEST_CASE("G13: handlers are added and removed while objects change and the informer stops") {
  Threaded threaded;
  CHECK(threaded.informer->start());
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 25; ++i) {
        RecordingHandler handler;
        const auto registration = threaded.informer->add_event_handler(handler);
      }
    });
  }
  for (int i = 0; i < 200; ++i) threaded.source->add("x" + std::to_string(i));
  threads.clear();
  threaded.informer->stop();
}

TEST_CASE("G27: removing a handler waits for its running callback, and no call follows") {
  for (const Delivery delivery : {Delivery::direct, Delivery::queued}) {
    Threaded threaded;
    threaded.source->add("a");
    threaded.source->add("b");
    Gate gate;
    GatedHandler handler(gate);
    HandlerOptions options;
    options.delivery = delivery;
    auto registration = threaded.informer->add_event_handler(handler, options).value();
    CHECK(threaded.informer->start());
    gate.wait_for_arrival();
    std::atomic<bool> removed{false};
    std::jthread remover([&] {
      registration.remove();
      removed = true;
    });
    CHECK_FALSE(removed);
    CHECK(handler.finished == 0);
    gate.open();
    remover.join();
    const int calls = handler.calls;
    CHECK(handler.finished == calls);
    threaded.source->add("c");
    threaded.informer->stop();
    CHECK(handler.calls == calls);
  }
}

TEST_CASE("a handler can remove itself and add another from inside its callback") {
  struct Leaving final : EventHandler {
    void on_add(const Change&) override {
      if (added) return;
      added = informer->add_event_handler(*other).value();
      registration.remove();
    }
    void on_update(const Change&) override {}
    void on_delete(const Change&) override {}
    SharedInformer* informer = nullptr;
    EventHandler* other = nullptr;
    HandlerRegistration registration;
    std::optional<HandlerRegistration> added;
  };
  for (const Delivery delivery : {Delivery::direct, Delivery::queued}) {
    Threaded threaded;
    threaded.source->add("a");
    threaded.source->add("b");
    RecordingHandler other;
    Leaving leaving;
    leaving.informer = &*threaded.informer;
    leaving.other = &other;
    HandlerOptions options;
    options.delivery = delivery;
    leaving.registration = threaded.informer->add_event_handler(leaving, options).value();
    CHECK(threaded.informer->start());
    other.wait_for(3);
    threaded.informer->stop();
    leaving.added.reset();
  }
}

TEST_CASE("a handler can stop the informer from inside its callback") {
  struct Ending final : EventHandler {
    void on_add(const Change&) override { informer->stop(); }
    void on_update(const Change&) override {}
    void on_delete(const Change&) override {}
    SharedInformer* informer = nullptr;
  };
  for (const Delivery delivery : {Delivery::direct, Delivery::queued}) {
    Threaded threaded;
    threaded.source->add("a");
    Ending ending;
    ending.informer = &*threaded.informer;
    HandlerOptions options;
    options.delivery = delivery;
    const auto registration = threaded.informer->add_event_handler(ending, options).value();
    CHECK(threaded.informer->run({}));
    CHECK(threaded.informer->is_stopped());
  }
}

TEST_CASE(
    "G30: a slow handler delays no other, keeps a bounded backlog, and lets the informer stop") {
  InformerOptions options;
  options.queue_capacity = 50;
  Threaded threaded(options);
  Gate gate;
  GatedHandler slow(gate);
  RecordingHandler fast;
  HandlerOptions bounded;
  bounded.bound = 10;
  const auto slow_one = threaded.informer->add_event_handler(slow, bounded).value();
  HandlerOptions all;
  all.when_full = WhenFull::grow;
  const auto fast_one = threaded.informer->add_event_handler(fast, all).value();
  threaded.source->add("a");
  CHECK(threaded.informer->start());
  gate.wait_for_arrival();
  for (int i = 0; i < 10'000; ++i) threaded.source->modify("a");
  fast.wait_for(10'002);
  const InformerStats stats = threaded.informer->stats();
  CHECK(stats.backlog <= 13);  // 1 of them is in the handler
  CHECK(stats.folded >= 9'900);
  gate.open();
  threaded.informer->stop();
}

TEST_CASE("a handler with WhenFull::block makes the informer wait instead of merging") {
  InformerOptions options;
  options.queue_capacity = 20;
  Threaded threaded(options);
  Gate gate;
  GatedHandler slow(gate);
  HandlerOptions blocking;
  blocking.bound = 10;
  blocking.when_full = WhenFull::block;
  const auto registration = threaded.informer->add_event_handler(slow, blocking).value();
  threaded.source->add("a");
  CHECK(threaded.informer->start());
  gate.wait_for_arrival();
  for (int i = 0; i < 500; ++i) threaded.source->modify("a");
  CHECK(threaded.informer->stats().backlog <= 11);  // 1 of them is in the handler
  SUBCASE("and all arrives once it goes on") {
    gate.open();
    RecordingHandler later;
    const auto other = threaded.informer->add_event_handler(later).value();
    while (slow.calls < 501) std::this_thread::yield();
    CHECK(threaded.informer->stats().folded == 0);
  }
  SUBCASE("and the informer still ends, counting what was not delivered") {
    std::jthread stopper([&] { threaded.informer->stop(); });
    gate.open();
    stopper.join();
    const InformerStats stats = threaded.informer->stats();
    CHECK(stats.notifications + stats.undelivered <= 501);
  }
}

TEST_CASE("an informer of a factory can have its own observer") {
  struct Counting final : InformerObserver {
    void on_synced(const SyncedEvent&) override { ++synced; }
    std::atomic<int> synced = 0;
  };
  FakeClock clock;
  Counting all;
  Counting own;
  SharedInformerFactory factory(clock, {}, &all);
  const auto make = [&] { return std::make_unique<FakeListerWatcher>(clock); };
  CHECK(factory.informer_for({{"", "v1", "pods"}, "", "", ""}, make));
  CHECK(factory.informer_for({{"", "v1", "secrets"}, "", "", ""}, make, &own));
  CHECK(factory.start());
  CHECK(factory.wait_for_cache_sync(Clock::kNever).size() == 2);
  factory.shutdown();
  CHECK(all.synced == 1);
  CHECK(own.synced == 1);
}

TEST_CASE("H1, H2, H3: one informer per identity, started once, stopped once") {
  FakeClock clock;
  SharedInformerFactory factory(clock);
  int made = 0;
  const auto make = [&]() -> std::unique_ptr<ListerWatcher> {
    ++made;
    return std::make_unique<FakeListerWatcher>(clock);
  };
  const InformerIdentity pods{{"", "v1", "pods"}, "default", "", "", ObjectForm::raw};
  InformerIdentity labelled = pods;
  labelled.label_selector = "app=web";
  SharedInformer& first = *factory.informer_for(pods, make).value();
  CHECK(factory.informer_for(pods, make).value() == &first);
  CHECK(made == 1);
  CHECK(factory.start());
  SharedInformer& second = *factory.informer_for(labelled, make).value();
  CHECK(&second != &first);
  CHECK(factory.find(labelled) == &second);
  CHECK(factory.wait_for_cache_sync(Clock::kNever).size() == 1);
  CHECK(factory.start());
  const auto synced = factory.wait_for_cache_sync(Clock::kNever);
  CHECK(synced.size() == 2);
  CHECK(synced.at(labelled));
  factory.shutdown();
  factory.shutdown();
  CHECK(first.is_stopped());
  InformerIdentity late = pods;
  late.ns = "late";
  CHECK(factory.informer_for(late, make).error().kind == ErrorKind::stopped);
  CHECK(factory.informer_for(pods, make).error().kind == ErrorKind::stopped);
  CHECK(factory.find(pods) == &first);
}

TEST_CASE("an informer with threads refuses begin(), does not step, and finish() stops it") {
  Threaded threaded;
  CHECK(threaded.informer->start());
  const Result<void> begun = threaded.informer->begin();
  REQUIRE_FALSE(begun);
  CHECK(begun.error().kind == ErrorKind::usage);
  CHECK(begun.error().message == "the informer for pods already runs on its own threads");
  CHECK(threaded.informer->step().wake == Clock::kNever);
  threaded.informer->finish();
  CHECK(threaded.informer->is_stopped());
}

#if defined(__GLIBC__)
/// No thread can be started while this object exists: each would need a stack of 2^50 bytes.
class NoThreads {
 public:
  NoThreads() {
    pthread_getattr_default_np(&usual_);
    pthread_attr_t huge;
    pthread_attr_init(&huge);
    pthread_attr_setstacksize(&huge, std::size_t{1} << 50);
    CHECK(pthread_setattr_default_np(&huge) == 0);
    pthread_attr_destroy(&huge);
  }
  ~NoThreads() {
    pthread_setattr_default_np(&usual_);
    pthread_attr_destroy(&usual_);
  }
  NoThreads(const NoThreads&) = delete;
  NoThreads& operator=(const NoThreads&) = delete;

 private:
  pthread_attr_t usual_{};
};

TEST_CASE(
    "if the system provides no thread, start() returns an error and the informer has stopped") {
  Threaded threaded;
  const NoThreads none;
  const Result<void> started = threaded.informer->start();
  REQUIRE_FALSE(started);
  CHECK(started.error().kind == ErrorKind::internal);
  CHECK(
      started.error().message.starts_with("start the informer for pods: cannot start a thread: "));
  CHECK(threaded.informer->is_stopped());
  SharedInformerFactory factory(threaded.clock);
  CHECK(factory.informer_for({{"", "v1", "pods"}, "", "", ""},
                             [&] { return std::make_unique<FakeListerWatcher>(threaded.clock); }));
  CHECK(factory.start().error().kind == ErrorKind::internal);
}

TEST_CASE("a handler for which the system provides no thread is called on the informer's thread") {
  Threaded threaded;
  threaded.source->add("a");
  CHECK(threaded.informer->start());
  CHECK(threaded.informer->wait_for_sync(Clock::kNever));
  RecordingHandler handler;
  std::vector<std::string> warnings;
  log::set_sink([&](std::string_view line) { warnings.emplace_back(line); });
  {
    const NoThreads none;
    const auto registration = threaded.informer->add_event_handler(handler).value();
    handler.wait_for(1);
    threaded.informer->stop();
  }
  log::set_sink({});
  REQUIRE(warnings.size() == 1);
  CHECK(warnings[0].find("pods: cannot start a thread for a handler: ") != std::string::npos);
}
#endif

}  // namespace
}  // namespace kinf
