// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/flags/event_types.h"

#include <doctest/doctest.h>

namespace kinf {
namespace {

TEST_CASE("--events takes kinf's words and those of the API, in any case") {
  const Result<EventTypes> some = EventTypes::parse("ADDED,deleted");
  REQUIRE(some);
  CHECK(some->contains(ChangeType::added));
  CHECK(some->contains(ChangeType::deleted));
  CHECK_FALSE(some->contains(ChangeType::updated));
  for (const char* text : {"updated", "MODIFIED", "Modified"}) {
    const Result<EventTypes> updates = EventTypes::parse(text);
    REQUIRE(updates);
    CHECK(updates->contains(ChangeType::updated));
    CHECK_FALSE(updates->contains(ChangeType::resync));
    CHECK_FALSE(updates->contains(ChangeType::added));
  }
}

TEST_CASE("--events takes resyncs alone or with other events") {
  const Result<EventTypes> alone = EventTypes::parse("resync");
  REQUIRE(alone);
  CHECK(alone->contains(ChangeType::resync));
  CHECK_FALSE(alone->contains(ChangeType::updated));
  CHECK(EventTypes::parse("updated,Resync")->contains(ChangeType::resync));
}

TEST_CASE("--events refuses other words and an empty list") {
  CHECK(EventTypes::parse("added,gone").error().message ==
        "it must be a list of added, updated, deleted and resync");
  CHECK(EventTypes::parse("").error().kind == ErrorKind::usage);
}

}  // namespace
}  // namespace kinf
