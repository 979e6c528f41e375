// SPDX-License-Identifier: Apache-2.0
#include "kinf/recording/resumed_source.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <fstream>

#include "fakes/manual_source.h"
#include "fakes/status_error.h"
#include "kinf/informer/informer_observer.h"
#include "kinf/recording/recorder.h"
#include "kinf/testing/fake_source.h"
#include "unit/recording/recording_rig.h"

namespace kinf::test {
namespace {

using Lines = std::vector<std::string>;

/// Returns whether a process holds a lock of SQLite on a file.
bool has_lock(const std::string& path) {
  struct stat info{};
  REQUIRE(::stat(path.c_str(), &info) == 0);
  const std::string inode = fmt::format(":{} ", info.st_ino);
  std::ifstream locks("/proc/locks");
  for (std::string line; std::getline(locks, line);) {
    if (line.find("POSIX") != std::string::npos && line.find(inode) != std::string::npos)
      return true;
  }
  return false;
}

/// One session of `kinf record`: a recorder, and an informer whose requests the test answers.
class RecordSession {
 public:
  explicit RecordSession(RecordingRig& rig, bool is_ordered = true)
      : rig_(rig), recorder_(rig.open(), rig.clock, [](const Error&) {}) {
    RecordedScope pods{pod_type(), "", "", "", ""};
    pods.is_ordered = is_ordered;
    const std::size_t scope = recorder_.add_scope(std::move(pods)).value();
    earlier = recorder_.resume(scope, {}).value();
    auto manual = std::make_unique<ManualSource>(rig.clock);
    manual->set_tells_version(true);
    source = manual.get();
    std::unique_ptr<ListerWatcher> listed = std::move(manual);
    if (earlier.can_resume()) {
      listed = std::make_unique<ResumedSource>(std::move(listed), earlier.objects,
                                               earlier.resume_version);
    }
    observer_.recorder = &recorder_;
    InformerOptions options;
    options.seed = 1;
    informer_.emplace(std::move(listed), rig.clock, std::move(options), &observer_);
    if (earlier.can_resume()) informer_->restore(earlier.objects, true).value();
    HandlerOptions direct;
    direct.delivery = Delivery::direct;
    registration_ =
        informer_->add_event_handler(recorder_.handler(scope, &handler), direct).value();
    recorder_.start();
    informer_->begin().value();
    settle();
  }
  ~RecordSession() {
    informer_->finish();
    recorder_.finish();
  }
  RecordSession(const RecordSession&) = delete;
  RecordSession& operator=(const RecordSession&) = delete;

  void settle() { testing::settle(*informer_); }
  void advance(Clock::Duration by) { testing::advance(*informer_, rig_.clock, by); }
  /// Accepts the watch, which is the first request, and makes it the pending one again.
  void accept_watch() {
    source->answer_watch();
    settle();
    CHECK(source->choose(0));
  }
  void send(WatchEventType type, ObjectPtr object) {
    source->send(type, std::move(object));
    settle();
  }
  /// The requests so far: `list`, `watch 10`, `newest`.
  Lines asked() const {
    Lines texts;
    for (const AskedRequest& one : source->asked()) {
      texts.push_back(one.is_watch             ? "watch " + one.options.resource_version
                      : one.options.limit == 1 ? "newest"
                                               : "list");
    }
    return texts;
  }
  RecordingTotals totals() {
    recorder_.finish();
    return recorder_.totals();
  }

  EarlierState earlier;
  ManualSource* source = nullptr;
  RecordingHandler handler;

 private:
  struct Observer : InformerObserver {
    void on_relisting(const Relisted& list) override {
      recorder->relisted(0, {list.watched_until, list.arrived, list.reason});
    }
    void on_delivered(const Delivered& delivered) override {
      recorder->heard(0, delivered.arrived, delivered.resource_version);
    }
    Recorder* recorder = nullptr;
  };

  RecordingRig& rig_;
  Recorder recorder_;
  Observer observer_;
  std::optional<SharedInformer> informer_;
  HandlerRegistration registration_;
};

/// Records the pod `a` at version 12, and a bookmark of version 20.
void record_first(RecordingRig& rig) {
  RecordSession session(rig);
  CHECK(session.earlier.resume_version.empty());
  session.source->answer_list({recorded_pod("a", "9")}, "10");
  session.settle();
  session.source->answer_watch();
  session.send(WatchEventType::modified, recorded_pod("a", "12"));
  session.source->send_bookmark("20");
  session.settle();
}

TEST_CASE(
    "A session that goes on keeps the locks of SQLite, so that no other program moves its log") {
  RecordingRig rig;
  {
    const auto writer = rig.open();
    rig.list(*writer, rig.add_pods(*writer), {recorded_pod("a", "1")});
  }
  Recorder recorder(rig.open(), rig.clock, [](const Error&) {});
  const std::size_t scope = recorder.add_scope({pod_type(), "", "", "", ""}).value();
  CHECK(has_lock(rig.path));
  CHECK(recorder.resume(scope, {}).value().objects.size() == 1);
  CHECK(has_lock(rig.path));
  rig.clock.advance(std::chrono::seconds(10));
  recorder.step();  // commits, and closes what it has read the objects from
  CHECK(has_lock(rig.path));
}

TEST_CASE("A recorder that starts again continues the watch, without a list or a gap") {
  RecordingRig rig;
  record_first(rig);
  for (int start = 0; start < 2; ++start) {
    rig.clock.advance(std::chrono::minutes(1));
    RecordSession session(rig);
    CHECK(session.asked() == Lines{"watch 20"});
    CHECK(session.handler.take() == Lines{"KNOWN a@12", "SYNCED 1"});
    CHECK(session.totals().gaps == 0);
  }
  {
    RecordSession session(rig);
    session.accept_watch();
    session.send(WatchEventType::added, recorded_pod("b", "21", "{}", "u2"));
    session.send(WatchEventType::deleted, recorded_pod("a", "22"));
    CHECK(session.handler.take() == Lines{"KNOWN a@12", "SYNCED 1", "ADDED b@21", "DELETED a@22"});
    CHECK(session.totals().gaps == 0);
  }
  CHECK(RecordSession(rig).asked() == Lines{"watch 22"});
  CHECK(rig.read()->gaps().value().empty());
  CHECK(rig.play() ==
        Lines{"ADDED a@9 initial", "SYNCED 1", "MODIFIED a@9->12", "ADDED b@21", "DELETED a@22"});
}

TEST_CASE(
    "A recorder whose version the server has dropped lists, and the gap begins with the last "
    "session") {
  RecordingRig rig;
  record_first(rig);
  const Clock::Wall watched = rig.clock.wall();
  rig.clock.advance(std::chrono::minutes(1));
  {
    RecordSession session(rig);
    session.source->answer_error(status_error(410, "Expired"));
    session.advance(std::chrono::minutes(1));
    CHECK(session.asked() == Lines{"watch 20", "list"});
    session.source->answer_list({recorded_pod("a", "30")}, "40");
    session.settle();
    CHECK(session.totals().gaps == 1);
  }
  const auto gaps = rig.read()->gaps().value();
  REQUIRE(gaps.size() == 1);
  CHECK((gaps[0].begin == watched));
  CHECK((gaps[0].end == rig.clock.wall()));
  CHECK(RecordSession(rig).asked() == Lines{"watch 40"});
}

TEST_CASE("A version from before a list is not used after it") {
  RecordingRig rig;
  {
    const auto writer = rig.open();
    const std::size_t pods = rig.add_pods(*writer);
    rig.list(*writer, pods, {recorded_pod("a", "9")});  // version 100
    writer->relisted(pods, {rig.clock.wall(), rig.clock.wall(), "expired"}).value();
    writer->commit(rig.clock.wall()).value();  // killed before the changes of the list
  }
  const auto writer = rig.open();
  CHECK_FALSE(writer->resume(rig.add_pods(*writer), {}).value().can_resume());
}

TEST_CASE("A session that ended within its first list is followed by a list") {
  RecordingRig rig;
  record_first(rig);
  {
    const auto writer = rig.open();  // lists, as `kinf watch --record` does
    rig.add_pods(*writer);
    writer->commit(rig.clock.wall()).value();
  }
  const auto writer = rig.open();
  CHECK_FALSE(writer->resume(rig.add_pods(*writer), {}).value().can_resume());
}

TEST_CASE("A session that was killed before it synced leaves the version of the session before") {
  RecordingRig rig;
  record_first(rig);
  {
    const auto writer = rig.open();
    CHECK(writer->resume(rig.add_pods(*writer), {}).value().can_resume());
    writer->commit(rig.clock.wall()).value();
  }
  const auto writer = rig.open();
  CHECK(writer->resume(rig.add_pods(*writer), {}).value().resume_version == "20");
}

TEST_CASE("The version of a change counts only if the changes are in order") {
  for (const bool is_ordered : {true, false}) {
    CAPTURE(is_ordered);
    RecordingRig rig;
    {
      const auto writer = rig.open();
      RecordedScope pods{pod_type(), "", "", "", ""};
      pods.is_ordered = is_ordered;
      const std::size_t scope = writer->add_scope(pods).value();
      rig.list(*writer, scope, {recorded_pod("a", "9")});  // version 100
      rig.watch(*writer, scope, make_updated(recorded_pod("a", "9"), recorded_pod("a", "101")));
    }
    const auto writer = rig.open();
    const EarlierState earlier = writer->resume(rig.add_pods(*writer), {}).value();
    CHECK(earlier.resume_version == (is_ordered ? "101" : "100"));
    CHECK(earlier.objects.size() == 1);
  }
}

TEST_CASE("A server that went back while kinf was stopped is noticed") {
  RecordingRig rig;
  record_first(rig);
  RecordSession session(rig);
  session.source->answer_watch();
  session.settle();
  CHECK(session.asked() == Lines{"watch 20", "newest"});
  session.source->answer_list({recorded_pod("a", "5")}, "15");
  session.advance(std::chrono::seconds(1));
  CHECK(session.asked() == Lines{"watch 20", "newest", "list"});
}

}  // namespace
}  // namespace kinf::test
