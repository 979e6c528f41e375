// SPDX-License-Identifier: Apache-2.0
#include "kinf/recording/play/stream_decoder.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "kinf/base/limits.h"
#include "unit/recording/play/stream_rig.h"

namespace kinf::test {
namespace {

using Lines = std::vector<std::string>;

/// Returns `type apiVersion kind source line` for each item, then the error. Feeds `step` bytes at
/// a time.
Lines decode(const std::string& text, std::size_t step = 1 << 20,
             std::size_t max_bytes = limits::kDocumentBytes) {
  constexpr const char* kTypes[] = {"object", "added", "modified", "deleted", "end", "error"};
  StreamDecoder decoder(max_bytes);
  Lines lines;
  const auto drain = [&] {
    for (;;) {
      const Result<std::optional<StreamItem>> item = decoder.next();
      if (!item) {
        if (lines.empty() || lines.back() != item.error().message) {
          lines.push_back(item.error().message);
        }
        return;
      }
      if (!*item) return;
      lines.push_back(fmt::format(
          "{} {} {}{} @{}", kTypes[static_cast<int>((*item)->type)], (*item)->api_version,
          (*item)->kind, (*item)->source == ChangeSource::list ? " list" : "", (*item)->line));
    }
  };
  for (std::size_t i = 0; i < text.size(); i += step) {
    decoder.feed(std::string_view(text).substr(i, step));
    drain();
  }
  decoder.finish();
  drain();
  return lines;
}

TEST_CASE("Members after the items of a List, and more items, are no object") {
  const std::string item = R"({"metadata":{"name":"a"}})";
  for (const char* const more : {R"("items":5)", R"("items":null)", R"("object":{"kind":"x"})",
                                 R"("kind":"Node","apiVersion":"v2","type":"ADDED")"}) {
    const std::string text =
        R"({"kind":"PodList","apiVersion":"v1","items":[)" + item + "]," + more + "}";
    for (const std::size_t step : {1, 7, 1000})
      CHECK(decode(text, step) == Lines{"object v1 Pod list @1"});
  }
  const std::string twice = R"({"kind":"PodList","apiVersion":"v1","items":[)" + item +
                            R"(],"kind":"Node","items":[)" + item + "]}";
  for (const std::size_t step : {1, 7, 1000}) {
    CHECK(decode(twice, step) == Lines{"object v1 Pod list @1", "object v1 Pod list @1"});
  }
}

TEST_CASE("A stream holds events, objects and Lists, on one line or several") {
  const std::string text = event_json("ADDED", pod_json("a", 1), R"(,"source":"list")") +
                           "{\n  \"type\": \"DELETED\",\n  \"object\": " + pod_json("a", 2) +
                           "\n}\n\n" + pod_json("b", 3) + pod_json("c", 3) +
                           "\n{\"apiVersion\":\"v1\",\n\"items\":[\n" + pod_json("d", 4) + ",\n" +
                           pod_json("e", 5) + "],\"kind\":\"List\"}\n" +
                           R"({"kind":"PodList","apiVersion":"v1","items":[{"metadata":{}}]})";
  const Lines expected = {"added v1 Pod list @1",   "deleted v1 Pod @2",
                          "object v1 Pod @7",       "object v1 Pod @7",
                          "object v1 Pod list @10", "object v1 Pod list @11",
                          "object v1 Pod list @12"};
  CHECK(decode(text) == expected);
  CHECK(decode(text, 1) == expected);
  CHECK(decode(text, 7) == expected);
}

TEST_CASE("An event of kinf says when and how it arrived, and by whom") {
  StreamDecoder decoder;
  decoder.feed(event_json("MODIFIED", pod_json("a", 1),
                          R"(,"finalStateUnknown":true,"time":"1970-01-01T00:00:02.034Z",)"
                          R"("source":"relist","resource":"pods","key":"x","manager":"k\"l")"));
  const StreamItem item = decoder.next().value().value();
  CHECK(item.time == Clock::Wall(std::chrono::milliseconds(2034)));
  CHECK(item.source == ChangeSource::relist);
  CHECK(item.manager == "k\"l");
  CHECK(item.resource == "pods");
  CHECK(item.final_state_unknown);
  CHECK(item.json == pod_json("a", 1));
}

TEST_CASE("A time of an event that would overflow is limited as in a recording") {
  for (const char* time : {"0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z"}) {
    StreamDecoder decoder;
    decoder.feed(event_json("MODIFIED", pod_json("a", 1), fmt::format(R"(,"time":"{}")", time)));
    const Clock::Wall found = decoder.next().value().value().time.value();
    CHECK(std::chrono::abs(found - Clock::Wall()) < std::chrono::hours(24 * 366 * 147));
  }
}

TEST_CASE("Only the BOOKMARK at the end of the initial list counts") {
  const std::string plain = R"({"kind":"Pod","metadata":{"resourceVersion":"7"}})";
  const std::string end =
      R"({"metadata":{"annotations":{"k8s.io/initial-events-end":"true"}},"kind":"Pod"})";
  CHECK(decode(event_json("BOOKMARK", plain) + event_json("BOOKMARK", end)) ==
        Lines{"end  Pod @2"});
}

TEST_CASE("Text that is no stream of objects is an error with its line") {
  const std::string expected =
      "expected an object or event of kinf or kubectl with -o json, found ";
  const std::string good = pod_json("a", 1) + "\n";
  const auto error_of = [&](const std::string& text) { return decode(good + text).back(); };
  CHECK(error_of("\n hello\n") == "line 3: " + expected + "hello");
  CHECK(error_of("[1]") == "line 2: " + expected + "an array");
  CHECK(error_of("{}") == "line 2: " + expected + "another one");
  CHECK(error_of(R"({"type":"ADDED","object":3})") == "line 2: " + expected + "another one");
  CHECK(error_of(R"({"items":{}})") == "line 2: " + expected + "an object as items");
  CHECK(error_of(R"({"items":[3]})") == "line 2: " + expected + "3");
  CHECK(error_of("{\n\"a\" 1}").starts_with("line 3: invalid JSON at byte"));
  CHECK(error_of(event_json("UPDATED", "{}")) == "line 2: unknown type \"UPDATED\" of an event");
  CHECK(decode(good + "x")[0] == "object v1 Pod @1");
}

TEST_CASE("A stream that was cut is an error with the line of the object") {
  const std::string good = pod_json("a", 1) + "\n";
  CHECK(decode(good + "{\"kind\":\n\"Pod\"").back() == "line 2: the input ends within object 2");
  CHECK(decode(good + R"({"items":[)" + good + ",{").back() ==
        "line 3: the input ends within object 3");
  CHECK(decode(good).size() == 1);
  CHECK(decode("").empty());
}

TEST_CASE("An object that is too large is an error, a long List is not") {
  const std::string pod = pod_json("a", 1);
  std::string list = R"({"apiVersion":"v1","items":[)" + pod;
  for (int i = 0; i < 20; ++i) list += "," + pod;
  CHECK(decode(list + "]}", 64, 400).size() == 21);
  const std::string large =
      R"({"apiVersion":"v1","kind":"Pod","data":")" + std::string(600, 'x') + "\"}";
  CHECK(decode(pod + large, 64, 400).back() == "line 1: a value is larger than 400 bytes");
  std::string deep = R"({"type":"ADDED","object":{"a":)";
  deep += std::string(100'000, '[');
  CHECK(decode(deep).back() == "line 1: the input ends within object 1");
}

TEST_CASE("A List without items holds nothing") {
  CHECK(decode(R"({"apiVersion":"v1","items":[],"kind":"List"})").empty());
  CHECK(decode(R"({"apiVersion":"v1","kind":"PodList","items":null})").empty());
}

}  // namespace
}  // namespace kinf::test
