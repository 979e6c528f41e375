// SPDX-License-Identifier: Apache-2.0
// A watch from its first event to its end, on a clock that stands still.
#include "kinf/sandbox/api/watch_stream.h"

#include <doctest/doctest.h>

#include <functional>
#include <thread>

#include "unit/sandbox/api/api_world.h"

namespace kinf::sandbox {
namespace {

/// A client that closes after a number of events. Between them it changes the world.
class Watcher final : public ByteSink {
 public:
  Watcher(std::size_t enough, std::function<void(std::size_t)> after_event = {})
      : enough_(enough), after_event_(std::move(after_event)) {}

  bool write(std::string_view bytes) override {
    events.push_back(std::string(bytes));
    if (after_event_) after_event_(events.size());
    return is_open();
  }
  bool is_open() override { return events.size() < enough_; }

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
  const std::size_t enough_;
  const std::function<void(std::size_t)> after_event_;
};

using Events = std::vector<std::string>;

struct World : ApiWorld {
  using ApiWorld::ApiWorld;
  void watch(const std::string& query, ByteSink& sink) {
    const HttpResponse response = send("GET", "/api/v1/pods?watch=1&" + query);
    REQUIRE(response.stream);
    response.stream(sink);
  }
  void label(const std::string& name, const std::string& value) {
    REQUIRE(send("PATCH", "/api/v1/namespaces/default/pods/" + name,
                 R"({"metadata":{"labels":{"app":")" + value + "\"}}}")
                .code == 200);
  }
};

TEST_CASE("a watch without a version sends the existing objects and then changes") {
  World w;
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
  World w;
  const std::uint64_t version = w.add("v1", "Pod", "a")->version;
  w.add("v1", "Pod", "b");
  Watcher watcher(1);
  w.watch("resourceVersion=" + std::to_string(version), watcher);
  CHECK(watcher.summary() == Events{"ADDED b"});
}

TEST_CASE("an object that enters the selection is added, one that leaves it is deleted") {
  World w;
  w.add("v1", "Pod", "a");
  const std::string from = "&resourceVersion=" + std::to_string(w.store.version());
  for (const char* value : {"web", "other"}) w.label("a", value);
  Watcher watcher(2);
  w.watch("labelSelector=app=web" + from, watcher);
  CHECK(watcher.summary() == Events{"ADDED a", "DELETED a"});
  const Json last = (*parse_json(watcher.events[1]))["object"];
  CHECK_MESSAGE(last["metadata"]["labels"]["app"] == "web", "the state that matched");
  CHECK(last["metadata"]["resourceVersion"] == std::to_string(w.store.version()));
}

TEST_CASE("a watch of one name in the path is about that object") {
  World w;
  w.add("v1", "Pod", "a");
  w.add("v1", "Pod", "b");
  Watcher watcher(1);
  const HttpResponse response = w.send("GET", "/api/v1/namespaces/default/pods/b?watch=1");
  REQUIRE(response.stream);
  response.stream(watcher);
  CHECK(watcher.summary() == Events{"ADDED b"});
}

TEST_CASE("a streaming list ends its initial events with a marked bookmark") {
  World w;
  w.add("v1", "Pod", "a");
  const char* query =
      "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=1";
  Watcher watcher(2);
  w.watch(query, watcher);
  CHECK(watcher.summary() == Events{"ADDED a", "BOOKMARK"});
  const Json mark = (*parse_json(watcher.events[1]))["object"];
  CHECK(mark["metadata"]["annotations"]["k8s.io/initial-events-end"] == "true");
  CHECK(mark["metadata"]["resourceVersion"] == std::to_string(w.store.version()));

  w.faults.add(*parse_fault("no-bookmark-end"));
  Watcher unmarked(2, [&](std::size_t count) {
    if (count == 1) w.add("v1", "Pod", "b");
  });
  w.watch(query, unmarked);
  CHECK(unmarked.summary() == Events{"ADDED a", "ADDED b"});
}

TEST_CASE("a dropped history or a future version ends a watch with an error") {
  World w;
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
  w.watch("resourceVersion=" + std::to_string(w.store.version()), unlucky);
  CHECK(unlucky.summary() == Events{"ERROR 410"});
}

TEST_CASE("the garbage fault puts an event that is not JSON into a watch") {
  World w;
  w.add("v1", "Pod", "a");
  w.faults.add(*parse_fault("garbage"));
  Watcher watcher(2);
  w.watch("", watcher);
  CHECK(watcher.summary() == Events{"garbage", "ADDED a"});
}

TEST_CASE("a watch ends after its timeout, with a bookmark shortly before") {
  World w;
  Watcher watcher(9);
  std::jthread stream([&] {
    w.watch("allowWatchBookmarks=1&timeoutSeconds=10&resourceVersion=" +
                std::to_string(w.store.version()),
            watcher);
  });
  for (int i = 0; i < 20; ++i) {
    w.clock.wait_for_sleepers(1);
    w.clock.advance(std::chrono::milliseconds(500));
  }
  stream.join();
  CHECK(watcher.summary() == Events{"BOOKMARK"});
}

TEST_CASE("a round of bookmarks reaches every watch that asked for them") {
  World w;
  Watcher watcher(1);
  std::jthread stream([&] {
    w.watch("allowWatchBookmarks=1&resourceVersion=" + std::to_string(w.store.version()), watcher);
  });
  w.clock.wait_for_sleepers(1);
  w.store.request_bookmarks();
  stream.join();
  CHECK(watcher.summary() == Events{"BOOKMARK"});
}

TEST_CASE("a watch of a custom type ends when its definition goes") {
  World w;
  REQUIRE(w.objects.load(widget_definition()).has_value());
  Watcher watcher(9);
  std::jthread stream([&] {
    const HttpResponse response =
        w.send("GET", "/apis/example.com/v1/widgets?watch=1&resourceVersion=" +
                          std::to_string(w.store.version()));
    response.stream(watcher);
  });
  w.clock.wait_for_sleepers(1);
  CHECK(w.objects
            .remove(w.type("apiextensions.k8s.io/v1", "CustomResourceDefinition"),
                    {"", "widgets.example.com"}, {})
            .has_value());
  stream.join();
  CHECK(watcher.events.empty());
}

TEST_CASE("stop ends a watch, and the first one that is up to date is reported") {
  std::stop_source stop;
  int synced = 0;
  Router::Options options;
  options.stop = stop.get_token();
  options.on_synced = [&] {
    ++synced;
    stop.request_stop();
  };
  World w(std::move(options));
  w.add("v1", "Pod", "a");
  Watcher watcher(9);
  w.watch("", watcher);
  CHECK(synced == 1);
  CHECK(watcher.summary() == Events{"ADDED a"});
}

TEST_CASE("a watch as a Table sends its columns once") {
  World w;
  w.add("v1", "Pod", "a");
  w.add("v1", "Pod", "b");
  Watcher watcher(2);
  HttpRequest request = ApiWorld::request("GET", "/api/v1/pods?watch=1");
  request.accept = "application/json;as=Table;v=v1;g=meta.k8s.io";
  w.router.handle(request).stream(watcher);
  REQUIRE(watcher.events.size() == 2);
  const auto columns = [&](std::size_t event) {
    return field(*parse_json(watcher.events[event]), "object", "columnDefinitions").size();
  };
  CHECK(columns(0) > 4);
  CHECK(columns(1) == 0);
}

}  // namespace
}  // namespace kinf::sandbox
