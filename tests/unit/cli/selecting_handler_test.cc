// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/selecting_handler.h"

#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <vector>

#include "fakes/change_builder.h"
#include "fakes/object_builder.h"
#include "fakes/recording_handler.h"

namespace kinf {
namespace {

using test::make_labelled;
using test::RecordingHandler;
using Texts = std::vector<std::string>;

bool is_web(const Object& object, const Object*) { return object.label("app") == "web"; }
ObjectPtr web(const std::string& version) { return make_labelled("a", "app", "web", version); }
ObjectPtr other(const std::string& version) { return make_labelled("a", "app", "db", version); }

/// Keeps the last deletion.
class LastDeletion final : public EventHandler {
 public:
  void on_add(const Change&) override {}
  void on_update(const Change&) override {}
  void on_delete(const Change& change) override { last = change; }
  std::optional<Change> last;
};

TEST_CASE("an object that enters the selection is added, one that leaves it is deleted") {
  RecordingHandler inner;
  SelectingHandler selecting(is_web, inner);
  selecting.handle(test::make_added(other("1")));
  selecting.handle(test::make_updated(other("1"), other("2")));
  CHECK(inner.take().empty());
  selecting.handle(test::make_updated(other("2"), web("3")));
  CHECK(inner.take() == Texts{"ADDED a@3"});
  selecting.handle(test::make_updated(web("3"), web("4")));
  CHECK(inner.take() == Texts{"MODIFIED a@3->4"});
  selecting.handle(test::make_updated(web("4"), other("5")));
  CHECK(inner.take() == Texts{"DELETED a@5"});
  selecting.handle(test::make_deleted(other("6")));
  CHECK(inner.take().empty());
}

TEST_CASE("the deletion of an object that left has the last state that matched") {
  LastDeletion inner;
  SelectingHandler selecting(is_web, inner);
  selecting.handle(test::make_added(web("1")));
  selecting.handle(test::make_updated(web("1"), other("2")));
  REQUIRE(inner.last);
  CHECK(inner.last->object->resource_version() == "2");
  CHECK(inner.last->old->resource_version() == "1");
}

TEST_CASE("a selected object that is deleted is reported, whatever its last state") {
  RecordingHandler inner;
  SelectingHandler selecting(is_web, inner);
  selecting.handle(test::make_added(web("1")));
  selecting.handle(test::make_deleted(other("2")));
  selecting.handle(test::make_deleted(web("3")));
  selecting.handle(test::make_lost("default/b", nullptr));
  CHECK(inner.take() == Texts{"ADDED a@1", "DELETED a@2"});
}

TEST_CASE("a selection that depends on the previous state remembers its objects") {
  RecordingHandler inner;
  SelectingHandler selecting(
      [](const Object& object, const Object* old) {
        return old != nullptr && object.label("app") != old->label("app");
      },
      inner);
  selecting.handle(test::make_added(web("1")));
  selecting.handle(test::make_updated(web("1"), other("2")));
  selecting.handle(test::make_updated(other("2"), web("3")));
  selecting.handle(test::make_updated(web("3"), web("4")));
  CHECK(inner.take() == Texts{"ADDED a@2", "MODIFIED a@2->3", "DELETED a@4"});
}

TEST_CASE("a resync passes for selected objects and selects nothing anew") {
  RecordingHandler inner;
  SelectingHandler selecting([](const Object&, const Object* old) { return old == nullptr; },
                             inner);
  Change resync = test::make_updated(web("1"), web("1"));
  resync.type = ChangeType::resync;
  selecting.handle(resync);
  CHECK(inner.take().empty());
  selecting.handle(test::make_added(web("1")));
  selecting.handle(resync);
  CHECK(inner.take() == Texts{"ADDED a@1", "MODIFIED a@1->1"});
}

TEST_CASE("an object is recreated only if its deletion was reported") {
  RecordingHandler inner;
  SelectingHandler selecting(is_web, inner);
  Change again = test::make_added(web("3"));
  again.recreated = true;
  selecting.handle(test::make_added(other("1")));
  selecting.handle(test::make_lost("default/a", other("1")));
  selecting.handle(again);
  CHECK(inner.take() == Texts{"ADDED a@3"});
  selecting.handle(test::make_lost("default/a", web("3")));
  selecting.handle(again);
  CHECK(inner.take() == Texts{"DELETED a@3 unknown (relist)", "ADDED a@3 recreated"});
}

TEST_CASE("on_synced and on_idle pass") {
  RecordingHandler inner;
  SelectingHandler selecting(is_web, inner);
  selecting.on_synced({"5", 3});
  selecting.on_idle();
  CHECK(inner.take() == Texts{"SYNCED 3"});
  CHECK(inner.idles() == 1);
}

}  // namespace
}  // namespace kinf
