// SPDX-License-Identifier: Apache-2.0
#include "kinf/api/function_handler.h"

#include <doctest/doctest.h>

namespace kinf {
namespace {

TEST_CASE("each function of a handler gets its kind of change, and missing ones are skipped") {
  std::string calls;
  FunctionHandler handler({.on_add = [&](const Change& change) { calls += "+" + change.key; },
                           .on_delete = [&](const Change& change) { calls += "-" + change.key; }});
  Change change;
  change.key = "a";
  for (const ChangeType type :
       {ChangeType::added, ChangeType::updated, ChangeType::resync, ChangeType::deleted}) {
    change.type = type;
    handler.handle(change);
  }
  handler.on_synced({});
  CHECK(calls == "+a-a");
}

TEST_CASE("one function gets every change") {
  std::vector<ChangeType> types;
  FunctionHandler handler([&](const Change& change) { types.push_back(change.type); });
  Change change;
  for (const ChangeType type : {ChangeType::added, ChangeType::resync, ChangeType::deleted}) {
    change.type = type;
    handler.handle(change);
  }
  CHECK(types == std::vector{ChangeType::added, ChangeType::resync, ChangeType::deleted});
}

TEST_CASE("on_synced is passed on") {
  std::size_t objects = 0;
  FunctionHandler handler(
      {.on_synced = [&](const SyncedEvent& event) { objects = event.objects; }});
  handler.on_synced({.resource_version = "7", .objects = 3});
  CHECK(objects == 3);
}

}  // namespace
}  // namespace kinf
