// SPDX-License-Identifier: Apache-2.0
#include "kinf/informer/reflector.h"

#include <doctest/doctest.h>

#include <chrono>
#include <string>
#include <vector>

#include "fakes/manual_source.h"
#include "fakes/object_builder.h"
#include "fakes/pumped_informer.h"
#include "fakes/recording_handler.h"
#include "fakes/status_error.h"
#include "kinf/api/api_status.h"
#include "kinf/informer/informer_observer.h"

namespace kinf {
namespace {

using namespace std::chrono_literals;
using test::expired;
using test::make_object;
using test::status_error;
using Texts = std::vector<std::string>;
using PumpedManual = test::PumpedInformer<test::ManualSource>;

Error throttled() { return status_error(429, "TooManyRequests"); }
Error refused() { return {ErrorKind::network, "refused", NetworkFault::refused}; }

/// `list rv=0 limit=500`, `watch rv=7`.
Texts texts_of(const std::vector<test::AskedRequest>& asked) {
  Texts texts;
  for (const test::AskedRequest& one : asked) {
    const ListOptions& options = one.options;
    std::string text = one.is_watch ? (options.send_initial_events ? "stream" : "watch") : "list";
    text += " rv=" + options.resource_version;
    if (options.limit != 0) text += " limit=" + std::to_string(options.limit);
    if (!options.continue_token.empty()) text += " continue=" + options.continue_token;
    texts.push_back(text);
  }
  return texts;
}

/// Lists `a` at version 10 and opens the watch.
void list_and_watch(PumpedManual& pumped) {
  pumped.start();
  pumped.source.answer_list({make_object("a", "9")}, "10");
  pumped.settle();
  pumped.source.answer_watch();
  pumped.settle();
}

/// Advances until the next request; returns how long that took.
Clock::Duration until_request(PumpedManual& pumped) {
  const Clock::Mono start = pumped.clock.now();
  pumped.settle();
  while (!pumped.source.pending()) {
    REQUIRE(pumped.clock.now() - start < 10min);
    pumped.advance(pumped.settle() - pumped.clock.now());
  }
  return pumped.clock.now() - start;
}

TEST_CASE(
    "D1: the first list accepts any state, in pages; later ones start from the last version") {
  PumpedManual pumped;
  list_and_watch(pumped);
  pumped.source.send_error(expired());
  until_request(pumped);
  CHECK(texts_of(pumped.source.asked()) ==
        Texts{"list rv=0 limit=500", "watch rv=10", "list rv=10"});
}

TEST_CASE("D4: after 410 a list is retried at once for the newest state") {
  PumpedManual pumped;
  list_and_watch(pumped);
  pumped.source.send_error(expired());
  until_request(pumped);
  pumped.source.answer_error(expired());
  pumped.settle();
  CHECK(texts_of(pumped.source.asked()) ==
        Texts{"list rv=0 limit=500", "watch rv=10", "list rv=10", "list rv="});
}

TEST_CASE("D5: an expired page is followed by one full list of the same version") {
  InformerOptions options;
  options.behaviour = Behaviour::client_go;  // strict sends no page size for a certain version
  options.page_size = 4;
  PumpedManual pumped(options);
  list_and_watch(pumped);
  pumped.source.send_error(expired());
  until_request(pumped);
  pumped.source.answer_list(
      {make_object("a", "9"), make_object("b", "9"), make_object("c", "9"), make_object("d", "9")},
      "11", "c4");
  pumped.settle();
  pumped.source.answer_error(expired());
  pumped.settle();
  CHECK(texts_of(pumped.source.asked()) == Texts{"list rv=0 limit=4", "watch rv=10",
                                                 "list rv=10 limit=4",
                                                 "list rv= limit=4 continue=c4", "list rv=10"});
}

TEST_CASE("D6: a version that is too large, in each wording, leads to a list of the newest state") {
  ApiStatus modern;
  modern.code = 504;
  modern.reason = "Timeout";
  modern.causes.push_back({"ResourceVersionTooLarge", "Too large resource version", ""});
  ApiStatus older = modern;
  older.causes = {{"", "Too large resource version", ""}};
  ApiStatus oldest = modern;
  oldest.causes.clear();
  oldest.message = "Too large resource version: 10, current: 5";
  for (const ApiStatus& status : {modern, older, oldest}) {
    PumpedManual pumped;
    list_and_watch(pumped);
    pumped.source.send_error(expired());
    until_request(pumped);
    pumped.source.answer_error(to_error(status));
    pumped.settle();
    CHECK(texts_of(pumped.source.asked()).back() == "list rv=");
    // Once only: the second failure waits.
    pumped.source.answer_error(to_error(status));
    pumped.settle();
    CHECK_FALSE(pumped.source.pending());
  }
}

TEST_CASE("a list older than the last version is retried once, then taken") {
  PumpedManual pumped;
  test::RecordingHandler handler;
  const auto registration = pumped.informer.add_event_handler(handler).value();
  list_and_watch(pumped);
  pumped.source.send(WatchEventType::modified, make_object("a", "20"));
  pumped.source.send_error(expired());
  until_request(pumped);
  handler.take();
  pumped.source.answer_list({make_object("a", "5")}, "6");
  pumped.settle();
  CHECK(texts_of(pumped.source.asked()).back() == "list rv=");
  pumped.source.answer_list({make_object("a", "5")}, "6");
  pumped.settle();
  CHECK(pumped.informer.last_sync_resource_version() == "6");
  CHECK(handler.take() == Texts{"MODIFIED a@20->5 (relist)"});
}

TEST_CASE("K29: an object older than the stored one is taken from a list that is newer") {
  PumpedManual pumped;
  test::RecordingHandler handler;
  const auto registration = pumped.informer.add_event_handler(handler).value();
  list_and_watch(pumped);
  pumped.source.send(WatchEventType::modified, make_object("a", "20"));
  pumped.source.send_error(expired());
  until_request(pumped);
  handler.take();
  pumped.source.answer_list({make_object("a", "15")}, "30");
  pumped.settle();
  CHECK(pumped.informer.indexer().get_by_key("default/a")->resource_version() == "15");
  CHECK(handler.take() == Texts{"MODIFIED a@20->15 (relist)"});
}

TEST_CASE("K29: a bookmark older than the last version leads to a list of the newest state") {
  PumpedManual pumped;
  list_and_watch(pumped);
  pumped.source.send(WatchEventType::modified, make_object("a", "20"));
  pumped.source.send_bookmark("20", false);
  pumped.settle();
  CHECK_FALSE(pumped.source.pending());
  pumped.source.send_bookmark("12", false);
  until_request(pumped);
  CHECK(texts_of(pumped.source.asked()).back() == "list rv= limit=500");
}

/// Opens silent watches until one is not followed by another. Returns their number.
int mute_watches_until_list(PumpedManual& pumped) {
  for (int count = 1;; ++count) {
    pumped.advance(90s);
    until_request(pumped);
    if (!pumped.source.asked().back().is_watch) return count;
    pumped.source.answer_watch();
    pumped.settle();
  }
}

void list_and_watch_again(PumpedManual& pumped) {
  pumped.source.answer_list({make_object("a", "9")}, "10");
  until_request(pumped);
  pumped.source.answer_watch();
  pumped.settle();
}

TEST_CASE("K29: watches without events or bookmarks lead to lists, less and less often") {
  PumpedManual pumped;
  list_and_watch(pumped);
  CHECK(mute_watches_until_list(pumped) == 2);
  list_and_watch_again(pumped);
  CHECK(mute_watches_until_list(pumped) == 4);
  list_and_watch_again(pumped);
  // A bookmark: the count starts again, and this watch does not count.
  pumped.source.send_bookmark("11", false);
  CHECK(mute_watches_until_list(pumped) == 3);
}

TEST_CASE("E8: a watch that ends at once without an event leads to a list, with growing pauses") {
  PumpedManual pumped;
  list_and_watch(pumped);
  Clock::Duration waited{};
  for (int round = 0; round < 8; ++round) {
    pumped.source.close_stream();
    waited += until_request(pumped);
    CHECK_FALSE(pumped.source.pending()->is_watch);
    pumped.source.answer_list({make_object("a", "9")}, "10");
    until_request(pumped);
    pumped.source.answer_watch();
    pumped.settle();
  }
  CHECK(waited > 40s);
}

TEST_CASE("E12: a throttled watch is retried without a list") {
  PumpedManual pumped;
  pumped.start();
  pumped.source.answer_list({}, "10");
  pumped.settle();
  for (int round = 0; round < 4; ++round) {
    pumped.source.answer_error(throttled());
    CHECK(until_request(pumped) >= 400ms);
  }
  CHECK(texts_of(pumped.source.asked()) == Texts{"list rv=0 limit=500", "watch rv=10",
                                                 "watch rv=10", "watch rv=10", "watch rv=10",
                                                 "watch rv=10"});
}

TEST_CASE("E14: the Retry-After of the server is obeyed") {
  PumpedManual pumped;
  list_and_watch(pumped);
  Error error = throttled();
  error.retry_after = 20s;
  pumped.source.send_error(error);
  CHECK(until_request(pumped) >= 20s);
  CHECK(pumped.source.pending()->is_watch);
}

TEST_CASE("E16: 410 in a stream leads to a list from the last version, not of the newest state") {
  PumpedManual pumped;
  list_and_watch(pumped);
  pumped.source.send(WatchEventType::added, make_object("b", "12"));
  pumped.source.send_error(expired());
  until_request(pumped);
  CHECK(texts_of(pumped.source.asked()).back() == "list rv=12");
}

TEST_CASE("versions that expire as soon as they were listed lead to a list of the newest state") {
  PumpedManual pumped;
  list_and_watch(pumped);
  for (int round = 0; round < 2; ++round) {
    pumped.source.send_error(expired());
    until_request(pumped);
    if (round == 1) break;
    pumped.source.answer_list({}, "10");
    until_request(pumped);
    pumped.source.answer_watch();
    pumped.settle();
  }
  CHECK(texts_of(pumped.source.asked()).back() == "list rv= limit=500");
}

TEST_CASE("a watch that cannot be opened because of the network does not lead to a list") {
  PumpedManual pumped;
  list_and_watch(pumped);
  pumped.advance(10s);
  pumped.source.break_stream({ErrorKind::network, "reset by peer", NetworkFault::reset});
  pumped.settle();
  for (const NetworkFault fault :
       {NetworkFault::refused, NetworkFault::timeout, NetworkFault::dns}) {
    pumped.source.answer_error({ErrorKind::network, "no way", fault});
    CHECK(until_request(pumped) >= 400ms);
  }
  CHECK(texts_of(pumped.source.asked()) == Texts{"list rv=0 limit=500", "watch rv=10",
                                                 "watch rv=10", "watch rv=10", "watch rv=10",
                                                 "watch rv=10"});
}

TEST_CASE("E24: time alone does not shorten the pauses between failures") {
  PumpedManual pumped;
  pumped.start();
  Clock::Duration last{};
  const Clock::Mono start = pumped.clock.now();
  while (pumped.clock.now() - start < 10min) {
    pumped.source.answer_error(refused());
    last = until_request(pumped);
  }
  CHECK(last >= 15s);
  CHECK(last <= 30s);
}

TEST_CASE("F1: a streaming list becomes the watch with one request and one replace") {
  PumpedManual pumped;
  test::RecordingHandler handler;
  const auto registration = pumped.informer.add_event_handler(handler).value();
  pumped.source.set_watch_list(true);
  pumped.start();
  const ListOptions options = pumped.source.pending()->options;
  CHECK(options.send_initial_events);
  CHECK(options.resource_version_match == "NotOlderThan");
  CHECK(options.allow_watch_bookmarks);
  pumped.source.answer_watch();
  pumped.source.send(WatchEventType::added, make_object("a", "3"));
  pumped.source.send(WatchEventType::added, make_object("b", "4"));
  pumped.source.send(WatchEventType::deleted, make_object("b", "5"));
  pumped.settle();
  CHECK(handler.take().empty());
  pumped.source.send_bookmark("7", true);
  pumped.settle();
  CHECK(handler.take() == Texts{"ADDED a@3 initial", "SYNCED 1"});
  CHECK(pumped.informer.last_sync_resource_version() == "7");
  pumped.source.send(WatchEventType::modified, make_object("a", "8"));
  pumped.settle();
  CHECK(handler.take() == Texts{"MODIFIED a@3->8"});
  CHECK(pumped.source.asked().size() == 1);
}

TEST_CASE("F2: a server that refuses streaming lists is listed in pages from then on") {
  for (const int code : {400, 422}) {
    PumpedManual pumped;
    pumped.source.set_watch_list(true);
    pumped.start();
    pumped.source.answer_error(status_error(code, code == 400 ? "BadRequest" : "Invalid"));
    list_and_watch(pumped);
    CHECK(texts_of(pumped.source.asked()) ==
          Texts{"stream rv=", "list rv=0 limit=500", "watch rv=10"});
    pumped.source.send_error(expired());
    until_request(pumped);
    CHECK(texts_of(pumped.source.asked()).back() == "list rv=10");
  }
}

TEST_CASE("F8: a bookmark without the mark does not end the streaming list") {
  PumpedManual pumped;
  pumped.source.set_watch_list(true);
  pumped.start();
  pumped.source.answer_watch();
  pumped.source.send_bookmark("7", false);
  pumped.settle();
  CHECK_FALSE(pumped.informer.has_synced());
}

TEST_CASE("F13: a streaming list that never ends is replaced by pages, permanently") {
  PumpedManual pumped;
  pumped.source.set_watch_list(true);
  pumped.start();
  pumped.source.answer_watch();
  pumped.source.send(WatchEventType::added, make_object("a", "3"));
  pumped.advance(9s);
  CHECK_FALSE(pumped.source.pending());
  pumped.advance(1s);
  list_and_watch(pumped);
  CHECK(pumped.informer.has_synced());
  pumped.source.send_error(expired());
  until_request(pumped);
  CHECK(texts_of(pumped.source.asked()) ==
        Texts{"stream rv=", "list rv=0 limit=500", "watch rv=10", "list rv=10"});
  CHECK_FALSE(pumped.source.supports_watch_list());  // the source remembers it
}

TEST_CASE("F13: a streaming list that trickles without an end is replaced too") {
  PumpedManual pumped;
  pumped.source.set_watch_list(true);
  pumped.start();
  pumped.source.answer_watch();
  for (int second = 0; second < 60 && pumped.source.stream_open(); second += 5) {
    pumped.source.send(WatchEventType::modified, make_object("a", std::to_string(second)));
    pumped.advance(5s);
  }
  CHECK(texts_of(pumped.source.asked()).back() == "list rv=0 limit=500");
}

TEST_CASE("F14: a streaming list that closes twice before its end is replaced by pages") {
  PumpedManual pumped;
  pumped.source.set_watch_list(true);
  pumped.start();
  for (int round = 0; round < 2; ++round) {
    until_request(pumped);
    pumped.source.answer_watch();
    pumped.source.send(WatchEventType::added, make_object("a", "3"));
    pumped.source.close_stream();
  }
  until_request(pumped);
  CHECK(texts_of(pumped.source.asked()) ==
        Texts{"stream rv=", "stream rv=", "list rv=0 limit=500"});
}

struct StallObserver final : InformerObserver {
  void on_stalled(Clock::Duration silent) override { silences.push_back(silent); }
  void on_error(const InformerFailure& failure) override { failures.push_back(failure); }
  void on_recovered(Clock::Duration) override { ++recoveries; }
  std::vector<Clock::Duration> silences;
  std::vector<InformerFailure> failures;
  int recoveries = 0;
};

TEST_CASE("a silent watch is quietly resumed on a new connection") {
  StallObserver observer;
  PumpedManual pumped({}, &observer);
  list_and_watch(pumped);
  pumped.advance(89s);
  CHECK_FALSE(pumped.source.pending());
  pumped.advance(1s);
  CHECK(pumped.source.resets() == 1);
  CHECK(texts_of(pumped.source.asked()).back() == "watch rv=10");
  pumped.source.answer_watch();
  pumped.settle();
  CHECK(observer.silences.empty());
}

TEST_CASE("a silent watch whose successor gets no answer is reported as stalled") {
  StallObserver observer;
  PumpedManual pumped({}, &observer);
  list_and_watch(pumped);
  SUBCASE("because the new connection is refused") {
    pumped.advance(90s);
    pumped.source.answer_error(refused());
    pumped.settle();
    REQUIRE(observer.silences.size() == 1);
    CHECK(observer.silences[0] == 90s);
    until_request(pumped);
  }
  SUBCASE("because it is silent too") {
    pumped.advance(180s);
    REQUIRE(observer.silences.size() == 1);
    CHECK(observer.silences[0] == 180s);
    until_request(pumped);
  }
  CHECK(observer.recoveries == 0);
  pumped.source.answer_watch();
  pumped.settle();
  CHECK(observer.recoveries == 1);
}

TEST_CASE("a failure is reported with how long it has lasted, until it ends") {
  StallObserver observer;
  Texts handed_out;
  InformerOptions options;
  options.watch_error_handler = [&](const Error& error) { handed_out.push_back(error.message); };
  PumpedManual pumped(options, &observer);
  pumped.start();
  for (int round = 0; round < 4; ++round) {
    pumped.source.answer_error(status_error(403, "Forbidden", "pods is forbidden"));
    until_request(pumped);
  }
  REQUIRE(observer.failures.size() == 4);
  CHECK(observer.failures[0].error.kind == ErrorKind::forbidden);
  CHECK(observer.failures[0].lasted == 0s);
  CHECK(observer.failures[3].lasted > 3s);
  CHECK(handed_out[0] == "failed to list pods: pods is forbidden");
  CHECK(pumped.informer.last_error()->kind == ErrorKind::forbidden);
  pumped.source.answer_list({}, "10");
  pumped.settle();
  CHECK(observer.recoveries == 1);
  CHECK_FALSE(pumped.informer.last_error());
}

TEST_CASE("the watch error handler gets every kind of failure, refused connections too") {
  for (const bool streaming : {true, false}) {
    Texts failures;
    InformerOptions options;
    options.watch_error_handler = [&](const Error& error) { failures.push_back(error.message); };
    PumpedManual pumped(options);
    pumped.source.set_watch_list(streaming);
    pumped.start();
    pumped.source.answer_error(refused());
    until_request(pumped);
    CHECK(failures.size() == 1);
    pumped.source.answer_error(throttled());
    until_request(pumped);
    CHECK(failures.size() == 2);
    if (streaming) continue;
    pumped.source.answer_list({}, "10");
    pumped.settle();
    pumped.source.answer_error(refused());
    until_request(pumped);
    CHECK(failures.size() == 3);
    pumped.source.answer_watch();
    pumped.source.close_stream();
    until_request(pumped);
    REQUIRE(failures.size() == 4);
    CHECK(failures[3].starts_with("very short watch"));
  }
}

TEST_CASE("E2: events of another kind are dropped, and the version stays") {
  InformerOptions options;
  options.expected_api_version = "v1";
  options.expected_kind = "Service";
  PumpedManual pumped(options);
  list_and_watch(pumped);
  pumped.source.send(WatchEventType::added, make_object("b", "12"));
  pumped.settle();
  CHECK(pumped.informer.last_sync_resource_version() == "10");
  CHECK(pumped.informer.stats().foreign_events == 1);
}

TEST_CASE("E32: a watch without a version does not resume from its initial additions") {
  PumpedManual pumped;
  pumped.start();
  pumped.source.answer_list({}, "0");
  pumped.settle();
  pumped.source.answer_watch();
  pumped.source.send(WatchEventType::added, make_object("a", "12"));
  pumped.settle();
  CHECK(pumped.informer.last_sync_resource_version() == "0");
  pumped.source.send_bookmark("13");
  pumped.settle();
  CHECK(pumped.informer.last_sync_resource_version() == "13");
}

}  // namespace
}  // namespace kinf
