// SPDX-License-Identifier: Apache-2.0
#include "kinf/client/http_lister_watcher.h"
#include "kinf/client/client_config.h"

#include <doctest/doctest.h>

#include <latch>

#include "fakes/fake_clock.h"
#include "fakes/fixture.h"
#include "wire/http_source_rig.h"

namespace kinf {
namespace {

using test::fixture;
using test::Items;
using test::next_of;
using test::pods_of;
using test::run_call;
using test::run_list;
using test::run_watch;
using test::ScriptedServer;
using test::SeenRequest;
using test::ServerConnection;
using test::source_at;
using test::WatchResult;

TEST_CASE("the items of a page are delivered one by one, however the bytes are cut") {
  RealClock clock;
  const std::string body = fixture("list/pods.json");
  for (const std::size_t piece : {std::size_t{7}, std::size_t{4096}, body.size()}) {
    ScriptedServer server([&](ServerConnection& connection, const SeenRequest&) {
      connection.begin();
      for (std::size_t at = 0; at < body.size(); at += piece) {
        connection.chunk(std::string_view(body).substr(at, piece));
      }
      connection.end();
      return true;
    });
    const auto source = source_at(server, clock);
    Items items;
    ListOptions options;
    options.limit = 500;
    options.resource_version = "0";
    const Result<ListPage> page = run_list(*source, items, options);
    REQUIRE(page);
    CHECK(page->resource_version == "229");
    CHECK(page->continue_token.empty());
    REQUIRE(items.objects.size() == 5);
    CHECK(items.objects[0]->name() == "web-000000");
    CHECK(items.objects[0]->kind() == "Pod");
    CHECK(source->bytes_received() == body.size());
    const SeenRequest seen = server.requests().at(0);
    CHECK(seen.target == "/api/v1/namespaces/shop/pods?limit=500&resourceVersion=0");
    CHECK(seen.header("accept") == "application/json");
  }
}

TEST_CASE("a list and the watch after it use one connection") {
  RealClock clock;
  ScriptedServer server([](ServerConnection& connection, const SeenRequest& request) {
    if (request.target.find("watch=true") == std::string::npos) {
      connection.answer(200, "application/json", fixture("list/pods.json"));
    } else {
      connection.begin();
      connection.chunk(fixture("watch/story.ndjson"));
      connection.end();
    }
    return true;
  });
  const auto source = source_at(server, clock);
  Items items;
  REQUIRE(run_list(*source, items));
  ListOptions options;
  options.resource_version = "229";
  options.allow_watch_bookmarks = true;
  options.timeout = std::chrono::seconds(300);
  const WatchResult result = run_watch(*source, options);
  CHECK(result.opened);
  CHECK(result.closed);
  CHECK(result.events == test::story_events());
  CHECK(server.requests().at(1).connection == 0);
  CHECK(server.requests().at(1).target ==
        "/api/v1/namespaces/shop/pods?allowWatchBookmarks=true&resourceVersion=229&"
        "timeoutSeconds=300&watch=true");
}

// The informer decides what is retried; these are the errors by which it decides.
TEST_CASE("J6: an error carries Retry-After, and the request is not repeated") {
  struct Row {
    int status;
    const char* headers;
    ErrorKind kind;
    bool retry_after;
  };
  RealClock clock;
  for (const Row& row : {Row{429, "Retry-After: 2\r\n", ErrorKind::throttled, true},
                         Row{429, "", ErrorKind::throttled, false},
                         Row{503, "Retry-After: 2\r\n", ErrorKind::unavailable, true},
                         Row{500, "", ErrorKind::unavailable, false},
                         Row{302, "Location: /\r\n", ErrorKind::protocol, false}}) {
    CAPTURE(row.status);
    ScriptedServer server([&](ServerConnection& connection, const SeenRequest&) {
      connection.answer(row.status, "text/plain", "go away", row.headers);
      return true;
    });
    const auto source = source_at(server, clock);
    Items items;
    const Result<ListPage> page = run_list(*source, items);
    REQUIRE_FALSE(page);
    CHECK(page.error().kind == row.kind);
    CHECK(page.error().retry_after.has_value() == row.retry_after);
    const WatchResult result = run_watch(*source);
    REQUIRE(result.error);
    CHECK(result.error->kind == row.kind);
    CHECK(server.requests().size() == 2);
  }
}

TEST_CASE("J6: a connection that ends before an answer and a refused one are different faults") {
  RealClock clock;
  ScriptedServer server([](ServerConnection&, const SeenRequest&) { return false; });
  const auto source = source_at(server, clock);
  Items items;
  const Result<ListPage> page = run_list(*source, items);
  REQUIRE_FALSE(page);
  CHECK(page.error().fault == NetworkFault::closed);
  const WatchResult result = run_watch(*source);
  REQUIRE(result.error);
  CHECK(result.error->fault == NetworkFault::closed);
}

TEST_CASE("an incomplete list and a damaged item are errors") {
  RealClock clock;
  const std::string body = fixture("list/pods.json");
  std::string damaged = body;
  damaged.replace(damaged.find("\"metadata\"", 200), 10, "\"metadata ");
  ScriptedServer server([&](ServerConnection& connection, const SeenRequest& request) {
    connection.begin();
    if (request.target.find("limit=1") != std::string::npos) {
      connection.chunk(body.substr(0, body.size() / 2));
      return false;
    }
    connection.chunk(damaged);
    connection.end();
    return true;
  });
  const auto source = source_at(server, clock);
  Items items;
  ListOptions cut;
  cut.limit = 1;
  const Result<ListPage> broken = run_list(*source, items, cut);
  REQUIRE_FALSE(broken);
  CHECK(broken.error().fault == NetworkFault::closed);
  const Result<ListPage> spoilt = run_list(*source, items);
  REQUIRE_FALSE(spoilt);
  CHECK(spoilt.error().kind == ErrorKind::protocol);
}

TEST_CASE("J18: the request time-out ends a silent list but not a watch") {
  test::FakeClock clock;
  std::latch listed(1);
  std::latch late(1);
  ScriptedServer server([&](ServerConnection& connection, const SeenRequest& request) {
    if (request.target.find("watch=true") == std::string::npos) {
      connection.hold();
      return false;
    }
    connection.begin();
    late.wait();
    connection.chunk(fixture("watch/story.ndjson"));
    connection.hold();
    return false;
  });
  ClientConfig config;
  config.request_timeout = std::chrono::seconds(3);
  const auto source = source_at(server, clock, pods_of("shop"), config);
  Items items;
  const auto list = source->list({}, items);
  CHECK_FALSE(list->poll());
  clock.advance(std::chrono::seconds(3));
  const auto page = list->poll();
  REQUIRE(page.has_value());
  REQUIRE_FALSE(page->has_value());
  CHECK(page->error().fault == NetworkFault::timeout);

  const auto watch = source->watch({});
  CHECK(watch->last_byte() == Clock::kNever);
  CHECK(std::holds_alternative<WatchOpened>(next_of(*source, *watch)));
  CHECK(watch->last_byte() == clock.now());
  clock.advance(std::chrono::hours(1));
  late.count_down();
  CHECK(std::holds_alternative<WatchEvent>(next_of(*source, *watch)));
  CHECK(watch->last_byte() == clock.now());
}

TEST_CASE("The newest version is read from the metadata of one object, without selectors") {
  RealClock clock;
  ScriptedServer server([&](ServerConnection& connection, const SeenRequest&) {
    connection.begin();
    connection.chunk(fixture("list/pods-partialmeta.json"));
    connection.end();
    return true;
  });
  HttpSource source = pods_of("shop");
  source.label_selector = "app=web";
  source.field_selector = "status.phase=Running";
  source.representation = Representation::table;
  const auto pods = source_at(server, clock, source);
  Items items;
  const auto page = run_call(*pods, *pods->newest_version(items));
  REQUIRE(page);
  CHECK_FALSE(page->resource_version.empty());
  CHECK(pods->list_count().received == 0);
  source.name = "web-1";
  const auto one = source_at(server, clock, source);
  CHECK(run_call(*one, *one->newest_version(items)));
  CHECK(server.requests().at(0).target == "/api/v1/namespaces/shop/pods?limit=1");
  CHECK(server.requests().at(0).header("accept").starts_with(
      "application/json;as=PartialObjectMetadataList"));
  CHECK(server.requests().at(1).target ==
        "/api/v1/namespaces/shop/pods?fieldSelector=metadata.name%3Dweb-1&limit=1");
}

TEST_CASE(
    "F13: what one source learns of streaming lists, those of the same server and type know") {
  RealClock clock;
  const auto memory = std::make_shared<WatchListMemory>();
  const auto make = [&](const ResourceType& type) {
    HttpSource source = pods_of("shop");
    source.type = type;
    source.watch_lists = memory;
    return HttpListerWatcher::create({}, {}, nullptr, std::move(source), clock).value();
  };
  const auto first = make(test::pod_resource());
  const auto second = make(test::pod_resource());
  const auto other = make({{"", "v1", "nodes"}, "Node", "node", false});
  CHECK(second->supports_watch_list());
  first->give_up_watch_list();
  CHECK_FALSE(first->supports_watch_list());
  CHECK_FALSE(second->supports_watch_list());
  CHECK(other->supports_watch_list());
}

}  // namespace
}  // namespace kinf
