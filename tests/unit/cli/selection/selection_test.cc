// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/selection/selection.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "fakes/change_builder.h"
#include "fakes/fake_clock.h"
#include "fakes/object_builder.h"
#include "fakes/recording_handler.h"

namespace kinf {
namespace {

using test::make_labelled;
using test::make_object;
using test::RecordingHandler;
using Texts = std::vector<std::string>;

ObjectPtr web(const std::string& version) { return make_labelled("a", "app", "web", version); }
ObjectPtr other(const std::string& version) { return make_labelled("a", "app", "db", version); }

Change initial(ObjectPtr object) {
  Change change = test::make_added(std::move(object));
  change.initial = true;
  change.origin.source = ChangeSource::list;
  return change;
}

/// Keeps the last change as it was passed on.
class LastChange final : public RecordingHandler {
 public:
  void on_delete(const Change& change) override {
    last = change;
    RecordingHandler::on_delete(change);
  }
  void on_add(const Change& change) override {
    last = change;
    RecordingHandler::on_add(change);
  }
  Change last;
};

Selection only_web() {
  Selection selection;
  selection.add([](const Object& object, const Object*) { return object.label("app") == "web"; });
  return selection;
}

TEST_CASE("an object that begins to match is added, one that ceases to match is deleted") {
  const Selection selection = only_web();
  LastChange inner;
  SelectingHandler handler(selection, inner);
  const auto update = [&](ObjectPtr before, ObjectPtr now) {
    handler.handle(test::make_updated(std::move(before), std::move(now)));
    return inner.take();
  };
  handler.handle(test::make_added(other("1")));
  CHECK(inner.take().empty());
  CHECK(update(other("1"), web("2")) == Texts{"ADDED a@2"});
  CHECK(inner.last.old == nullptr);
  CHECK(update(web("2"), web("3")) == Texts{"MODIFIED a@2->3"});
  CHECK(update(web("3"), other("4")) == Texts{"DELETED a@4"});
  REQUIRE(inner.last.old);
  CHECK(inner.last.old->resource_version() == "3");
  CHECK(inner.last.type == ChangeType::deleted);
  CHECK(update(other("4"), other("5")).empty());
}

TEST_CASE("the deletion of an object passes if the object was selected, whatever its last state") {
  const Selection selection = only_web();
  RecordingHandler inner;
  SelectingHandler handler(selection, inner);
  handler.handle(test::make_added(web("1")));
  inner.take();
  handler.handle(test::make_lost("default/a", other("7")));
  CHECK(inner.take() == Texts{"DELETED a@7 unknown (relist)"});
  handler.handle(test::make_lost("default/a", web("8")));
  CHECK(inner.take().empty());
}

TEST_CASE("a condition can read the previous state, and its last answer counts") {
  Selection selection;
  selection.add([](const Object& object, const Object* old) {
    return old != nullptr && old->label("app") != object.label("app");
  });
  RecordingHandler inner;
  SelectingHandler handler(selection, inner);
  handler.handle(test::make_added(web("1")));
  CHECK(inner.take().empty());
  handler.handle(test::make_updated(web("1"), other("2")));
  CHECK(inner.take() == Texts{"ADDED a@2"});
  handler.handle(test::make_updated(other("2"), other("3")));
  CHECK(inner.take() == Texts{"DELETED a@3"});
}

TEST_CASE("a resync passes if the object is selected, and is not checked again") {
  Selection selection;
  int checks = 0;
  selection.add([&](const Object& object, const Object*) {
    ++checks;
    return object.label("app") == "web";
  });
  RecordingHandler inner;
  SelectingHandler handler(selection, inner);
  handler.handle(test::make_added(web("1")));
  inner.take();
  Change resync = test::make_updated(web("1"), web("1"));
  resync.type = ChangeType::resync;
  handler.handle(resync);
  CHECK(inner.take().size() == 1);
  CHECK(checks == 1);
  handler.handle(test::make_deleted(web("1")));
  handler.handle(test::make_added(other("2")));
  inner.take();
  handler.handle(resync);
  CHECK(inner.take().empty());
}

TEST_CASE("an object is recreated only if the deletion of the earlier one was passed on") {
  const Selection selection = only_web();
  RecordingHandler inner;
  SelectingHandler handler(selection, inner);
  Change recreated = test::make_added(web("3"));
  recreated.recreated = true;
  handler.handle(test::make_added(other("1")));
  handler.handle(test::make_deleted(other("1")));
  handler.handle(recreated);
  CHECK(inner.take() == Texts{"ADDED a@3"});
  handler.handle(test::make_deleted(web("3")));
  handler.handle(recreated);
  CHECK(inner.take() == Texts{"DELETED a@3", "ADDED a@3 recreated"});
}

TEST_CASE("with memberships, the initial list waits for the first refresh") {
  Selection selection;
  std::set<std::string, std::less<>> members = {"a"};
  selection.add_membership([&](const Object& object) { return members.contains(object.name()); });
  LastChange inner;
  SelectingHandler handler(selection, inner);
  const Clock::Wall now{std::chrono::seconds(7)};
  handler.handle(initial(make_object("a", "1")));
  handler.handle(initial(make_object("b", "1")));
  handler.on_synced({"5", 2});
  handler.handle(test::make_updated(make_object("a", "1"), make_object("a", "2")));
  CHECK(inner.take().empty());
  handler.refresh(now);
  CHECK(inner.take() == Texts{"ADDED a@1 initial", "MODIFIED a@1->2", "SYNCED 2"});
  CHECK(inner.idles() == 1);
  // An object joins and leaves although it did not change.
  members = {"b"};
  handler.refresh(now);
  CHECK(inner.last.origin.arrived == now);
  CHECK_FALSE(inner.last.initial);
  const Texts moved = inner.take();
  CHECK(std::set<std::string>(moved.begin(), moved.end()) ==
        std::set<std::string>{"DELETED a@2", "ADDED b@1"});
  handler.refresh(now);
  CHECK(inner.take().empty());
  handler.handle(test::make_updated(make_object("a", "2"), make_object("a", "3")));
  CHECK(inner.take().empty());
  handler.handle(test::make_updated(make_object("b", "1"), make_object("b", "2")));
  CHECK(inner.take() == Texts{"MODIFIED b@1->2"});
}

TEST_CASE("on_synced and on_idle pass") {
  const Selection selection = only_web();
  RecordingHandler inner;
  SelectingHandler handler(selection, inner);
  handler.on_synced({"5", 3});
  handler.on_idle();
  CHECK(inner.take() == Texts{"SYNCED 3"});
  CHECK(inner.idles() == 1);
}

TEST_CASE("a known object that was selected is deleted when it ceases to match") {
  const Selection selection = only_web();
  RecordingHandler inner;
  SelectingHandler handler(selection, inner);
  handler.on_known(initial(web("1")));
  handler.on_known(initial(make_labelled("b", "app", "db", "1")));
  CHECK(inner.take() == Texts{"KNOWN a@1"});
  handler.handle(test::make_updated(web("1"), other("2")));
  CHECK(inner.take() == Texts{"DELETED a@2"});
  handler.handle(test::make_updated(make_labelled("b", "app", "db", "1"),
                                    make_labelled("b", "app", "web", "2")));
  CHECK(inner.take() == Texts{"ADDED b@2"});
}

/// A selection of objects by their label `app`: `db` starts at once, `web` a minute after it was
/// first seen or created, others never.
class Started {
 public:
  Started() {
    selection.set_start(
        [this](const Object& object, Clock::Wall seen) -> std::optional<Clock::Wall> {
          if (object.label("app") == "db") return Clock::Wall::min();
          if (object.label("app") != "web") return std::nullopt;
          return std::max(seen, created) + std::chrono::minutes(1);
        },
        clock, [this] { ++woken; });
  }
  Texts take(const Change& change) {
    Change now = change;
    now.origin.arrived = clock.wall();
    handler.handle(now);
    return inner.take();
  }
  Texts refresh() {
    handler.refresh(clock.wall());
    Texts texts = inner.take();
    std::erase_if(texts, [](const std::string& text) { return text.contains("idle"); });
    return texts;
  }

  test::FakeClock clock;
  Clock::Wall created = clock.wall();
  int woken = 0;
  RecordingHandler inner;
  Selection selection;
  SelectingHandler handler{selection, inner};
};

ObjectPtr fine(const std::string& version) { return make_labelled("a", "app", "ok", version); }

TEST_CASE("an object is added when its start comes, without a change") {
  Started started;
  CHECK(started.take(initial(web("1"))).empty());
  CHECK(started.handler.due() == Clock::Wall::max());  // the initial list is not complete
  started.handler.on_synced({});
  started.inner.take();
  CHECK(started.woken == 1);
  CHECK(started.handler.due() == started.clock.wall() + std::chrono::minutes(1));
  CHECK(started.refresh().empty());
  started.clock.advance(std::chrono::minutes(1));
  CHECK(started.refresh() == Texts{"ADDED a@1"});
  CHECK(started.handler.due() == Clock::Wall::max());
  CHECK(started.take(test::make_updated(web("1"), fine("2"))) == Texts{"DELETED a@2"});
}

TEST_CASE("a state that was fine starts anew, a selected one stays until it is fine") {
  Started started;
  started.created -= std::chrono::hours(1);
  CHECK(started.take(initial(fine("1"))).empty());
  started.handler.on_synced({});
  started.inner.take();
  CHECK(started.take(test::make_updated(fine("1"), web("2"))).empty());
  started.clock.advance(std::chrono::seconds(30));
  CHECK(started.take(test::make_updated(web("2"), web("3"))).empty());
  started.clock.advance(std::chrono::seconds(30));
  // A change of any object brings the time with it.
  CHECK(started.take(test::make_added(make_labelled("b", "app", "ok", "4"))) == Texts{"ADDED a@3"});
  CHECK(started.take(test::make_updated(web("3"), other("5"))) == Texts{"MODIFIED a@3->5"});
  started.created = started.clock.wall();
  CHECK(started.take(test::make_updated(other("5"), web("6"))) == Texts{"MODIFIED a@5->6"});
  CHECK(started.take(test::make_updated(web("6"), fine("7"))) == Texts{"DELETED a@7"});
}

TEST_CASE("an object of an earlier run that starts only later is added") {
  Started started;
  started.handler.on_known(initial(web("1")));
  started.handler.on_known(initial(make_labelled("b", "app", "db", "2")));
  started.inner.take();
  started.handler.on_synced({});
  started.inner.take();
  CHECK(started.refresh().empty());
  started.clock.advance(std::chrono::minutes(1));
  CHECK(started.refresh() == Texts{"ADDED a@1"});
}

}  // namespace
}  // namespace kinf
