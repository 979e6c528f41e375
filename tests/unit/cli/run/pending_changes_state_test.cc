// SPDX-License-Identifier: Apache-2.0
// Tests which state PendingChanges keeps for an object, and when it drops it.
#include <doctest/doctest.h>

#include "fakes/change_builder.h"
#include "kinf/cli/run/pending_changes.h"
#include "unit/cli/run/web_pod.h"

namespace kinf {
namespace {

using test::kWeb;
using test::make_added;
using test::make_deleted;
using test::make_updated;
using test::web_pod;

/// Delivers the next change with this result. Returns false if there is none.
bool run(PendingChanges& pending, bool succeeds) {
  const std::optional<Change> change = pending.next(kWeb);
  if (!change) return false;
  pending.started(kWeb, *change);
  if (succeeds) pending.succeeded(kWeb, *change);
  return true;
}

TEST_CASE("two changes are the same if they lead to the same state of the same object") {
  const Change added = make_added(web_pod("1"));
  CHECK(is_same(added, make_added(web_pod("1"))));
  CHECK_FALSE(is_same(added, make_added(web_pod("2"))));
  CHECK_FALSE(is_same(added, make_added(web_pod("1", "u2"))));
  CHECK_FALSE(is_same(added, make_deleted(web_pod("1"))));
}

TEST_CASE("keys of different types or names are different objects") {
  const ResourceType pods;
  const ResourceType services;
  const RunKey pod{&pods, "default/web"};
  const RunKey service{&services, "default/web"};
  CHECK_FALSE(pod == service);
  PendingChanges pending;
  pending.changed(pod, make_added(web_pod("1")));
  CHECK(pending.next(pod).has_value());
  CHECK_FALSE(pending.next(service).has_value());
  CHECK_FALSE(pending.next({&pods, "default/other"}).has_value());
}

TEST_CASE("an object is kept while it exists and forgotten once its deletion is delivered") {
  PendingChanges pending;
  CHECK(pending.size() == 0);
  pending.changed(kWeb, make_added(web_pod("1")));
  CHECK(run(pending, true));
  CHECK_FALSE(run(pending, true));
  CHECK(pending.size() == 1);
  pending.changed(kWeb, make_deleted(web_pod("2")));
  CHECK(pending.size() == 1);
  CHECK(run(pending, true));
  CHECK(pending.size() == 0);
}

TEST_CASE("an object that was never delivered is forgotten when it is deleted") {
  PendingChanges pending;
  pending.changed(kWeb, make_added(web_pod("1")));
  pending.changed(kWeb, make_deleted(web_pod("1")));
  CHECK(pending.size() == 0);
}

TEST_CASE("a deletion that is given up is forgotten with its object") {
  PendingChanges pending;
  pending.changed(kWeb, make_added(web_pod("1")));
  CHECK(run(pending, true));
  pending.changed(kWeb, make_deleted(web_pod("2")));
  const Change deletion = pending.next(kWeb).value();
  CHECK(deletion.type == ChangeType::deleted);
  pending.given_up(kWeb, deletion);
  CHECK_FALSE(pending.next(kWeb).has_value());
  CHECK(pending.size() == 0);
}

TEST_CASE("a change that is given up stays with its object until the object changes") {
  PendingChanges pending;
  pending.changed(kWeb, make_added(web_pod("1")));
  pending.given_up(kWeb, pending.next(kWeb).value());
  CHECK_FALSE(pending.next(kWeb).has_value());
  CHECK(pending.size() == 1);
  pending.changed(kWeb, make_updated(web_pod("1"), web_pod("2")));
  CHECK(pending.next(kWeb)->type == ChangeType::added);
}

TEST_CASE("after a failed run the next run is for the newest state") {
  PendingChanges pending;
  pending.changed(kWeb, make_added(web_pod("1")));
  CHECK(run(pending, false));
  pending.changed(kWeb, make_updated(web_pod("1"), web_pod("2")));
  const Change again = pending.next(kWeb).value();
  CHECK(again.type == ChangeType::added);
  CHECK(again.object->resource_version() == "2");
  CHECK_FALSE(again.old);
}

TEST_CASE("a deletion without the last state is delivered with the last known state") {
  PendingChanges pending;
  pending.changed(kWeb, make_added(web_pod("1")));
  CHECK(run(pending, true));
  pending.changed(kWeb, test::make_lost("default/web", nullptr));
  const Change deletion = pending.next(kWeb).value();
  CHECK(deletion.final_state_unknown);
  REQUIRE(deletion.object);
  CHECK(deletion.object->resource_version() == "1");
}

TEST_CASE("a resync delivers what was given up again, and nothing else") {
  const ChangeOrigin resync{.source = ChangeSource::resync, .arrived = {}, .round = 1};
  PendingChanges pending;
  CHECK_FALSE(pending.retry_given_up(kWeb, resync));
  pending.set_delivered(kWeb, make_added(web_pod("1")));
  CHECK_FALSE(pending.retry_given_up(kWeb, resync));
  CHECK_FALSE(pending.next(kWeb).has_value());

  pending.changed(kWeb, make_updated(web_pod("1"), web_pod("2")));
  pending.given_up(kWeb, pending.next(kWeb).value());
  CHECK_FALSE(pending.next(kWeb).has_value());
  CHECK(pending.retry_given_up(kWeb, resync));
  const Change again = pending.next(kWeb).value();
  CHECK(again.type == ChangeType::updated);
  CHECK(again.origin.source == ChangeSource::resync);
  CHECK(again.old->resource_version() == "1");
  CHECK_FALSE(pending.retry_given_up(kWeb, resync));

  pending.given_up(kWeb, again);
  pending.changed(kWeb, make_deleted(web_pod("2")));
  CHECK_FALSE(pending.retry_given_up(kWeb, resync));
}

TEST_CASE("an identical recreated object is delivered as deleted, then as added") {
  PendingChanges pending;
  pending.set_delivered(kWeb, make_added(web_pod("1")));
  pending.changed(kWeb, make_deleted(web_pod("2")));
  pending.changed(kWeb, make_added(web_pod("3", "u2")));
  CHECK(pending.next(kWeb)->type == ChangeType::deleted);
  CHECK(run(pending, true));
  const Change added = pending.next(kWeb).value();
  CHECK(added.type == ChangeType::added);
  CHECK(added.recreated);
  CHECK_FALSE(added.old);
}

TEST_CASE("whether a change matters is decided against the last delivered state") {
  std::vector<std::string> compared;
  PendingChanges pending([&](const Object& old_object, const Object& object) {
    compared.push_back(std::string(old_object.resource_version()) + " " +
                       std::string(object.resource_version()));
    return object.resource_version() == "4";
  });
  pending.changed(kWeb, make_added(web_pod("1")));
  CHECK(run(pending, true));
  for (const char* version : {"2", "3"}) {
    pending.changed(kWeb, make_updated(nullptr, web_pod(version)));
    CHECK_FALSE(run(pending, true));
  }
  pending.changed(kWeb, make_updated(nullptr, web_pod("4")));
  CHECK(run(pending, true));
  CHECK(compared == std::vector<std::string>{"1 2", "1 3", "1 4"});
}

}  // namespace
}  // namespace kinf
