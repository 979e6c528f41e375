// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/flags/until.h"

#include <doctest/doctest.h>

#include "fakes/change_builder.h"
#include "fakes/object_builder.h"
#include "kinf/base/log.h"
#include "unit/print/sample_objects.h"

namespace kinf {
namespace {

bool holds(const std::string& text, const Change& change) {
  const Result<std::shared_ptr<Until>> until = Until::parse(text);
  REQUIRE(until);
  const Result<bool> found = (*until)->holds(test::kPods, change, {});
  REQUIRE(found);
  return *found;
}

const Change kAdded = test::make_added(test::make_object("web", "1"));
const Change kUpdated =
    test::make_updated(test::make_object("web", "1"), test::make_object("web", "2"));
const Change kDeleted = test::make_deleted(test::make_object("web", "3"));

TEST_CASE("create and delete hold for additions and deletions") {
  CHECK(holds("create", kAdded));
  CHECK_FALSE(holds("create", kUpdated));
  CHECK_FALSE(holds("create", kDeleted));
  CHECK(holds("delete", kDeleted));
  CHECK_FALSE(holds("delete", kAdded));
}

TEST_CASE("a condition on the object does not hold for a deleted one") {
  CHECK(holds("jsonpath=.metadata.name=web", kUpdated));
  CHECK_FALSE(holds("jsonpath=.metadata.name=web", kDeleted));
  CHECK(holds("jq=.metadata.name == \"web\"", kAdded));
}

TEST_CASE("anything else is a jq expression on the event") {
  CHECK(holds(".type == \"MODIFIED\" and .key == \"default/web\"", kUpdated));
  CHECK(holds(".old.metadata.name == \"web\"", kUpdated));
  CHECK_FALSE(holds(".type == \"MODIFIED\"", kAdded));
}

TEST_CASE("only what is read needs the document") {
  for (const char* text : {"create", "delete"})
    CHECK_FALSE((*Until::parse(text))->needs_document());
  for (const char* text : {"condition=Ready", "jq=.a", ".type"}) {
    CHECK((*Until::parse(text))->needs_document());
  }
}

TEST_CASE("it is known what is read: a status, or the event") {
  CHECK((*Until::parse("condition=Ready"))->needs_status());
  CHECK_FALSE((*Until::parse("jsonpath=.metadata.name"))->needs_status());
  CHECK((*Until::parse(".type"))->reads_event());
  CHECK_FALSE((*Until::parse("jq=.a"))->reads_event());
}

TEST_CASE("a failure is logged once and does not hold") {
  std::vector<std::string> lines;
  log::set_sink([&](std::string_view line) { lines.emplace_back(line); });
  const Result<std::shared_ptr<Until>> until = Until::parse(".key.first");
  REQUIRE(until);
  CHECK_FALSE(*(*until)->holds(test::kPods, kAdded, {}));
  CHECK_FALSE(*(*until)->holds(test::kPods, kUpdated, {}));
  log::set_sink({});
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].find("--until: pods default/web: jq: Cannot index") != std::string::npos);
}

TEST_CASE("errors name the flag") {
  CHECK(Until::parse("condition=").error().message.starts_with("--until: "));
  CHECK(Until::parse(".type == x").error().message == "--until: jq: x/0 is not defined");
}

}  // namespace
}  // namespace kinf
