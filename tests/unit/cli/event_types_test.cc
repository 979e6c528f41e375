// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/event_types.h"

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
    CHECK(updates->contains(ChangeType::resync));
    CHECK_FALSE(updates->contains(ChangeType::added));
  }
}

TEST_CASE("--events refuses other words, resyncs and an empty list") {
  CHECK(EventTypes::parse("added,gone").error().message ==
        "it must be a list of added, updated and deleted");
  CHECK(EventTypes::parse("").error().kind == ErrorKind::usage);
  CHECK(EventTypes::parse("resync").error().message.starts_with("resync needs --resync"));
}

}  // namespace
}  // namespace kinf
