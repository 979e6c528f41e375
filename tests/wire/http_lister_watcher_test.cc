// SPDX-License-Identifier: Apache-2.0
#include "kinf/client/http_lister_watcher.h"

#include <doctest/doctest.h>

#include <condition_variable>
#include <latch>
#include <mutex>

#include "fakes/fake_clock.h"
#include "fakes/fixture.h"
#include "kinf/api/api_status.h"
#include "kinf/informer/pager.h"
#include "wire/gzip_writer.h"
#include "wire/scripted_server.h"

namespace kinf {
namespace {

using test::fixture;
using test::ScriptedServer;
using test::SeenRequest;
using test::ServerConnection;

const ResourceType kPods{{"", "v1", "pods"}, "Pod", "pod", true};

HttpSource pods_of(std::string ns) {
  HttpSource source;
  source.type = kPods;
  source.ns = std::move(ns);
  return source;
}

std::unique_ptr<HttpListerWatcher> source_at(const ScriptedServer& server, Clock& clock,
                                             HttpSource source = pods_of("shop"),
                                             ClientConfig config = {}) {
  config.host = server.url();
  return HttpListerWatcher::create(config, {}, nullptr, std::move(source), clock).value();
}

class Items final : public ListSink {
 public:
  void item(ObjectPtr object) override { objects.push_back(std::move(object)); }
  std::vector<ObjectPtr> objects;
};

Result<ListPage> run_list(HttpListerWatcher& source, Items& items,
                          const ListOptions& options = {}) {
  const auto call = source.list(options, items);
  for (;;) {
    if (auto page = call->poll()) return *std::move(page);
    source.wait(Clock::kNever, {});
  }
}

/// Everything that a watch returned until it ended.
struct WatchResult {
  bool opened = false;
  bool closed = false;
  std::vector<std::string> events;  ///< `MODIFIED nettool 231`
  std::optional<Error> error;
};

std::string describe(const WatchEvent& event) {
  static constexpr const char* kNames[] = {"ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR"};
  std::string text = kNames[static_cast<int>(event.type)];
  if (event.object) text.append(" ").append(event.object->name());
  return text + " " + event.resource_version;
}

/// Polls until something other than "nothing yet" comes.
WatchPoll next_of(HttpListerWatcher& source, WatchCall& call) {
  for (;;) {
    WatchPoll poll = call.poll();
    if (!std::holds_alternative<WatchPending>(poll)) return poll;
    source.wait(Clock::kNever, {});
  }
}

WatchResult run_watch(HttpListerWatcher& source, const ListOptions& options = {}) {
  const auto call = source.watch(options);
  WatchResult result;
  for (;;) {
    WatchPoll poll = next_of(source, *call);
    if (std::holds_alternative<WatchOpened>(poll)) {
      CHECK(result.events.empty());
      result.opened = true;
    } else if (const auto* event = std::get_if<WatchEvent>(&poll)) {
      result.events.push_back(describe(*event));
    } else if (auto* error = std::get_if<Error>(&poll)) {
      result.error = std::move(*error);
      return result;
    } else {
      result.closed = true;
      return result;
    }
  }
}

const std::vector<std::string> kStory = {
    "ADDED nettool 230",    "MODIFIED nettool 231", "MODIFIED nettool 232", "MODIFIED nettool 233",
    "MODIFIED nettool 234", "MODIFIED nettool 235", "MODIFIED nettool 236", "DELETED nettool 237",
    "BOOKMARK 237",         "BOOKMARK 237"};

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
  CHECK(events == kStory);
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
  CHECK(result.events == kStory);
  CHECK(server.requests().at(1).connection == 0);
  CHECK(server.requests().at(1).target ==
        "/api/v1/namespaces/shop/pods?allowWatchBookmarks=true&resourceVersion=229&"
        "timeoutSeconds=300&watch=true");
}

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
    CHECK(result.events == kStory);
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
    CHECK(describe(std::get<WatchEvent>(first)) == kStory[0]);
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
  CHECK(result.events == std::vector<std::string>{kStory[0]});
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
  REQUIRE(result.events.size() == kStory.size());
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

/// Runs a list whose pages are answered by `server`, with four pages in flight.
Result<PagedList> run_pager(HttpListerWatcher& source, Clock& clock) {
  PagerOptions options;
  options.page_size = 1;
  options.pages_in_flight = 4;
  DialPacer pacer(3, std::chrono::milliseconds(400));
  Pager pager(source, options, pacer, clock);
  pager.start({});
  for (;;) {
    if (auto list = pager.poll()) return *std::move(list);
    source.wait(pager.next_request(), {});
  }
}

std::string page_of(const std::string& name, const std::string& token) {
  return R"({"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"5","continue":")" +
         token + R"("},"items":[{"metadata":{"name":")" + name + R"("}})";
}

TEST_CASE(
    "pages are in flight at the same time: the first ends after the last has been requested") {
  std::latch all_asked(3);
  ScriptedServer server([&](ServerConnection& connection, const SeenRequest& request) {
    const std::size_t at = request.target.find("continue=");
    const int number = at == std::string::npos ? 0 : request.target[at + 9] - '0';
    connection.begin();
    const std::string next = number == 2 ? "" : std::to_string(number + 1);
    connection.chunk(page_of("web-" + std::to_string(number), next));
    all_asked.arrive_and_wait();
    connection.chunk("]}");
    connection.end();
    return true;
  });
  RealClock clock;
  const auto source = source_at(server, clock);
  const Result<PagedList> list = run_pager(*source, clock);
  REQUIRE(list);
  REQUIRE(list->items.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(list->items[i]->name() == "web-" + std::to_string(i));
  }
  CHECK(server.requests().at(1).target == "/api/v1/namespaces/shop/pods?continue=1&limit=1");
}

TEST_CASE("an early page that fails ends the list after the pages before it") {
  std::latch failed(1);
  ScriptedServer server([&](ServerConnection& connection, const SeenRequest& request) {
    if (request.target.find("continue=") != std::string::npos) {
      failed.count_down();
      connection.answer(503, "application/json", "{}");
      return true;
    }
    connection.begin();
    connection.chunk(page_of("web-0", "1"));
    failed.wait();
    connection.chunk("]}");
    connection.end();
    return true;
  });
  RealClock clock;
  const auto source = source_at(server, clock);
  const Result<PagedList> list = run_pager(*source, clock);
  REQUIRE_FALSE(list);
  CHECK(list.error().status->code == 503);
}

TEST_CASE("the continue token is known while the page still comes in") {
  RealClock clock;
  std::latch seen(1);
  ScriptedServer server([&](ServerConnection& connection, const SeenRequest&) {
    connection.begin();
    connection.chunk(R"({"kind":"PodList","metadata":{"resourceVersion":"7","continue":"c"},)");
    seen.wait();
    connection.chunk(R"("items":[]})");
    connection.end();
    return true;
  });
  const auto source = source_at(server, clock);
  Items items;
  const auto call = source->list({}, items);
  CHECK(call->continue_token() == std::nullopt);
  while (!call->continue_token()) {
    REQUIRE_FALSE(call->poll().has_value());
    if (!call->continue_token()) source->wait(Clock::kNever, {});
  }
  CHECK(call->continue_token() == "c");
  seen.count_down();
  std::optional<Result<ListPage>> page;
  while (!(page = call->poll())) source->wait(Clock::kNever, {});
  REQUIRE(*page);
  CHECK((*page)->continue_token == "c");
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
  const auto first = make(kPods);
  const auto second = make(kPods);
  const auto other = make({{"", "v1", "nodes"}, "Node", "node", false});
  CHECK(second->supports_watch_list());
  first->give_up_watch_list();
  CHECK_FALSE(first->supports_watch_list());
  CHECK_FALSE(second->supports_watch_list());
  CHECK(other->supports_watch_list());
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
