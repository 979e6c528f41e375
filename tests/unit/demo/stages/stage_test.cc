// SPDX-License-Identifier: Apache-2.0
// Stages of `kinf demo` on a source that holds the scenario: nettool comes, runs and goes.
#include "kinf/demo/stages/stage.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <utility>

#include "fakes/fake_clock.h"
#include "kinf/base/sync.h"

namespace kinf {
namespace {

using Lines = std::vector<std::string>;

ObjectPtr nettool(const std::string& version, const std::string& phase) {
  return object_from(R"({"metadata":{"name":"nettool","namespace":"default","uid":"1",)"
                     R"("resourceVersion":")" +
                     version + R"("},"status":{"phase":")" + phase + R"("}})");
}

/// One pod in the list, then the life of nettool in the watch.
class Scenario final : public ListerWatcher {
 public:
  explicit Scenario(Clock& clock) : clock_(clock) {}

  static constexpr const char* kLastVersion = "13";

  std::unique_ptr<ListCall> list(const ListOptions& options, ListSink& sink) override {
    (void)options;
    sink.item(object_from(R"({"metadata":{"name":"web","namespace":"default","uid":"0",)"
                          R"("resourceVersion":"9"},"status":{"phase":"Running"}})"));
    return std::make_unique<Listing>();
  }
  std::unique_ptr<WatchCall> watch(const ListOptions& options) override {
    (void)options;
    return std::make_unique<Watching>(*this);
  }
  void wait(Clock::Mono deadline, const std::stop_token& stop) override {
    MutexLock lock(mu_);
    while (!woken_ && !stop.stop_requested() && clock_.now() < deadline) {
      clock_.wait_until(changed_, mu_, deadline, stop);
    }
    woken_ = false;
  }
  void wake() override {
    MutexLock lock(mu_);
    woken_ = true;
    changed_.notify_all();
  }
  bool supports_watch_list() const override { return false; }
  std::string description() const override { return "pods"; }

 private:
  struct Listing final : ListCall {
    std::optional<Result<ListPage>> poll() override { return ListPage{"10", ""}; }
  };
  static constexpr std::size_t kEvents = 3;
  struct Watching final : WatchCall {
    explicit Watching(Scenario& owner) : scenario(owner) {}
    WatchPoll poll() override {
      // Pauses after each event, so that a stage handles it before the next one comes.
      if (std::exchange(pauses, !pauses)) return WatchPending{};
      const std::size_t step = at++;
      if (step < kEvents) scenario.wake();
      if (step == 0) return WatchOpened{};
      const std::array<WatchEventType, kEvents> types = {
          WatchEventType::added, WatchEventType::modified, WatchEventType::deleted};
      if (step > kEvents) return WatchPending{};
      WatchEvent event;
      event.type = types[step - 1];
      event.object = nettool(std::to_string(10 + step), step == 1 ? "Pending" : "Running");
      event.resource_version = event.object->resource_version();
      return event;
    }
    Clock::Mono last_byte() const override { return scenario.clock_.now(); }
    Scenario& scenario;
    bool pauses = false;
    std::size_t at = 0;
  };

  Clock& clock_;
  Mutex mu_;
  CondVar changed_;
  bool woken_ KINF_GUARDED_BY(mu_) = false;
};

/// Keeps what a stage prints.
class FakeDemo final : public Demo {
 public:
  Clock& clock() override { return clock_; }
  std::stop_token stop() override { return stop_.get_token(); }
  Result<std::unique_ptr<ListerWatcher>> source(std::string_view type) override {
    if (failing_) return fail(ErrorKind::network, "no server");
    asked_.emplace_back(type);
    return std::unique_ptr<ListerWatcher>(std::make_unique<Scenario>(clock_));
  }
  std::string ns() override { return "default"; }
  Clock::Duration resync() override { return {}; }
  std::string listen() override { return {}; }
  QueueKind queue() override { return queue_; }
  void print(const std::string& line) override {
    MutexLock lock(mu_);
    lines_.push_back(line);
    notify_locked();
  }
  void explain(const Place& place, const std::string& what) override {
    (void)what;
    MutexLock lock(mu_);
    files_.emplace_back(place.file);
  }
  std::uint64_t bytes_received() override { return 0; }
  Result<void> patch_pod(const Object& pod, const std::string& patch) override {
    (void)pod;
    (void)patch;
    return {};
  }
  Result<void> delete_pod(const Object& pod) override {
    (void)pod;
    return {};
  }
  Result<void> inject(std::string_view fault) override {
    (void)fault;
    return {};
  }
  bool is_over(const std::string& version) override { return version == Scenario::kLastVersion; }
  void wait_until(const std::function<bool()>& done) override {
    while (!done()) {
      MutexLock lock(mu_);
      while (!notified_) changed_.wait(mu_);
      notified_ = false;
    }
  }
  void on_idle() override {
    MutexLock lock(mu_);
    notify_locked();
  }

  Lines run(Result<void> (*stage)(Demo&)) {
    const Result<void> done = stage(*this);
    if (!done) return {"error: " + done.error().message};
    MutexLock lock(mu_);
    return lines_;
  }
  void set_failing() { failing_ = true; }
  FakeDemo& with(QueueKind queue) {
    queue_ = queue;
    return *this;
  }
  const Lines& asked() const { return asked_; }
  /// Returns the number of explanations that point at `file`.
  std::ptrdiff_t explained(const std::string& file) {
    MutexLock lock(mu_);
    return std::ranges::count(files_, file);
  }

 private:
  void notify_locked() KINF_REQUIRES(mu_) {
    notified_ = true;
    changed_.notify_all();
  }

  test::FakeClock clock_;
  std::stop_source stop_;
  bool failing_ = false;
  QueueKind queue_ = QueueKind::delta;
  Lines asked_;
  Mutex mu_;
  CondVar changed_;
  bool notified_ KINF_GUARDED_BY(mu_) = false;
  Lines lines_ KINF_GUARDED_BY(mu_);
  Lines files_ KINF_GUARDED_BY(mu_);
};

TEST_CASE("the stages that need no server print the queue and the index") {
  CHECK(FakeDemo().run(demo_deltafifo) ==
        Lines{"Added pod1  value: 1", "  the add callback is called", "Updated pod1  value: 1.1",
              "  the update callback is called", "Deleted pod1  value: 1.1",
              "  the delete callback is called"});
  CHECK(FakeDemo().run(demo_index_map) ==
        Lines{"map[app:map[l1:map[ns1---pod1:{}] l2:map[ns2---pod2:{}]]]", "[ns1---pod1] <nil>"});
}

TEST_CASE("a key is queued once, and two deletions in a row are one") {
  CHECK(FakeDemo().run(demo_dedup) ==
        Lines{"add pod0, pod1    pod0: Added,  pod1: Added",
              "update pod0       pod0: Added Updated,  pod1: Added",
              "delete pod1       pod0: Added Updated,  pod1: Added Deleted",
              "pod1 not in list  pod0: Added Updated,  pod1: Added Deleted",
              "pop pod0: Added Updated", "pop pod1: Added Deleted"});
}

TEST_CASE("a queue in order has an entry for each change, and drops no deletion") {
  const Lines lines = FakeDemo().with(QueueKind::in_order).run(demo_dedup);
  CHECK(Lines(lines.end() - 5, lines.end()) == Lines{"pop pod0: Added", "pop pod1: Added",
                                                     "pop pod0: Updated", "pop pod1: Deleted",
                                                     "pop pod1: Deleted"});
  const Lines reflected = FakeDemo().with(QueueKind::in_order).run(demo_reflector);
  CHECK(std::ranges::count(reflected, "Deleted : nettool : Running") == 1);
}

TEST_CASE("a queue has synced when the last object of the first list was popped") {
  const Lines lines = FakeDemo().run(demo_synced);
  REQUIRE(lines.size() == 7);
  CHECK(lines[2] == "watch: add pod2   HasSynced: false  keys: 3");
  CHECK(lines[4] == "pop pod1          HasSynced: true   keys: 1");
  CHECK(lines[6] == "an empty list     HasSynced: true   keys: 0");
}

TEST_CASE("the reflector explains an ignored deletion only after the server has sent one") {
  FakeDemo demo;
  demo.run(demo_reflector);
  CHECK(demo.explained("src/kinf/cache/delta_fifo.cc") == 2);
}

TEST_CASE("the stage shared has two handlers, each of which sees all pods in order") {
  const Lines lines = FakeDemo().run(demo_shared);
  Lines first;
  Lines second;
  for (const std::string& line : lines) {
    (line.starts_with("OnAdd:second") ? second : first).push_back(line);
  }
  CHECK(first == Lines{"OnAdd: pod0", "OnAdd: pod1", "OnAdd: pod2", "OnAdd: pod3"});
  CHECK(second ==
        Lines{"OnAdd:second pod0", "OnAdd:second pod1", "OnAdd:second pod2", "OnAdd:second pod3"});
}

TEST_CASE("the stage listwatch prints the list, then each event with its type") {
  FakeDemo demo;
  CHECK(demo.run(demo_listwatch) == Lines{"web", "ADDED : nettool , Status: Pending",
                                          "MODIFIED : nettool , Status: Running",
                                          "DELETED : nettool , Status: Running"});
  CHECK(demo.asked() == Lines{"pods"});
  CHECK(demo.explained("src/kinf/client/http_lister_watcher.cc") > 0);
}

TEST_CASE("a deletion comes out of the queue only if the queue knows the objects") {
  const Lines unknown = FakeDemo().run(demo_reflector);
  const Lines known = FakeDemo().run(demo_reflector_known);
  const auto deletions = [](const Lines& lines) {
    return std::ranges::count(lines, "Deleted : nettool : Running");
  };
  CHECK(deletions(unknown) == 0);
  CHECK(deletions(known) == 1);
  for (const Lines& lines : {unknown, known}) {
    CHECK(std::ranges::count(lines, "Added : nettool : Pending") == 1);
    CHECK(std::ranges::count(lines, "Updated : nettool : Running") == 1);
  }
}

TEST_CASE("the stage informer prints each callback of its handler") {
  CHECK(FakeDemo().run(demo_informer) ==
        Lines{"OnAdd: web", "OnAdd: nettool", "OnUpdate: nettool", "OnDelete: nettool"});
}

TEST_CASE("the stage shared-listwatch asks once for both handlers") {
  FakeDemo demo;
  const Lines lines = demo.run(demo_shared_listwatch);
  for (const std::string handler : {"", "second"}) {
    for (const std::string& event :
         {"OnAdd:" + handler + " web", "OnAdd:" + handler + " nettool",
          "OnUpdate:" + handler + " nettool", "OnDelete:" + handler + " nettool"}) {
      CAPTURE(event);
      CHECK(std::ranges::count(lines, event) == 1);
    }
  }
  CHECK(demo.asked().size() == 1);
}

TEST_CASE("a stage without a server ends with the error of its source") {
  for (Result<void> (*stage)(Demo&) : {demo_listwatch, demo_reflector, demo_reflector_known,
                                       demo_informer, demo_shared_listwatch, demo_workqueue}) {
    FakeDemo demo;
    demo.set_failing();
    CHECK(demo.run(stage) == Lines{"error: no server"});
  }
}

TEST_CASE("the answers say of each end of a watch what the list of stages says") {
  for (const std::string_view name : {"broken-watch", "short-watch", "gone", "stalled-watch"}) {
    CAPTURE(name);
    const DemoStage& stage = *find_stage(name);
    for (const std::string_view rule : {"lists again", "watches again"}) {
      CHECK(stage.summary.contains(rule) == stage.answer.contains(rule));
    }
  }
}

TEST_CASE("the phase of an object is empty if it has none") {
  CHECK(phase_of(*nettool("1", "Pending")) == "Pending");
  CHECK(phase_of(*object_from(R"({"metadata":{"name":"x"}})")).empty());
}

}  // namespace
}  // namespace kinf
