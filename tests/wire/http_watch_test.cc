// SPDX-License-Identifier: Apache-2.0
// Watches over HTTP: framing, damage, and back-pressure.
#include <doctest/doctest.h>

#include <latch>

#include "fakes/fixture.h"
#include "kinf/api/api_status.h"
#include "wire/http_source_rig.h"

namespace kinf {
namespace {

using test::describe;
using test::fixture;
using test::Items;
using test::next_of;
using test::pods_of;
using test::run_list;
using test::run_watch;
using test::ScriptedServer;
using test::SeenRequest;
using test::ServerConnection;
using test::source_at;
using test::WatchResult;

TEST_CASE(
    "E28: events are the same whether they come in one segment, byte by byte, or spaced out") {
  RealClock clock;
  const std::string story = fixture("watch/story.ndjson");
  std::string spaced = "\r\n ";
  for (const char c : story) {
    spaced += c;
    if (c == '\n') spaced += "\r\n\t ";
  }
  for (const auto& [body, piece] :
       {std::pair{story, story.size()}, std::pair{story, std::size_t{1}},
        std::pair{spaced, std::size_t{25}}}) {
    CAPTURE(piece);
    ScriptedServer server([&](ServerConnection& connection, const SeenRequest&) {
      connection.begin();
      for (std::size_t at = 0; at < body.size(); at += piece) {
        connection.chunk(std::string_view(body).substr(at, piece));
      }
      connection.end();
      return true;
    });
    const WatchResult result = run_watch(*source_at(server, clock));
    CHECK(result.events == test::story_events());
    CHECK(result.closed);
  }
}

TEST_CASE("E25: a stream cut in the middle of an event counts as ended") {
  RealClock clock;
  for (const bool reset : {false, true}) {
    std::latch read(1);
    ScriptedServer server([&](ServerConnection& connection, const SeenRequest&) {
      const std::string story = fixture("watch/story.ndjson");
      connection.begin();
      connection.chunk(story.substr(0, story.find('\n') + 100));
      read.wait();  // otherwise the reset may overtake what was sent before it
      if (reset) connection.reset();
      return false;
    });
    const auto source = source_at(server, clock);
    const auto call = source->watch({});
    CHECK(std::holds_alternative<WatchOpened>(next_of(*source, *call)));
    const WatchPoll first = next_of(*source, *call);
    REQUIRE(std::holds_alternative<WatchEvent>(first));
    CHECK(describe(std::get<WatchEvent>(first)) == test::story_events()[0]);
    read.count_down();
    CHECK(std::holds_alternative<WatchClosed>(next_of(*source, *call)));
  }
}

TEST_CASE("E26: broken JSON ends the watch with a protocol error, after the events before it") {
  RealClock clock;
  ScriptedServer server([](ServerConnection& connection, const SeenRequest&) {
    const std::string story = fixture("watch/story.ndjson");
    connection.begin();
    connection.chunk(story.substr(0, story.find('\n') + 1) + "<html>oops</html>\n");
    connection.end();
    return true;
  });
  const WatchResult result = run_watch(*source_at(server, clock));
  CHECK(result.events == std::vector<std::string>{test::story_events()[0]});
  REQUIRE(result.error);
  CHECK(result.error->kind == ErrorKind::protocol);
}

TEST_CASE("a 410 within a stream is an event of type ERROR") {
  RealClock clock;
  ScriptedServer server([](ServerConnection& connection, const SeenRequest&) {
    connection.begin();
    connection.chunk(fixture("error/410-watch.ndjson"));
    connection.end();
    return true;
  });
  const auto source = source_at(server, clock);
  const auto call = source->watch({});
  CHECK(std::holds_alternative<WatchOpened>(next_of(*source, *call)));
  const WatchPoll poll = next_of(*source, *call);
  const auto* event = std::get_if<WatchEvent>(&poll);
  REQUIRE(event != nullptr);
  CHECK(event->type == WatchEventType::error);
  REQUIRE(event->error);
  CHECK(is_expired(*event->error));
}

TEST_CASE("J3: a refused watch is an error before it opens") {
  struct Row {
    int status;
    std::string body;
    ErrorKind kind;
  };
  RealClock clock;
  for (const Row& row : {Row{403, fixture("error/403-watch.json"), ErrorKind::forbidden},
                         Row{403, "", ErrorKind::forbidden},
                         Row{401, fixture("error/401-bad-token.json"), ErrorKind::auth}}) {
    ScriptedServer server([&](ServerConnection& connection, const SeenRequest&) {
      connection.answer(row.status, "application/json", row.body);
      return true;
    });
    const WatchResult result = run_watch(*source_at(server, clock));
    CHECK_FALSE(result.opened);
    REQUIRE(result.error);
    CHECK(result.error->kind == row.kind);
  }
}

TEST_CASE("a client that does not poll makes the server wait instead of filling memory") {
  RealClock clock;
  constexpr std::size_t kEvents = 20'000;
  const std::string story = fixture("watch/story.ndjson");
  const std::string event = story.substr(0, story.find('\n') + 1);
  ScriptedServer server([&](ServerConnection& connection, const SeenRequest&) {
    connection.begin();
    for (std::size_t i = 0; i < kEvents; ++i) connection.chunk(event);
    connection.end();
    return true;
  });
  const auto source = source_at(server, clock);
  const auto call = source->watch({});
  CHECK(std::holds_alternative<WatchOpened>(next_of(*source, *call)));
  std::uint64_t seen = 0;
  std::uint64_t worst = 0;
  for (;;) {
    const WatchPoll poll = next_of(*source, *call);
    if (std::holds_alternative<WatchClosed>(poll)) break;
    REQUIRE(std::holds_alternative<WatchEvent>(poll));
    ++seen;
    // An event is complete before the newline after it has arrived.
    worst = std::max(worst, source->bytes_received() + 1 - seen * event.size());
  }
  CHECK(seen == kEvents);
  CHECK(seen * event.size() > 30'000'000);
  CHECK(worst < 8'000'000);
}

TEST_CASE("L7: a listed object and the same one watched have the same kind") {
  RealClock clock;
  ScriptedServer server([](ServerConnection& connection, const SeenRequest& request) {
    if (request.target.contains("watch=true")) {
      connection.answer(200, "application/json",
                        R"({"type":"ADDED","object":{"kind":"Pod","apiVersion":"v1",)"
                        R"("metadata":{"name":"a","resourceVersion":"7"}}})");
    } else {
      connection.answer(200, "application/json",
                        R"({"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"7"},)"
                        R"("items":[{"metadata":{"name":"a","resourceVersion":"7"}}]})");
    }
    return true;
  });
  HttpSource source = pods_of("shop");
  source.type.kind.clear();
  source.type.gvr.version = "v1";
  const auto one = source_at(server, clock, source);
  Items items;
  REQUIRE(run_list(*one, items));
  const auto watch = one->watch({});
  REQUIRE(std::holds_alternative<WatchOpened>(next_of(*one, *watch)));
  const WatchPoll event = next_of(*one, *watch);
  REQUIRE(std::holds_alternative<WatchEvent>(event));
  CHECK(items.objects.at(0)->kind() == "Pod");
  CHECK(std::get<WatchEvent>(event).object->kind() == "Pod");
}

}  // namespace
}  // namespace kinf
