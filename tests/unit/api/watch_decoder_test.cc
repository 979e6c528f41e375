// SPDX-License-Identifier: Apache-2.0
#include "kinf/api/watch_decoder.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <vector>

#include "fakes/fixture.h"
#include "kinf/api/api_status.h"
#include "kinf/api/object.h"

namespace kinf {
namespace {

using test::fixture;

constexpr const char* kTypes[] = {"ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR"};

/// One line for each event, `broken: MESSAGE` for an error of the stream.
std::vector<std::string> drain(WatchDecoder& decoder) {
  std::vector<std::string> lines;
  for (;;) {
    const auto next = decoder.next();
    if (!next) {
      lines.push_back("broken: " + next.error().message);
      return lines;
    }
    if (!*next) return lines;
    const WatchEvent& event = **next;
    std::string line = kTypes[static_cast<int>(event.type)];
    if (event.object) {
      Scratch scratch;
      line += fmt::format(" {} {}", event.object->key(), event.object->json(scratch));
    }
    if (event.initial_events_end) line += " end";
    if (event.error) line += " " + event.error->message;
    lines.push_back(line + " @" + event.resource_version);
  }
}

std::vector<std::string> decode(std::string_view bytes, std::size_t pieces = 1) {
  WatchDecoder decoder{DecodeOptions{}};
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < pieces; ++i) {
    const std::size_t from = bytes.size() * i / pieces;
    const std::size_t to = bytes.size() * (i + 1) / pieces;
    decoder.feed(bytes.substr(from, to - from));
    for (std::string& line : drain(decoder)) lines.push_back(std::move(line));
  }
  CHECK_FALSE(decoder.mid_event());
  return lines;
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

TEST_CASE("E28: events are the same however their bytes are cut and separated") {
  for (const char* name : {"watch/story.ndjson", "watch/story-table.ndjson",
                           "watch/watchlist-table.ndjson", "watch/configmap-recreate.ndjson"}) {
    CAPTURE(name);
    const std::string body = fixture(name);
    const auto whole = decode(body);
    CHECK(whole.size() >= 2);
    CHECK(decode(body, 1000) == whole);
    CHECK(decode(body, body.size()) == whole);
    CHECK(decode(replaced(body, "}\n{", "}\r\n \t\n{"), 777) == whole);
    CHECK(decode(replaced(body, "}\n{", "}{"), 3) == whole);
  }
  const auto whole = decode(fixture("watch/story.ndjson"));
  CHECK(decode(replaced(fixture("watch/story.ndjson"),
                        "}\n{\"type\":", "}\r\n{ \"extra\" : [1] ,\"type\" :\t")) == whole);
}

TEST_CASE("recorded watches give their events") {
  const auto story = decode(fixture("watch/configmap-recreate.ndjson"));
  REQUIRE(story.size() == 2);
  CHECK(story[0].starts_with("DELETED shop/"));
  CHECK(story[1].starts_with("ADDED shop/"));
  const auto bookmarks = decode(fixture("watch/idle-bookmarks-150s.ndjson"));
  CHECK(bookmarks == std::vector<std::string>{"BOOKMARK @569", "BOOKMARK @577"});
  CHECK(decode(fixture("watch/watchlist-empty.ndjson")) ==
        std::vector<std::string>{"BOOKMARK end @295"});
  CHECK(decode(fixture("watch/watchlist-widgets.ndjson")).size() >= 3);
  CHECK(decode(fixture("watch/story-partialmeta.ndjson")).size() >= 4);
}

TEST_CASE("Table events carry cells and share columns, their bookmarks carry only a version") {
  WatchDecoder decoder{DecodeOptions{}};
  decoder.feed(fixture("watch/watchlist-table.ndjson"));
  std::vector<WatchEvent> events;
  for (auto next = decoder.next(); next && *next; next = decoder.next()) {
    events.push_back(std::move(**next));
  }
  REQUIRE(events.size() >= 3);
  REQUIRE(events[0].object);
  REQUIRE(events[0].object->columns());
  CHECK(events[0].object->columns()->columns.at(0).name == "Name");
  CHECK(events[1].object->columns() == events[0].object->columns());
  CHECK(events[1].object->cells().starts_with("[\"web-"));
  CHECK(events.back().type == WatchEventType::bookmark);
  CHECK(events.back().initial_events_end);
  CHECK(events.back().resource_version == "295");

  DecodeOptions options;
  options.columns = decoder.columns();
  WatchDecoder again(options);
  again.feed(fixture("watch/story-table.ndjson"));
  const auto first = again.next();
  REQUIRE((first && *first));
  CHECK((*first)->object->columns() == events[0].object->columns());
}

TEST_CASE("a Table event of several rows is several events") {
  const auto lines = decode(
      R"({"object":{"rows":[{"cells":["a"],"object":{"metadata":{"name":"a","resourceVersion":"1"}}},)"
      R"({"object":{"metadata":{"name":"b","resourceVersion":"2"}},"cells":["b"]}],)"
      R"("columnDefinitions":[{"name":"Name"}],"kind":"Table"},"type":"ADDED"})");
  CHECK(lines ==
        std::vector<std::string>{R"(ADDED a {"metadata":{"name":"a","resourceVersion":"1"}} @1)",
                                 R"(ADDED b {"metadata":{"name":"b","resourceVersion":"2"}} @2)"});
}

TEST_CASE("an ERROR event carries the Status, in a Table watch too") {
  for (const char* name : {"error/410-watch.ndjson", "error/410-watch-table.ndjson"}) {
    WatchDecoder decoder{DecodeOptions{}};
    decoder.feed(fixture(name));
    const auto next = decoder.next();
    REQUIRE((next && *next));
    CHECK((*next)->type == WatchEventType::error);
    REQUIRE((*next)->error);
    CHECK(is_expired(*(*next)->error));
    CHECK((*next)->error->message == "too old resource version: 331 (384)");
  }
  WatchDecoder decoder{DecodeOptions{}};
  decoder.feed(fixture("error/504-rv-too-large-watchlist.ndjson"));
  const auto next = decoder.next();
  REQUIRE((next && *next));
  CHECK(is_too_large_resource_version(*(*next)->error));
}

TEST_CASE("E33: an ERROR event without a Status quotes what came instead") {
  for (const char* object : {R"({"kind":"Pod"})", "\"text\"", "null", "7"}) {
    const auto lines = decode(fmt::format(R"({{"type":"ERROR","object":{}}})", object));
    CHECK(lines == std::vector<std::string>{
                       fmt::format("ERROR unexpected object in an ERROR event: {} @", object)});
  }
}

TEST_CASE("E25: an event that is cut off has no effect") {
  const std::string body = fixture("watch/configmap-recreate.ndjson");
  WatchDecoder decoder{DecodeOptions{}};
  decoder.feed(std::string_view(body).substr(0, body.size() - 20));
  const auto lines = drain(decoder);
  CHECK(lines.size() + 1 == decode(body).size());
  CHECK(decoder.mid_event());
  CHECK(drain(decoder).empty());
}

TEST_CASE("E26: malformed JSON ends the stream with an error, after the complete events") {
  const std::string good = R"({"type":"ADDED","object":{"metadata":{"name":"a"}}})";
  for (const char* bad : {"}", "[", "]", "7 ", "\"x\"", "{]", "{\"type\" \"ADDED\"}",
                          R"({"type":"ADDED","object":[]})", R"({"type":"ADDED","object":"x"})",
                          R"({"type":"ADDED","object":{"metadata":{"name":1}}})",
                          R"({"type":"ADDED","object":{"metadata":{}}})", R"({"type":"ADDED"})",
                          R"({"object":{}})", "{}", "HTTP/1.1 400"}) {
    CAPTURE(bad);
    WatchDecoder decoder{DecodeOptions{}};
    decoder.feed(good + bad + good);
    const auto lines = drain(decoder);
    REQUIRE(lines.size() == 2);
    CHECK(lines[0] == R"(ADDED a {"metadata":{"name":"a"}} @)");
    CHECK(lines[1].starts_with("broken: watch event: "));
    CHECK(drain(decoder) == std::vector<std::string>{lines[1]});
  }
}

TEST_CASE("E27: an unknown event type is an error") {
  WatchDecoder decoder{DecodeOptions{}};
  decoder.feed(R"({"type":"FOO","object":{"metadata":{"name":"a"}}})");
  CHECK(drain(decoder) == std::vector<std::string>{"broken: watch event: unknown type \"FOO\""});
}

TEST_CASE("E29: an object of more than 16 MiB is delivered, one above the limit is an error") {
  const std::string large(std::size_t{17} << 20, 'x');
  const std::string event =
      R"({"type":"ADDED","object":{"metadata":{"name":"a"},"data":")" + large + R"("}})";
  WatchDecoder decoder{DecodeOptions{}};
  for (std::size_t at = 0; at < event.size(); at += 1 << 16) {
    decoder.feed(std::string_view(event).substr(at, 1 << 16));
    if (at + (1 << 16) < event.size()) CHECK(drain(decoder).empty());
  }
  CHECK(drain(decoder).size() == 1);
  DecodeOptions options;
  options.max_bytes = 1 << 20;
  WatchDecoder small(options);
  small.feed(std::string_view(event).substr(0, 2 << 20));
  CHECK(drain(small) ==
        std::vector<std::string>{"broken: watch event: a value is larger than 1048576 bytes"});
}

}  // namespace
}  // namespace kinf
