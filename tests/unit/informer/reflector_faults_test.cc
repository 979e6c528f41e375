// SPDX-License-Identifier: Apache-2.0
// How the reflector handles each failure of a request in Behaviour::strict. The golden vectors
// cover client_go.
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
using test::make_object;
using test::RecordingHandler;
using test::status_error;
using Texts = std::vector<std::string>;
using PumpedManual = test::PumpedInformer<test::ManualSource>;

/// The newest request: `list rv=0`, `stream rv=`, `watch rv=7`.
std::string asked(const PumpedManual& pumped) {
  const auto pending = pumped.source.pending();
  if (!pending) return "nothing";
  const ListOptions& options = pending->options;
  const char* kind = options.send_initial_events ? "stream" : "watch";
  return std::string(pending->is_watch ? kind : "list") + " rv=" + options.resource_version;
}

/// Advances the clock until the next request, and returns it.
std::string next_request(PumpedManual& pumped) {
  pumped.settle();
  for (int i = 0; i < 600 && !pumped.source.pending(); ++i) pumped.advance(1s);
  return asked(pumped);
}

/// Lists `a` at version 10 and watches for two seconds.
struct Watching : PumpedManual {
  explicit Watching(InformerOptions options = {}, InformerObserver* observer = nullptr)
      : PumpedManual(std::move(options), observer) {
    start();
    source.answer_list({make_object("a", "9")}, "10");
    settle();
    source.answer_watch();
    advance(2s);
  }
};

/// Has accepted a streaming list.
struct Streaming : PumpedManual {
  Streaming() {
    source.set_watch_list(true);
    start();
    source.answer_watch();
    settle();
  }
};

TEST_CASE("E11: a refused watch is retried with growing pauses, without a list") {
  PumpedManual pumped;
  pumped.start();
  pumped.source.answer_list({}, "10");
  pumped.settle();
  Clock::Duration waited{};
  for (int round = 0; round < 5; ++round) {
    pumped.source.answer_error({ErrorKind::network, "refused", NetworkFault::refused});
    const Clock::Mono before = pumped.clock.now();
    CHECK(next_request(pumped) == "watch rv=10");
    waited += pumped.clock.now() - before;
  }
  CHECK(waited > 6s);
  CHECK(pumped.informer.stats().lists == 1);
}

TEST_CASE("E13: throttling within a stream leads to a pause, not to a list") {
  Watching pumped;
  pumped.source.send_error(status_error(429, "TooManyRequests"));
  pumped.settle();
  CHECK(asked(pumped) == "nothing");
  CHECK(next_request(pumped) == "watch rv=10");
}

TEST_CASE("E17, E22: a watch from an expired version is reported as such and leads to a list") {
  std::vector<Error> reported;
  InformerOptions options;
  options.watch_error_handler = [&](const Error& error) { reported.push_back(error); };
  PumpedManual pumped(options);
  pumped.start();
  pumped.source.answer_list({}, "10");
  pumped.settle();
  pumped.source.answer_error(status_error(410, "Expired"));
  CHECK(next_request(pumped) == "list rv=10");
  REQUIRE(reported.size() == 1);
  REQUIRE(reported[0].status);
  CHECK(reported[0].status->reason == "Expired");
}

TEST_CASE("E18: the reason Gone, or only the code 410, counts as Expired") {
  for (const char* reason : {"Gone", ""}) {
    Watching pumped;
    pumped.source.send_error(status_error(410, reason));
    CHECK(next_request(pumped) == "list rv=10");
  }
}

TEST_CASE("E6: an error within a stream ends it and is reported to the observer") {
  struct Noting final : InformerObserver {
    void on_error(const InformerFailure& failure) override {
      texts.push_back(failure.error.message);
    }
    Texts texts;
  } observer;
  Watching pumped({}, &observer);
  pumped.source.send_error(status_error(500, "InternalError"));
  pumped.settle();
  CHECK_FALSE(pumped.source.stream_open());
  CHECK(observer.texts == Texts{"no"});
  CHECK(next_request(pumped) == "list rv=10");
}

TEST_CASE("a watch refused for a reason that a list would share is retried without a list") {
  for (const int code : {401, 403, 503}) {
    const char* reason = code == 401 ? "Unauthorized" : code == 403 ? "Forbidden" : "";
    PumpedManual pumped;
    pumped.start();
    pumped.source.answer_list({}, "10");
    pumped.settle();
    pumped.source.answer_error(status_error(code, reason));
    CHECK(next_request(pumped) == "watch rv=10");
  }
}

TEST_CASE("a list that cannot be queued changes nothing, is reported, and is retried") {
  std::vector<std::string> reported;
  bool failing = true;
  InformerOptions options;
  options.watch_error_handler = [&](const Error& error) { reported.push_back(error.message); };
  options.transform = [&](const ObjectPtr& object) -> Result<ObjectPtr> {
    if (failing) return fail(ErrorKind::internal, "transform failed");
    return object;
  };
  PumpedManual pumped(options);
  pumped.start();
  pumped.source.answer_list({make_object("a", "9")}, "10");
  pumped.settle();
  CHECK_FALSE(pumped.informer.has_synced());
  CHECK(pumped.informer.last_sync_resource_version().empty());
  CHECK(reported == Texts{"unable to sync list result: transform failed"});
  CHECK(next_request(pumped) == "list rv=0");
  failing = false;
  pumped.source.answer_list({make_object("a", "9")}, "10");
  pumped.settle();
  CHECK(pumped.informer.has_synced());
}

TEST_CASE("a late deletion of an earlier object of the same name does not delete the current one") {
  const auto with_uid = [](const std::string& uid, const std::string& version) {
    test::ObjectSpec spec;
    spec.name = "a";
    spec.uid = uid;
    spec.rv = version;
    return make_object(spec);
  };
  PumpedManual pumped;
  pumped.start();
  pumped.source.answer_list({with_uid("second", "20")}, "20");
  pumped.settle();
  pumped.source.answer_watch();
  pumped.source.send(WatchEventType::deleted, with_uid("first", "15"));
  pumped.settle();
  CHECK(pumped.informer.indexer().size() == 1);
  CHECK(pumped.informer.stats().version_regressions == 1);
  pumped.source.send(WatchEventType::deleted, with_uid("second", "21"));
  pumped.settle();
  CHECK(pumped.informer.indexer().size() == 0);
}

TEST_CASE("F3: without streaming lists, the first request is a list") {
  InformerOptions options;
  options.watch_list = WatchListMode::off;
  PumpedManual pumped(options);
  pumped.source.set_watch_list(true);
  pumped.start();
  CHECK(asked(pumped) == "list rv=0");
}

TEST_CASE("F4: changes before the end of a streaming list are part of it") {
  Streaming pumped;
  RecordingHandler handler;
  const auto registration = pumped.informer.add_event_handler(handler).value();
  pumped.source.send(WatchEventType::added, make_object("a", "1"));
  pumped.source.send(WatchEventType::modified, make_object("a", "2"));
  pumped.source.send(WatchEventType::added, make_object("b", "3"));
  pumped.source.send(WatchEventType::deleted, make_object("b", "4"));
  pumped.source.send(WatchEventType::deleted, make_object("never there", "4"));
  pumped.source.send_bookmark("5", true);
  pumped.settle();
  CHECK(handler.take() == Texts{"ADDED a@2 initial", "SYNCED 1"});
}

TEST_CASE("watches that close within seconds again and again resume after growing pauses") {
  struct Observer final : InformerObserver {
    void on_watch_closed(const WatchEnded& ended) override { notices += ended.is_tenth_brief; }
    int notices = 0;
  } observer;
  Watching pumped({}, &observer);
  const Clock::Mono end = pumped.clock.now() + 2min;
  int watches = 0;
  for (; pumped.clock.now() < end; ++watches) {
    pumped.source.send(WatchEventType::modified, make_object("a", std::to_string(11 + watches)));
    pumped.advance(1200ms);
    pumped.source.close_stream();
    CHECK(next_request(pumped) == "watch rv=" + std::to_string(11 + watches));
    pumped.source.answer_watch();
  }
  CHECK(watches < 40);
  CHECK(observer.notices == 1);
  pumped.advance(10s);  // a watch that lives long enough is resumed at once
  pumped.source.close_stream();
  pumped.settle();
  CHECK(pumped.source.pending());
}

TEST_CASE("F5: throttling of a streaming list does not lead to pages") {
  PumpedManual pumped;
  pumped.source.set_watch_list(true);
  pumped.start();
  for (int round = 0; round < 2; ++round) {
    pumped.source.answer_error(status_error(429, "TooManyRequests"));
    CHECK(next_request(pumped) == "stream rv=");
  }
}

TEST_CASE("F6, F10: a broken streaming list starts again, and none of its objects are visible") {
  Streaming pumped;
  pumped.source.send(WatchEventType::added, make_object("a", "6"));
  pumped.advance(2s);
  pumped.source.close_stream();
  CHECK(next_request(pumped) == "stream rv=");
  CHECK(pumped.informer.indexer().size() == 0);
  CHECK(pumped.informer.last_sync_resource_version().empty());
  pumped.source.answer_watch();
  pumped.source.send(WatchEventType::added, make_object("b", "7"));
  pumped.source.send_bookmark("8", true);
  pumped.settle();
  CHECK(pumped.informer.indexer().list_keys() == Texts{"default/b"});
  CHECK(pumped.informer.last_sync_resource_version() == "8");
}

TEST_CASE("F7, F9: after its list, a stream is a watch like any other") {
  Streaming pumped;
  pumped.source.send_bookmark("3", true);
  pumped.advance(2s);
  SUBCASE("that is resumed when it ends") {
    pumped.source.close_stream();
    CHECK(next_request(pumped) == "watch rv=3");
  }
  SUBCASE("and that is followed by a list from its version when that has expired") {
    pumped.source.send_error(status_error(410, "Expired"));
    CHECK(next_request(pumped) == "stream rv=3");
  }
}

TEST_CASE(
    "a streaming list from a version that the server has not reached asks for the newest state") {
  Streaming pumped;
  pumped.source.send_bookmark("3", true);
  pumped.advance(2s);
  pumped.source.send_error(status_error(410, "Expired"));
  CHECK(next_request(pumped) == "stream rv=3");
  pumped.source.answer_error(status_error(410, "Expired"));
  pumped.settle();
  CHECK(asked(pumped) == "stream rv=");
  // The newest state cannot be expired: a server that says so is not asked again at once.
  pumped.source.answer_error(status_error(410, "Expired"));
  pumped.settle();
  CHECK(asked(pumped) == "nothing");
  CHECK(next_request(pumped) == "stream rv=");
}

TEST_CASE("a network error of a streaming list does not lead to pages") {
  Streaming pumped;
  pumped.source.break_stream({ErrorKind::network, "reset", NetworkFault::reset});
  pumped.settle();
  CHECK(asked(pumped) == "nothing");
  CHECK(next_request(pumped) == "stream rv=");
}

/// Returns when an informer sends its requests while the source refuses all of them.
std::vector<Clock::Mono> moments_of_retries(InformerOptions options) {
  test::FakeClock clock;
  auto owned = std::make_unique<test::ManualSource>(clock);
  test::ManualSource& source = *owned;
  SharedInformer informer(std::move(owned), clock, std::move(options));
  CHECK(informer.begin());
  while (source.asked().size() < 5) {
    StepResult result = informer.step();
    while (result.moved) result = informer.step();
    if (source.pending()) {
      source.answer_error({ErrorKind::network, "connection refused", NetworkFault::refused});
    } else {
      clock.advance(result.wake - clock.now());
    }
  }
  std::vector<Clock::Mono> moments;
  for (const test::AskedRequest& request : source.asked()) moments.push_back(request.at);
  informer.finish();
  return moments;
}

TEST_CASE("informers without a seed retry at different moments, with a seed at the same ones") {
  CHECK(moments_of_retries({}) != moments_of_retries({}));
  InformerOptions seeded;
  seeded.seed = 7;
  CHECK(moments_of_retries(seeded) == moments_of_retries(seeded));
}

}  // namespace
}  // namespace kinf
