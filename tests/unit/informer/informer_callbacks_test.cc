// SPDX-License-Identifier: Apache-2.0
// What user code may do inside a callback of an informer, and what happens when it throws.
#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "fakes/fake_clock.h"
#include "fakes/fake_lister_watcher.h"
#include "fakes/pumped_informer.h"
#include "fakes/recording_handler.h"
#include "fakes/threaded_informer.h"
#include "kinf/cache/indexer.h"
#include "kinf/informer/informer_observer.h"
#include "kinf/informer/shared_informer_factory.h"

namespace kinf {
namespace {

using test::FakeClock;
using test::FakeListerWatcher;
using test::PumpedInformer;
using test::RecordingHandler;
using test::Threaded;
using namespace std::chrono_literals;

/// Calls a function for each change.
struct Calling final : EventHandler {
  explicit Calling(std::function<void()> call_in = {}) : call(std::move(call_in)) {}
  void on_add(const Change&) override { run(); }
  void on_update(const Change&) override { run(); }
  void on_delete(const Change&) override { run(); }
  void run() {
    if (call) call();
    ++calls;
  }
  std::function<void()> call;
  std::atomic<int> calls{0};
};

/// Threads meet here: each waits until `count` have come.
class Meeting {
 public:
  explicit Meeting(int count) : missing_(count) {}
  void wait() {
    MutexLock lock(mu_);
    --missing_;
    changed_.notify_all();
    while (missing_ > 0) changed_.wait(mu_);
  }

 private:
  Mutex mu_;
  CondVar changed_;
  int missing_ KINF_GUARDED_BY(mu_);
};

const std::vector<Delivery> kDeliveries = {Delivery::direct, Delivery::queued};

HandlerOptions delivered(Delivery delivery) {
  HandlerOptions options;
  options.delivery = delivery;
  return options;
}

/// How a child process ends that runs `body`, and what it writes to stderr.
std::pair<int, std::string> ending_of(const std::function<void()>& body) {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    std::signal(SIGABRT, SIG_DFL);
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    close(ends[1]);
    body();
    _exit(0);
  }
  close(ends[1]);
  std::string text;
  char buffer[512];
  for (ssize_t n = 0; (n = read(ends[0], buffer, sizeof buffer)) > 0;) {
    text.append(buffer, static_cast<std::size_t>(n));
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return {status, text};
}

TEST_CASE("an observer and the watch_error_handler may stop the informer") {
  struct Stopping final : InformerObserver {
    void on_error(const InformerFailure&) override { informer->stop(); }
    void on_synced(const SyncedEvent&) override { informer->stop(); }
    SharedInformer* informer = nullptr;
  };
  SUBCASE("the observer, on a failed list") {
    Stopping observer;
    Threaded threaded({}, &observer);
    observer.informer = &*threaded.informer;
    threaded.source->list_error(Error(ErrorKind::auth, "401"), 1000);
    CHECK(threaded.informer->run({}));
    CHECK(threaded.informer->is_stopped());
  }
  SUBCASE("the observer, when the first list is in the cache") {
    Stopping observer;
    Threaded threaded({}, &observer);
    observer.informer = &*threaded.informer;
    CHECK(threaded.informer->run({}));
    CHECK(threaded.informer->is_stopped());
  }
  SUBCASE("the watch_error_handler") {
    SharedInformer* informer = nullptr;
    InformerOptions options;
    options.watch_error_handler = [&](const Error&) { informer->stop(); };
    Threaded threaded(options);
    informer = &*threaded.informer;
    threaded.source->list_error(Error(ErrorKind::auth, "401"), 1000);
    CHECK(threaded.informer->run({}));
    CHECK(threaded.informer->is_stopped());
  }
  SUBCASE("an index function") {
    SharedInformer* informer = nullptr;
    InformerOptions options;
    options.indexers["stop"] = [&](const Object&) -> Result<std::vector<std::string>> {
      informer->stop();
      return std::vector<std::string>();
    };
    Threaded threaded(options);
    informer = &*threaded.informer;
    threaded.source->add("a");
    CHECK(threaded.informer->run({}));
    CHECK(threaded.informer->is_stopped());
  }
}

TEST_CASE("what an observer or the watch_error_handler throws is caught and counted") {
  struct Throwing final : InformerObserver {
    void on_list_started(const ListStarted&) override { throw std::runtime_error("observer"); }
    void on_synced(const SyncedEvent&) override { throw 1; }
    void on_error(const InformerFailure&) override { throw std::runtime_error("observer"); }
    void on_watch_opened() override { throw std::runtime_error("observer"); }
  } observer;
  InformerOptions options;
  options.watch_error_handler = [](const Error&) { throw std::runtime_error("handler"); };
  PumpedInformer<FakeListerWatcher> pumped(options, &observer);
  pumped.source.list_error(Error(ErrorKind::unavailable, "down"));
  RecordingHandler handler;
  const auto registration = pumped.informer.add_event_handler(handler).value();
  pumped.start();
  pumped.advance(30s);
  pumped.source.add("a");
  pumped.settle();
  CHECK(handler.take() == std::vector<std::string>{"SYNCED 0", "ADDED a@1"});
  // Two lists, an error told to both, the sync and the watch.
  CHECK(pumped.informer.stats().handler_exceptions >= 6);
}

TEST_CASE("a handler may remove itself while its owner removes it too") {
  for (const Delivery delivery : kDeliveries) {
    for (int round = 0; round < 50; ++round) {
      Threaded threaded;
      threaded.source->add("a");
      std::atomic<HandlerRegistration*> own = nullptr;
      Meeting meeting(2);
      Calling handler([&] {
        meeting.wait();
        own.load()->remove();
      });
      std::optional<HandlerRegistration> registration =
          threaded.informer->add_event_handler(handler, delivered(delivery)).value();
      own = &*registration;
      CHECK(threaded.informer->start());
      meeting.wait();
      if (round % 2 == 0) registration->remove();
      registration.reset();
      CHECK(handler.calls == 1);
    }
  }
}

TEST_CASE("two handlers may remove each other") {
  for (const Delivery delivery : kDeliveries) {
    Threaded one;
    Threaded other;
    one.source->add("a");
    other.source->add("a");
    HandlerRegistration first;
    HandlerRegistration second;
    Meeting meeting(3);
    Calling removes_second([&] {
      meeting.wait();
      second.remove();
    });
    Calling removes_first([&] {
      meeting.wait();
      first.remove();
    });
    first = one.informer->add_event_handler(removes_second, delivered(delivery)).value();
    second = other.informer->add_event_handler(removes_first, delivered(delivery)).value();
    CHECK(one.informer->start());
    CHECK(other.informer->start());
    meeting.wait();
    first.remove();
    second.remove();
    one.informer->stop();
    other.informer->stop();
    CHECK(removes_first.calls == 1);
    CHECK(removes_second.calls == 1);
  }
}

TEST_CASE("a registration may outlive its informer") {
  RecordingHandler handler;
  HandlerRegistration threadless;
  HandlerRegistration stopped;
  HandlerRegistration never_started;
  {
    PumpedInformer<FakeListerWatcher> pumped;
    threadless = pumped.informer.add_event_handler(handler).value();
    pumped.start();
    Threaded threaded;
    stopped = threaded.informer->add_event_handler(handler).value();
    CHECK(threaded.informer->start());
    handler.wait_for(2);
    never_started = Threaded().informer->add_event_handler(handler).value();
  }
  CHECK(threadless.has_synced());
  CHECK(stopped.has_synced());
  CHECK_FALSE(never_started.has_synced());
  CHECK(stopped.resync_period() == 0s);
  stopped.remove();
  stopped.remove();
  CHECK(stopped.has_synced());
}

TEST_CASE("handlers of two informers may shut their factory down") {
  for (const Delivery delivery : kDeliveries) {
    FakeClock clock;
    SharedInformerFactory factory(clock);
    const auto make = [&] {
      auto source = std::make_unique<FakeListerWatcher>(clock);
      source->add("a");
      return source;
    };
    Meeting meeting(2);
    Calling handler([&] {
      meeting.wait();
      factory.shutdown();
    });
    std::vector<HandlerRegistration> registrations;
    for (const char* resource : {"pods", "secrets"}) {
      SharedInformer* informer =
          factory.informer_for({{"", "v1", resource}, "", "", ""}, make).value();
      registrations.push_back(informer->add_event_handler(handler, delivered(delivery)).value());
    }
    CHECK(factory.start());
    while (handler.calls < 2) std::this_thread::yield();
    factory.shutdown();
    CHECK(factory.find({{"", "v1", "pods"}, "", "", ""})->is_stopped());
  }
}

TEST_CASE("destroying an informer inside its own callback ends the process with a message") {
  const auto [status, text] = ending_of([] {
    std::unique_ptr<PumpedInformer<FakeListerWatcher>> pumped =
        std::make_unique<PumpedInformer<FakeListerWatcher>>();
    pumped->source.add("a");
    Calling handler([&] { pumped.reset(); });
    const auto registration = pumped->informer.add_event_handler(handler).value();
    pumped->start();
  });
  CHECK(WIFSIGNALED(status));
  CHECK(text.find("the informer for pods must not be destroyed inside one of its own callbacks") !=
        std::string::npos);
}

TEST_CASE("a handler may destroy another informer") {
  std::optional<Threaded> other(std::in_place);
  CHECK(other->informer->start());
  CHECK(other->informer->wait_for_sync(Clock::kNever));
  Threaded threaded;
  threaded.source->add("a");
  Calling handler([&] { other.reset(); });
  const auto registration = threaded.informer->add_event_handler(handler).value();
  CHECK(threaded.informer->start());
  while (handler.calls == 0) std::this_thread::yield();
  CHECK_FALSE(other.has_value());
}

TEST_CASE("an informer may be started and stopped by several threads at once") {
  for (int round = 0; round < 100; ++round) {
    Threaded threaded;
    Meeting meeting(4);
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&, starts = t % 2 == 0] {
        meeting.wait();
        if (starts) {
          (void)threaded.informer->start();  // fails if it has been stopped
        } else {
          threaded.informer->stop();
        }
      });
    }
    threads.clear();
    CHECK(threaded.informer->is_stopped());
  }
}

TEST_CASE("a handler may call start() while the informer is being stopped") {
  Threaded threaded;
  threaded.source->add("a");
  Meeting meeting(2);
  Calling handler([&] {
    meeting.wait();
    CHECK(threaded.informer->start());
  });
  const auto registration = threaded.informer->add_event_handler(handler).value();
  CHECK(threaded.informer->start());
  meeting.wait();
  threaded.informer->stop();
  CHECK(handler.calls == 1);
}

TEST_CASE("a factory keeps nothing when make_source fails") {
  FakeClock clock;
  SharedInformerFactory factory(clock);
  const InformerIdentity pods{{"", "v1", "pods"}, "", "", "", ObjectForm::raw};
  using Source = Result<std::unique_ptr<ListerWatcher>>;
  const auto thrown =
      factory.informer_for(pods, []() -> Source { throw std::runtime_error("no route"); });
  CHECK(thrown.error().message == "create a source for pods: no route");
  CHECK(thrown.error().kind == ErrorKind::internal);
  const auto none = factory.informer_for(pods, []() -> Source { return nullptr; });
  CHECK(none.error().message == "create a source for pods: make_source returned null");
  const auto failed =
      factory.informer_for(pods, []() -> Source { return fail(ErrorKind::auth, "401"); });
  CHECK(failed.error().kind == ErrorKind::auth);
  CHECK(factory.find(pods) == nullptr);
  CHECK(factory.start());
  CHECK(factory.informer_for(pods, [&] { return std::make_unique<FakeListerWatcher>(clock); }));
  CHECK(factory.start());
  CHECK(factory.wait_for_cache_sync(Clock::kNever).size() == 1);
}

TEST_CASE("a released informer has stopped, and the factory makes another one") {
  FakeClock clock;
  SharedInformerFactory factory(clock);
  const InformerIdentity pods{{"", "v1", "pods"}, "", "", "", ObjectForm::raw};
  const auto make = [&] { return std::make_unique<FakeListerWatcher>(clock); };
  SharedInformer* const first = factory.informer_for(pods, make).value();
  CHECK(factory.start());
  const std::unique_ptr<SharedInformer> released = factory.release(pods);
  CHECK(released.get() == first);
  CHECK(released->is_stopped());
  CHECK(factory.find(pods) == nullptr);
  CHECK(factory.release(pods) == nullptr);
  CHECK(factory.informer_for(pods, make).value() != first);
  CHECK(factory.start());
  CHECK(factory.wait_for_cache_sync(Clock::kNever).size() == 1);
}

TEST_CASE("make_source may ask the factory") {
  FakeClock clock;
  SharedInformerFactory factory(clock);
  const InformerIdentity pods{{"", "v1", "pods"}, "", "", "", ObjectForm::raw};
  SharedInformer* inner = nullptr;
  SharedInformer* const outer =
      factory
          .informer_for(
              pods,
              [&] {
                CHECK(factory.find(pods) == nullptr);
                inner = factory
                            .informer_for(
                                pods, [&] { return std::make_unique<FakeListerWatcher>(clock); })
                            .value();
                return std::make_unique<FakeListerWatcher>(clock);
              })
          .value();
  CHECK(inner == outer);
}

TEST_CASE("a handler gets its resync period although the informer's default is never") {
  RecordingHandler handler;
  RecordingHandler other;
  const auto reminders = [&](Behaviour behaviour) {
    InformerOptions options;
    options.behaviour = behaviour;
    PumpedInformer<FakeListerWatcher> pumped(options);
    pumped.source.add("a");
    const auto registration = pumped.informer.add_event_handler(handler, {.resync = 10s}).value();
    const auto without = pumped.informer.add_event_handler(other).value();
    pumped.start();
    handler.take();
    other.take();
    pumped.advance(25s);
    CHECK(other.take().empty());
    return handler.take().size();
  };
  CHECK(reminders(Behaviour::strict) == 2);
  CHECK(reminders(Behaviour::client_go) == 0);
}

TEST_CASE(
    "a handler that assigns {} to its registration is removed, and the owner may go on using it") {
  for (const Delivery delivery : kDeliveries) {
    Threaded threaded;
    for (const char* name : {"a", "b", "c"}) threaded.source->add(name);
    HandlerRegistration own;
    Calling handler([&] { own = {}; });
    HandlerOptions options = delivered(delivery);
    options.resync = 5s;
    own = threaded.informer->add_event_handler(handler, options).value();
    CHECK(threaded.informer->start());
    CHECK(threaded.informer->wait_for_sync(Clock::kNever));
    while (handler.calls == 0) std::this_thread::yield();
    own.remove();  // waits for the call
    threaded.informer->stop();
    CHECK(handler.calls == 1);
    CHECK(own.resync_period() == 5s);  // the object still knows the handler
  }
}

TEST_CASE("an informer keeps the functions of a handler, even while one of them removes it") {
  for (const Delivery delivery : kDeliveries) {
    auto kept = std::make_shared<int>(7);
    PumpedInformer<FakeListerWatcher> pumped;
    for (const char* name : {"a", "b"}) pumped.source.add(name);
    std::optional<HandlerRegistration> own;
    int seen = 0;
    auto note = [&own, &seen, kept = std::move(kept)](const Change&) {
      own.reset();
      seen += *kept;  // reads what the function keeps after its removal
    };
    own = pumped.informer.add_event_handler(std::move(note), delivered(delivery)).value();
    pumped.start();
    CHECK(seen == 7);
    pumped.informer.finish();
  }
  PumpedInformer<FakeListerWatcher> pumped;
  pumped.source.add("a");
  std::string told;
  const auto registration =
      pumped.informer
          .add_event_handler({.on_add = [&](const Change& change) { told += change.key; },
                              .on_synced = [&](const SyncedEvent&) { told += " synced"; }})
          .value();
  pumped.start();
  CHECK(told == "default/a synced");
}

TEST_CASE("an informer may outlive its RealClock") {
  auto clock = std::make_unique<RealClock>();
  FakeClock fake;
  SharedInformer informer(std::make_unique<FakeListerWatcher>(fake), *clock);
  SharedInformerFactory factory(*clock);
  clock.reset();
  CHECK(informer.start());
  CHECK(informer.wait_for_sync(Clock::kNever));
  CHECK(factory.informer_for({{"", "v1", "pods"}, "", "", ""},
                             [&] { return std::make_unique<FakeListerWatcher>(fake); }));
  CHECK(factory.start());
  CHECK(factory.wait_for_cache_sync(Clock::kNever).size() == 1);
}

TEST_CASE("a write to a store inside its with_read_lock() ends the process with a message") {
  const auto [status, text] = ending_of([] {
    Indexer store;
    store.with_read_lock([&](const IndexTable&) { (void)store.replace({}, "1"); });
  });
  CHECK(WIFSIGNALED(status));
  CHECK(text == "kinf: fatal: a thread writes to a store inside its own with_read_lock()\n");
}

}  // namespace
}  // namespace kinf
