// SPDX-License-Identifier: Apache-2.0
// A watch from its first event to its end, on a clock that stands still.
#include "kinf/sandbox/api/watch_stream.h"

#include <doctest/doctest.h>

#include <functional>
#include <memory>
#include <optional>

#include "unit/sandbox/api/api_world.h"

namespace kinf::sandbox {
namespace {

/// A client that has room for a number of events. Between them it changes the world.
class Watcher final : public ByteSink {
 public:
  Watcher(std::size_t room, std::function<void(std::size_t)> after_event = {})
      : room_(room), after_event_(std::move(after_event)) {}

  void write(std::string_view bytes) override {
    events.push_back(std::string(bytes));
    if (after_event_) after_event_(events.size());
  }
  bool is_full() const override { return events.size() >= room_; }
  void add_room(std::size_t room) { room_ += room; }

  /// `ADDED a`, `BOOKMARK`, `ERROR 410`; what is not JSON is `garbage`.
  std::vector<std::string> summary() const {
    std::vector<std::string> result;
    for (const std::string& event : events) {
      const std::optional<Json> json = parse_json(event);
      if (!json) {
        result.push_back("garbage");
        continue;
      }
      std::string line = text((*json)["type"]);
      const std::string name = text(field(*json, "object", "metadata", "name"));
      if (line == "ERROR") line += " " + (*json)["object"]["code"].dump();
      result.push_back(name.empty() ? line : line + " " + name);
    }
    return result;
  }

  std::vector<std::string> events;

 private:
  std::size_t room_;
  const std::function<void(std::size_t)> after_event_;
};

using Events = std::vector<std::string>;

/// An open watch, which the server would call whenever it wakes or its time has come.
struct OpenWatch {
  OpenWatch(HttpResponse response, Watcher& sink)
      : stream(std::move(response.stream)), watcher(sink) {
    REQUIRE(stream != nullptr);
    stream->start([this] { woken = true; });
    write();
  }
  OpenWatch(const OpenWatch&) = delete;
  OpenWatch& operator=(const OpenWatch&) = delete;

  /// Writes until there is nothing to write or the watcher is full.
  void write() {
    do {
      woken = false;
      next = stream->write_to(watcher);
    } while (next && woken && !watcher.is_full());
  }
  bool has_ended() const { return !next; }

  std::unique_ptr<BodyStream> stream;
  Watcher& watcher;
  bool woken = false;
  std::optional<Clock::Mono> next;  ///< when to write again
};

struct WatchWorld : ApiWorld {
  using ApiWorld::ApiWorld;
  OpenWatch watch(const std::string& query, Watcher& watcher) {
    return {send("GET", "/api/v1/pods?watch=1&" + query), watcher};
  }
  std::string version() const { return std::to_string(store.version()); }
  void label(const std::string& name, const std::string& value) {
    REQUIRE(send("PATCH", "/api/v1/namespaces/default/pods/" + name,
                 R"({"metadata":{"labels":{"app":")" + value + "\"}}}")
                .code == 200);
  }
};

TEST_CASE("a watch without a version sends the existing objects and then changes") {
  WatchWorld w;
  w.add("v1", "Pod", "a");
  Watcher watcher(4, [&](std::size_t count) {
    if (count == 1) w.label("a", "x");
    if (count == 2) w.add("v1", "Pod", "b");
    if (count == 3) w.objects.erase(w.type("v1", "Pod"), {"default", "a"});
  });
  w.watch("", watcher);
  CHECK(watcher.summary() == Events{"ADDED a", "MODIFIED a", "ADDED b", "DELETED a"});
}

TEST_CASE("a watch from a version sees only what came after it") {
  WatchWorld w;
  const std::uint64_t version = w.add("v1", "Pod", "a")->version;
  w.add("v1", "Pod", "b");
  Watcher watcher(1);
  w.watch("resourceVersion=" + std::to_string(version), watcher);
  CHECK(watcher.summary() == Events{"ADDED b"});
}

TEST_CASE("an object that enters the selection is added, one that leaves it is deleted") {
  WatchWorld w;
  w.add("v1", "Pod", "a");
  const std::string from = "&resourceVersion=" + w.version();
  for (const char* value : {"web", "other"}) w.label("a", value);
  Watcher watcher(2);
  w.watch("labelSelector=app=web" + from, watcher);
  CHECK(watcher.summary() == Events{"ADDED a", "DELETED a"});
  const Json last = (*parse_json(watcher.events[1]))["object"];
  CHECK_MESSAGE(last["metadata"]["labels"]["app"] == "web", "the state that matched");
  CHECK(last["metadata"]["resourceVersion"] == w.version());
}

TEST_CASE("a watch of one name in the path is about that object") {
  WatchWorld w;
  w.add("v1", "Pod", "a");
  w.add("v1", "Pod", "b");
  Watcher watcher(1);
  const OpenWatch watch(w.send("GET", "/api/v1/namespaces/default/pods/b?watch=1"), watcher);
  CHECK(watcher.summary() == Events{"ADDED b"});
}

TEST_CASE("a streaming list ends its initial events with a marked bookmark") {
  WatchWorld w;
  w.add("v1", "Pod", "a");
  const char* query =
      "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=1";
  Watcher watcher(2);
  w.watch(query, watcher);
  CHECK(watcher.summary() == Events{"ADDED a", "BOOKMARK"});
  const Json mark = (*parse_json(watcher.events[1]))["object"];
  CHECK(mark["metadata"]["annotations"]["k8s.io/initial-events-end"] == "true");
  CHECK(mark["metadata"]["resourceVersion"] == w.version());

  w.faults.add(*parse_fault("no-bookmark-end"));
  Watcher unmarked(2, [&](std::size_t count) {
    if (count == 1) w.add("v1", "Pod", "b");
  });
  w.watch(query, unmarked);
  CHECK(unmarked.summary() == Events{"ADDED a", "ADDED b"});
}

TEST_CASE("a dropped history or a future version ends a watch with an error") {
  WatchWorld w;
  const std::uint64_t version = w.add("v1", "Pod", "a")->version;
  w.add("v1", "Pod", "b");
  w.store.compact();
  Watcher old(9);
  w.watch("resourceVersion=" + std::to_string(version), old);
  CHECK(old.summary() == Events{"ERROR 410"});
  Watcher early(9);
  w.watch("sendInitialEvents=true&resourceVersionMatch=NotOlderThan&resourceVersion=9999", early);
  CHECK(early.summary() == Events{"ERROR 504"});
  w.faults.add(*parse_fault("gone"));
  Watcher unlucky(9);
  w.watch("resourceVersion=" + w.version(), unlucky);
  CHECK(unlucky.summary() == Events{"ERROR 410"});
  const std::string message = text((*parse_json(unlucky.events[0]))["object"]["message"]);
  const std::string current = w.version();
  const std::string asked = std::to_string(w.store.version() - 1);
  CHECK_MESSAGE(message == "too old resource version: " + asked + " (" + current + ")",
                "never the current version");
}

TEST_CASE("the garbage fault puts an event that is not JSON into a watch") {
  WatchWorld w;
  w.add("v1", "Pod", "a");
  w.faults.add(*parse_fault("garbage"));
  Watcher watcher(2);
  w.watch("", watcher);
  CHECK(watcher.summary() == Events{"garbage", "ADDED a"});
}

TEST_CASE("a watch ends after its timeout, with a bookmark shortly before") {
  WatchWorld w;
  Watcher watcher(9);
  OpenWatch watch =
      w.watch("allowWatchBookmarks=1&timeoutSeconds=10&resourceVersion=" + w.version(), watcher);
  REQUIRE(watch.next == w.clock.now() + std::chrono::seconds(8));
  w.clock.advance(std::chrono::seconds(8));
  watch.write();
  CHECK(watcher.summary() == Events{"BOOKMARK"});
  REQUIRE(watch.next == w.clock.now() + std::chrono::seconds(2));
  w.clock.advance(std::chrono::seconds(2));
  watch.write();
  CHECK(watch.has_ended());
  CHECK(watcher.summary() == Events{"BOOKMARK"});
}

TEST_CASE("a round of bookmarks wakes every watch, and reaches those that asked for them") {
  WatchWorld w;
  Watcher asked(9);
  Watcher other(9);
  OpenWatch first = w.watch("allowWatchBookmarks=1&resourceVersion=" + w.version(), asked);
  OpenWatch second = w.watch("resourceVersion=" + w.version(), other);
  w.store.request_bookmarks();
  for (OpenWatch* each : {&first, &second}) {
    CHECK(each->woken);
    each->write();
    each->write();
  }
  CHECK(asked.summary() == Events{"BOOKMARK"});
  CHECK(other.events.empty());
}

TEST_CASE("a watch of a custom type ends when its definition goes") {
  WatchWorld w;
  REQUIRE(w.objects.load(widget_definition()).has_value());
  Watcher watcher(9);
  OpenWatch watch(
      w.send("GET", "/apis/example.com/v1/widgets?watch=1&resourceVersion=" + w.version()),
      watcher);
  CHECK(w.objects
            .remove(w.type("apiextensions.k8s.io/v1", "CustomResourceDefinition"),
                    {"", "widgets.example.com"}, {})
            .has_value());
  CHECK(watch.woken);
  watch.write();
  CHECK(watch.has_ended());
  CHECK(watcher.events.empty());
}

TEST_CASE("a watch that is up to date is reported once") {
  int synced = 0;
  Router::Options options;
  options.on_synced = [&] { ++synced; };
  WatchWorld w(std::move(options));
  w.add("v1", "Pod", "a");
  Watcher watcher(1);
  OpenWatch watch = w.watch("", watcher);
  watch.write();
  CHECK(synced == 1);
}

TEST_CASE("a client that does not read gets the rest later, in order") {
  WatchWorld w;
  for (const char* name : {"a", "b", "c"}) w.add("v1", "Pod", name);
  Watcher watcher(2);
  OpenWatch watch = w.watch("", watcher);
  CHECK(watcher.summary() == Events{"ADDED a", "ADDED b"});
  CHECK_MESSAGE(watch.next == Clock::Mono::min(), "as soon as there is room");
  for (const char* name : {"d", "e"}) w.add("v1", "Pod", name);
  watcher.add_room(2);
  watch.write();
  watcher.add_room(2);
  watch.write();
  CHECK(watcher.summary() == Events{"ADDED a", "ADDED b", "ADDED c", "ADDED d", "ADDED e"});
}

TEST_CASE("a client that reads too late learns that the history is gone") {
  WatchWorld w(Router::Options(), 2);
  w.add("v1", "Pod", "a");
  Watcher watcher(1);
  OpenWatch watch = w.watch("", watcher);
  for (const char* name : {"b", "c", "d", "e"}) w.add("v1", "Pod", name);
  watcher.add_room(9);
  watch.write();
  CHECK(watcher.summary() == Events{"ADDED a", "ERROR 410"});
  CHECK(watch.has_ended());
}

TEST_CASE("a watch that is destroyed is not woken") {
  WatchWorld w;
  Watcher watcher(9);
  int calls = 0;
  HttpResponse response = w.send("GET", "/api/v1/pods?watch=1&resourceVersion=" + w.version());
  response.stream->start([&] { ++calls; });
  w.add("v1", "Pod", "a");
  CHECK(calls == 1);
  response.stream.reset();
  w.add("v1", "Pod", "b");
  CHECK(calls == 1);
}

TEST_CASE("a watch as a Table sends its columns once") {
  WatchWorld w;
  w.add("v1", "Pod", "a");
  w.add("v1", "Pod", "b");
  Watcher watcher(2);
  HttpRequest request = ApiWorld::request("GET", "/api/v1/pods?watch=1");
  request.accept = "application/json;as=Table;v=v1;g=meta.k8s.io";
  const OpenWatch watch(w.router.handle(request), watcher);
  REQUIRE(watcher.events.size() == 2);
  const auto columns = [&](std::size_t event) {
    return field(*parse_json(watcher.events[event]), "object", "columnDefinitions").size();
  };
  CHECK(columns(0) > 4);
  CHECK(columns(1) == 0);
}

}  // namespace
}  // namespace kinf::sandbox
