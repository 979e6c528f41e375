// SPDX-License-Identifier: Apache-2.0
// Compressed lists and watches.
#include <doctest/doctest.h>

#include <condition_variable>
#include <mutex>

#include "fakes/fixture.h"
#include "wire/gzip_writer.h"
#include "wire/http_source_rig.h"

#include "kinf/client/client_config.h"

namespace kinf {
namespace {

using test::describe;
using test::fixture;
using test::Items;
using test::next_of;
using test::pods_of;
using test::run_list;
using test::ScriptedServer;
using test::SeenRequest;
using test::ServerConnection;
using test::source_at;

ClientConfig compressed() {
  ClientConfig config;
  config.disable_compression = false;
  return config;
}

TEST_CASE("J19: a list accepts gzip, except from a loopback address or if it is disabled") {
  RealClock clock;
  ScriptedServer server([](ServerConnection& connection, const SeenRequest& request) {
    if (request.header("accept-encoding") == "gzip") {
      connection.answer(200, "application/json", fixture("list/pods-gzip-large.bin"),
                        "Content-Encoding: gzip\r\n");
    } else {
      connection.answer(200, "application/json", fixture("list/pods.json"));
    }
    return true;
  });
  const auto source = source_at(server, clock, pods_of("shop"), compressed());
  Items items;
  REQUIRE(run_list(*source, items));
  CHECK(items.objects.size() == 60);
  CHECK(source->bytes_received() == fixture("list/pods-gzip-large.bin").size());
  CHECK(source->bytes_decoded() > 5 * source->bytes_received());

  ClientConfig disabled;
  disabled.disable_compression = true;
  for (const ClientConfig& config : {ClientConfig(), disabled}) {
    const auto plain = source_at(server, clock, pods_of("shop"), config);
    Items few;
    REQUIRE(run_list(*plain, few));
    CHECK(few.objects.size() == 5);
    CHECK(server.requests().back().header("accept-encoding").empty());
    CHECK(plain->bytes_decoded() == plain->bytes_received());
  }
}

TEST_CASE("an event of a compressed watch is delivered when its last byte has arrived") {
  RealClock clock;
  const std::string story = fixture("watch/story.ndjson");
  std::mutex mu;
  std::condition_variable changed;
  std::size_t delivered = 0;
  std::string encoding;
  ScriptedServer server([&](ServerConnection& connection, const SeenRequest& request) {
    encoding = request.header("accept-encoding");
    connection.begin(200, "application/json", "Content-Encoding: gzip\r\n");
    test::GzipWriter writer;
    std::size_t sent = 0;
    for (std::size_t at = 0; at < story.size();) {
      const std::size_t end = story.find('\n', at) + 1;
      connection.chunk(writer.add(std::string_view(story).substr(at, end - at)));
      at = end;
      ++sent;
      std::unique_lock lock(mu);  // sends the next event after this one was delivered
      changed.wait(lock, [&] { return delivered == sent; });
    }
    connection.chunk(writer.add({}, Z_FINISH));
    connection.end();
    return true;
  });
  const auto source = source_at(server, clock, pods_of("shop"), compressed());
  const auto call = source->watch({});
  CHECK(std::holds_alternative<WatchOpened>(next_of(*source, *call)));
  std::vector<std::string> events;
  for (;;) {
    const WatchPoll poll = next_of(*source, *call);
    if (std::holds_alternative<WatchClosed>(poll)) break;
    REQUIRE(std::holds_alternative<WatchEvent>(poll));
    events.push_back(describe(std::get<WatchEvent>(poll)));
    const std::scoped_lock lock(mu);
    ++delivered;
    changed.notify_all();
  }
  CHECK(encoding == "gzip");
  CHECK(events == test::story_events());
  CHECK(source->bytes_decoded() == story.size());
  CHECK(source->bytes_received() < story.size() / 2);
}

TEST_CASE("a compressed watch is inflated as it is read, and damage ends it with an error") {
  RealClock clock;
  constexpr std::size_t kEvents = 20'000;
  const std::string story = fixture("watch/story.ndjson");
  const std::string event = story.substr(0, story.find('\n') + 1);
  ScriptedServer server([&](ServerConnection& connection, const SeenRequest&) {
    connection.begin(200, "application/json", "Content-Encoding: gzip\r\n");
    connection.chunk(test::gzip_bomb({}, event, kEvents));
    connection.chunk("damage");
    connection.hold();
    return false;
  });
  const auto source = source_at(server, clock, pods_of("shop"), compressed());
  const auto call = source->watch({});
  CHECK(std::holds_alternative<WatchOpened>(next_of(*source, *call)));
  std::uint64_t seen = 0;
  std::uint64_t worst = 0;
  for (;;) {
    const WatchPoll poll = next_of(*source, *call);
    if (const auto* error = std::get_if<Error>(&poll)) {
      CHECK(error->message.find("invalid gzip data") != std::string::npos);
      break;
    }
    REQUIRE(std::holds_alternative<WatchEvent>(poll));
    ++seen;
    worst = std::max(worst, source->bytes_decoded() + 1 - seen * event.size());
  }
  CHECK(seen >= kEvents);
  CHECK(worst < 1'500'000);
}

TEST_CASE("a list that inflates without end is read in steps and can be stopped") {
  RealClock clock;
  ScriptedServer server([](ServerConnection& connection, const SeenRequest&) {
    connection.begin(200, "application/json", "Content-Encoding: gzip\r\n");
    connection.chunk(test::gzip_bomb("{\"kind\":\"PodList\",\"items\":[", " ", 200'000'000));
    connection.hold();
    return false;
  });
  const auto source = source_at(server, clock, pods_of("shop"), compressed());
  Items items;
  const auto call = source->list({}, items);
  std::uint64_t before = 0;
  std::uint64_t most = 0;
  while (before < 100'000'000) {
    REQUIRE_FALSE(call->poll());
    most = std::max(most, source->bytes_decoded() - before);
    before = source->bytes_decoded();
    source->wait(Clock::kNever, {});
  }
  CHECK(most <= 9'000'000);
}

TEST_CASE("damaged gzip data is a protocol error") {
  RealClock clock;
  ScriptedServer server([](ServerConnection& connection, const SeenRequest&) {
    connection.answer(200, "application/json", "this is no gzip", "Content-Encoding: gzip\r\n");
    return true;
  });
  Items items;
  const Result<ListPage> page = run_list(*source_at(server, clock), items);
  REQUIRE_FALSE(page);
  CHECK(page.error().kind == ErrorKind::protocol);
}

}  // namespace
}  // namespace kinf
