// SPDX-License-Identifier: Apache-2.0
#include "kinf/informer/setback_check.h"

#include <doctest/doctest.h>

#include <chrono>
#include <string>
#include <vector>

#include "fakes/manual_source.h"
#include "fakes/object_builder.h"
#include "fakes/pumped_informer.h"
#include "fakes/recording_handler.h"
#include "fakes/status_error.h"

namespace kinf {
namespace {

using namespace std::chrono_literals;
using test::make_object;
using test::status_error;
using Texts = std::vector<std::string>;

const Error kNoServer(ErrorKind::network, "refused", NetworkFault::refused);

struct Reasons : InformerObserver {
  void on_relisting(const Relisted& list) override { reasons.push_back(list.reason); }
  Texts reasons;
};

/// An informer that watches from version 10, whose source can tell the newest version.
struct CheckedWatch : Reasons, test::PumpedInformer<test::ManualSource> {
  explicit CheckedWatch(InformerOptions options = {}) : PumpedInformer(std::move(options), this) {
    source.set_tells_version(true);
    start();
    source.answer_list({make_object("a", "9")}, "10");
    settle();
    source.answer_watch();
    advance(10s);
  }
  /// The requests that were not looked at yet: `watch 10`, `list `, `newest`.
  Texts asked() {
    Texts texts;
    const auto all = source.asked();
    for (; seen_ < all.size(); ++seen_) {
      const ListOptions& options = all[seen_].options;
      texts.push_back(all[seen_].is_watch  ? "watch " + options.resource_version
                      : options.limit == 1 ? "newest"
                                           : "list " + options.resource_version);
    }
    return texts;
  }
  /// Breaks the watch, refuses the next one and accepts the one after it.
  void reconnect() {
    source.close_stream();
    advance(1s);
    source.answer_error(kNoServer);
    for (int i = 0; i < 100 && !source.pending(); ++i) advance(100ms);
    asked();
    watch_ = source.asked().size() - 1;
    source.answer_watch();
    settle();
  }
  /// Makes the open watch the one that the test's next calls refer to.
  void to_watch() { CHECK(source.choose(watch_)); }

 private:
  std::size_t seen_ = 0;
  std::size_t watch_ = 0;
};

TEST_CASE("A server that comes back with older versions is listed again at once") {
  CheckedWatch pumped;
  pumped.reconnect();
  CHECK(pumped.asked() == Texts{"newest"});
  pumped.source.answer_list({}, "7");
  pumped.advance(1s);
  CHECK(pumped.asked() == Texts{"list "});
  pumped.source.answer_list({}, "7");
  pumped.settle();
  CHECK(pumped.asked() == Texts{"watch 7"});
  CHECK(pumped.reasons == Texts{"resourceVersion went back from 10 to 7"});
  CHECK(pumped.informer.indexer().size() == 0);
}

TEST_CASE("A server that comes back with the same or newer versions is only watched") {
  for (const char* version : {"10", "11", "9a", ""}) {
    CheckedWatch pumped;
    pumped.reconnect();
    CHECK(pumped.asked() == Texts{"newest"});
    pumped.source.answer_list({make_object("a", "9")}, version);
    pumped.advance(60s);
    CHECK(pumped.asked().empty());
    CHECK(pumped.informer.stats().lists == 1);
  }
}

TEST_CASE("An ordinary close of a watch does not ask for the newest version") {
  CheckedWatch pumped;
  pumped.asked();
  pumped.source.close_stream();
  pumped.settle();
  pumped.source.answer_watch();
  pumped.advance(60s);
  CHECK(pumped.asked() == Texts{"watch 10"});
}

TEST_CASE("A source that cannot tell its newest version is only watched") {
  CheckedWatch pumped;
  pumped.source.set_tells_version(false);
  pumped.reconnect();
  pumped.advance(60s);
  CHECK(pumped.asked().empty());
  CHECK(pumped.source.stream_open());
}

TEST_CASE("Events that arrive before the newest version do not make it look old") {
  CheckedWatch pumped;
  pumped.reconnect();
  const std::size_t newest = pumped.source.asked().size() - 1;
  pumped.to_watch();
  pumped.source.send(WatchEventType::modified, make_object("a", "30"));
  pumped.settle();
  CHECK(pumped.source.choose(newest));
  pumped.source.answer_list({}, "20");
  pumped.advance(5s);
  pumped.to_watch();
  CHECK(pumped.source.stream_open());
  CHECK(pumped.informer.last_sync_resource_version() == "30");
}

TEST_CASE("A check that fails is made again at most twice, and the watch goes on") {
  CheckedWatch pumped;
  pumped.reconnect();
  for (int i = 0; i < 2; ++i) {
    CHECK(pumped.asked() == Texts{"newest"});
    pumped.source.answer_error(status_error(503, "ServiceUnavailable"));
    pumped.advance(2s);
  }
  CHECK(pumped.asked() == Texts{"newest"});
  pumped.advance(60s);  // no answer
  CHECK(pumped.asked().empty());
  pumped.to_watch();
  CHECK(pumped.source.stream_open());
  pumped.source.send(WatchEventType::modified, make_object("a", "12"));
  pumped.settle();
  CHECK(pumped.informer.last_sync_resource_version() == "12");

  SUBCASE("the next watch makes it again, even after an ordinary close") {
    pumped.source.close_stream();
    pumped.settle();
    pumped.source.answer_watch();
    pumped.settle();
    CHECK(pumped.asked() == Texts{"watch 12", "newest"});
    pumped.source.answer_list({}, "12");
    pumped.settle();
  }
}

TEST_CASE("A check that is denied is not made again") {
  CheckedWatch pumped;
  pumped.reconnect();
  CHECK(pumped.asked() == Texts{"newest"});
  pumped.source.answer_error(status_error(403, "Forbidden"));
  pumped.advance(60s);
  CHECK(pumped.asked().empty());
  pumped.to_watch();
  pumped.source.close_stream();
  pumped.settle();
  pumped.source.answer_watch();
  pumped.settle();
  CHECK(pumped.asked() == Texts{"watch 10"});
}

TEST_CASE("A server that does not know the last version after a failure is listed at once") {
  CheckedWatch pumped;
  pumped.source.close_stream();
  pumped.advance(1s);
  for (int i = 0; i < 6; ++i) {  // the backoff grows
    pumped.source.answer_error(kNoServer);
    for (int wait = 0; wait < 600 && !pumped.source.pending(); ++wait) pumped.advance(100ms);
  }
  pumped.asked();
  pumped.source.answer_error(
      status_error(504, "Timeout", "Too large resource version: 10, current: 7"));
  pumped.advance(1s);
  CHECK(pumped.asked() == Texts{"list "});
  pumped.source.answer_list({}, "7");
  pumped.settle();
  CHECK(pumped.reasons == Texts{"resourceVersion went back from 10 to 7"});
}

TEST_CASE("A watch that was silent for too long is checked when it is opened again") {
  InformerOptions options;
  options.stall_timeout = 30s;
  CheckedWatch pumped(options);
  pumped.asked();
  pumped.advance(31s);
  pumped.source.answer_watch();
  pumped.settle();
  CHECK(pumped.asked() == Texts{"watch 10", "newest"});
}

TEST_CASE("A watch that continues what an earlier run knew is checked when it opens") {
  test::PumpedInformer<test::ManualSource> pumped;
  pumped.source.set_tells_version(true);
  pumped.source.set_fresh_list(false);
  pumped.start();
  pumped.source.answer_list({make_object("a", "9")}, "10");
  pumped.settle();
  pumped.source.answer_watch();
  pumped.settle();
  const auto asked = pumped.source.pending();
  REQUIRE(asked);
  CHECK(asked->options.limit == 1);
  pumped.source.set_fresh_list(true);
  pumped.source.answer_list({}, "7");
  pumped.advance(1s);
  pumped.source.answer_list({}, "7");
  pumped.settle();
  CHECK(pumped.informer.last_sync_resource_version() == "7");
  CHECK(pumped.informer.indexer().size() == 0);
}

TEST_CASE("A list settles what a check would find") {
  CheckedWatch pumped;
  pumped.source.close_stream();
  pumped.advance(1s);
  pumped.source.answer_error(kNoServer);
  for (int i = 0; i < 100 && !pumped.source.pending(); ++i) pumped.advance(100ms);
  pumped.source.answer_error(test::expired());
  for (int i = 0; i < 100 && !pumped.source.pending(); ++i) pumped.advance(100ms);
  pumped.asked();
  pumped.source.answer_list({}, "12");
  pumped.settle();
  pumped.source.answer_watch();
  pumped.advance(10s);
  CHECK(pumped.asked() == Texts{"watch 12"});
  CHECK(pumped.reasons == Texts{"resourceVersion 10 expired"});
}

TEST_CASE("Behaviour::client_go does not ask for the newest version") {
  InformerOptions options;
  options.behaviour = Behaviour::client_go;
  CheckedWatch pumped(options);
  pumped.reconnect();
  pumped.advance(60s);
  CHECK(pumped.asked().empty());
}

}  // namespace
}  // namespace kinf
