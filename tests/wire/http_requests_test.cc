// SPDX-License-Identifier: Apache-2.0
// What a source asks the server for: headers, selectors, names.
#include <doctest/doctest.h>

#include "fakes/fixture.h"
#include "wire/http_source_rig.h"

#include "kinf/api/selectors.h"
#include "kinf/base/log.h"

namespace kinf {
namespace {

using test::fixture;
using test::Items;
using test::pods_of;
using test::run_list;
using test::run_watch;
using test::ScriptedServer;
using test::SeenRequest;
using test::ServerConnection;
using test::source_at;
using test::WatchResult;

TEST_CASE("a source of a type that the user did not name shows no warnings of the server") {
  RealClock clock;
  ScriptedServer server([](ServerConnection& connection, const SeenRequest&) {
    connection.answer(200, "application/json", fixture("list/pods.json"),
                      "Warning: 299 - \"v1 Endpoints is deprecated in v1.33+\"\r\n");
    return true;
  });
  std::vector<std::string> lines;
  log::set_sink([&](std::string_view line) { lines.emplace_back(line); });
  HttpSource named = pods_of("shop");
  HttpSource one_of_all = named;
  one_of_all.shows_warnings = false;
  Items items;
  CHECK(run_list(*source_at(server, clock, one_of_all), items).has_value());
  CHECK(lines.empty());
  CHECK(run_list(*source_at(server, clock, named), items).has_value());
  log::set_sink({});
  CHECK(lines == std::vector<std::string>{"server warning: v1 Endpoints is deprecated in v1.33+"});
}

TEST_CASE("a field that the server does not support is left out of the selector, and reported") {
  RealClock clock;
  ScriptedServer server([](ServerConnection& connection, const SeenRequest& request) {
    const auto refuse = [&](std::string_view message) {
      connection.answer(400, "application/json",
                        R"({"kind":"Status","apiVersion":"v1","status":"Failure","message":")" +
                            std::string(message) + R"(","reason":"BadRequest","code":400})");
    };
    if (request.target.find("spec.a") != std::string::npos) {
      refuse("field label not supported: spec.a");
    } else if (request.target.find("b.c") != std::string::npos) {
      refuse(R"(\"b.c\" is not a known field selector: only \"metadata.name\")");
    } else {
      connection.answer(200, "application/json", fixture("list/pods.json"));
    }
    return true;
  });
  HttpSource pods = pods_of("shop");
  pods.field_selector = R"(b.c!=x\,y,metadata.name!=db,spec.a=1)";
  pods.representation = Representation::table;
  std::vector<FieldRequirement> unsupported;
  SUBCASE("if the caller can filter") {
    pods.on_unsupported_field = [&](const FieldRequirement& one) { unsupported.push_back(one); };
    const auto source = source_at(server, clock, pods);
    Items items;
    REQUIRE(run_list(*source, items));
    CHECK(unsupported ==
          std::vector<FieldRequirement>{{"spec.a", true, "1"}, {"b.c", false, "x,y"}});
    const std::vector<SeenRequest> seen = server.requests();
    REQUIRE(seen.size() == 3);
    CHECK(seen[2].target.find("fieldSelector=metadata.name%21%3Ddb") != std::string::npos);
    CHECK(seen[0].target.find("includeObject=Metadata") != std::string::npos);
    CHECK(seen[2].target.find("includeObject=Object") != std::string::npos);
  }
  SUBCASE("otherwise it is an error") {
    const auto source = source_at(server, clock, pods);
    Items items;
    CHECK_FALSE(run_list(*source, items));
    CHECK(server.requests().size() == 1);
  }
}

TEST_CASE("each representation has its own Accept header and query") {
  RealClock clock;
  ScriptedServer server([](ServerConnection& connection, const SeenRequest& request) {
    const bool table = request.header("accept").find("as=Table") != std::string::npos;
    const bool list = request.target.find("watch=true") == std::string::npos;
    if (list) {
      connection.answer(
          200, "application/json",
          fixture(table ? "list/pods-table-includeobject.json" : "list/pods-partialmeta.json"));
    } else {
      connection.answer(200, "application/json", fixture("watch/story-table.ndjson"));
    }
    return true;
  });
  HttpSource source = pods_of("");
  source.representation = Representation::table_with_object;
  const auto table = source_at(server, clock, source);
  Items rows;
  REQUIRE(run_list(*table, rows));
  REQUIRE(rows.objects.size() == 5);
  CHECK(rows.objects[0]->columns() != nullptr);
  const SeenRequest asked = server.requests().at(0);
  CHECK(asked.target == "/api/v1/pods?includeObject=Object");
  CHECK(asked.header("accept") == "application/json;as=Table;v=v1;g=meta.k8s.io,application/json");
  const WatchResult result = run_watch(*table);
  REQUIRE(result.events.size() == test::story_events().size());
  CHECK(result.events[0] == "ADDED nettool 250");
  CHECK(result.events[9] == "BOOKMARK 257");

  source.representation = Representation::metadata;
  const auto metadata = source_at(server, clock, source);
  Items items;
  REQUIRE(run_list(*metadata, items));
  CHECK(items.objects.size() == 5);
  CHECK(server.requests().back().header("accept") ==
        "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io,application/json");
  (void)run_watch(*metadata);
  CHECK(server.requests().back().header("accept") ==
        "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io,application/json");
}

TEST_CASE("the server is asked to leave out managedFields if nothing needs them") {
  RealClock clock;
  ScriptedServer server([](ServerConnection& connection, const SeenRequest&) {
    connection.answer(200, "application/json", fixture("list/pods.json"));
    return true;
  });
  const auto accept_of = [&](Representation representation, bool needs_manager, bool keeps) {
    HttpSource source = pods_of("");
    source.representation = representation;
    source.needs_manager = needs_manager;
    source.keep_managed_fields = keeps;
    const auto asked = source_at(server, clock, source);
    Items items;
    REQUIRE(run_list(*asked, items));
    return server.requests().back().header("accept");
  };
  using enum Representation;
  CHECK(accept_of(object, false, false) ==
        "application/json;drop=metadata.managedFields,application/json");
  CHECK(accept_of(table, false, false) ==
        "application/json;as=Table;v=v1;g=meta.k8s.io;drop=metadata.managedFields,"
        "application/json");
  CHECK(accept_of(metadata, false, false) ==
        "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io;"
        "drop=metadata.managedFields,application/json");
  CHECK(accept_of(object, true, false) == "application/json");
  CHECK(accept_of(object, false, true) == "application/json");
}

TEST_CASE("the name and selectors of the source are part of every request") {
  RealClock clock;
  ScriptedServer server([](ServerConnection& connection, const SeenRequest&) {
    connection.answer(200, "application/json", fixture("list/pods.json"));
    return true;
  });
  HttpSource source = pods_of("shop");
  source.name = "web-1";
  source.label_selector = "app=web";
  const auto one = source_at(server, clock, source);
  Items items;
  ListOptions options;
  options.label_selector = "tier=a";
  REQUIRE(run_list(*one, items, options));
  CHECK(server.requests().at(0).target ==
        "/api/v1/namespaces/shop/pods?fieldSelector=metadata.name%3Dweb-1&"
        "labelSelector=tier%3Da%2Capp%3Dweb");
}

TEST_CASE("R2: a name with a comma or an equals sign is escaped in the field selector") {
  RealClock clock;
  ScriptedServer server([](ServerConnection& connection, const SeenRequest&) {
    connection.answer(200, "application/json", fixture("list/pods.json"));
    return true;
  });
  HttpSource source = pods_of("shop");
  source.name = "a,b=c";
  const auto one = source_at(server, clock, source);
  Items items;
  REQUIRE(run_list(*one, items));
  // metadata.name=a\,b\=c
  CHECK(server.requests().at(0).target ==
        "/api/v1/namespaces/shop/pods?fieldSelector=metadata.name%3Da%5C%2Cb%5C%3Dc");
}

TEST_CASE("J1: names that a path cannot contain are refused before anything is sent") {
  RealClock clock;
  HttpSource source = pods_of("shop");
  source.name = "a/b";
  const auto made = HttpListerWatcher::create({}, {}, nullptr, source, clock);
  REQUIRE_FALSE(made);
  CHECK(made.error().kind == ErrorKind::usage);
}

}  // namespace
}  // namespace kinf
