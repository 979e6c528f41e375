// SPDX-License-Identifier: Apache-2.0
// What a list asks for in Behaviour::strict, by what the source serves from memory.
#include "kinf/informer/list_round.h"

#include <doctest/doctest.h>

#include <chrono>
#include <string>
#include <vector>

#include "fakes/fake_clock.h"
#include "fakes/manual_source.h"
#include "fakes/object_builder.h"
#include "fakes/pumped_informer.h"
#include "fakes/status_error.h"
#include "kinf/api/api_status.h"

namespace kinf {
namespace {

using namespace std::chrono_literals;
using test::expired;
using test::make_object;
using test::status_error;
using Texts = std::vector<std::string>;

struct Listing : test::PumpedInformer<test::ManualSource> {
  explicit Listing(NewestFromMemory newest, InformerOptions options = {})
      : PumpedInformer(std::move(options)) {
    source.set_newest_from_memory(newest);
    start();
  }

  /// All requests so far: `list rv= limit=500`, `watch rv=7`.
  Texts asked() const {
    Texts texts;
    for (const test::AskedRequest& one : source.asked()) {
      const ListOptions& options = one.options;
      const char* watch = options.send_initial_events ? "stream" : "watch";
      std::string text = std::string(one.is_watch ? watch : "list") + " rv=";
      text += options.resource_version;
      if (options.limit != 0) text += " limit=" + std::to_string(options.limit);
      if (!options.continue_token.empty()) text += " continue=" + options.continue_token;
      texts.push_back(text);
    }
    return texts;
  }
  void answer(const std::string& version) {
    source.answer_list({make_object("a", "9")}, version);
    settle();
  }
  /// Ends the list at `version` and the watch after it, and waits for the next list.
  void list_and_expire(const std::string& version) {
    answer(version);
    source.answer_watch();
    source.send_error(expired());
    settle();
    advance(3s);
  }
};

TEST_CASE("a source that serves newest pages from memory is always asked for them") {
  Listing listing(NewestFromMemory::pages);
  listing.list_and_expire("10");
  CHECK(listing.asked() == Texts{"list rv= limit=500", "watch rv=10", "list rv= limit=500"});
}

TEST_CASE("a source that serves only whole newest lists from memory gets no page size") {
  Listing listing(NewestFromMemory::whole);
  listing.list_and_expire("10");
  CHECK(listing.asked() == Texts{"list rv=", "watch rv=10", "list rv="});
}

TEST_CASE("another source is asked for any version, and then for the last one without pages") {
  InformerOptions options;
  options.page_size = 4;  // with it, the server would return exactly the last version
  Listing listing(NewestFromMemory::none, options);
  listing.list_and_expire("10");
  CHECK(listing.asked() == Texts{"list rv=0 limit=4", "watch rv=10", "list rv=10"});
}

TEST_CASE("the page size 0 means no pages") {
  InformerOptions options;
  options.page_size = 0;
  Listing listing(NewestFromMemory::pages, options);
  CHECK(listing.asked() == Texts{"list rv="});
}

TEST_CASE("client_go: a list does not depend on what the source serves from memory") {
  InformerOptions options;
  options.behaviour = Behaviour::client_go;
  Listing listing(NewestFromMemory::pages, options);
  listing.source.begin_list({}, "c1");
  listing.settle();
  CHECK(listing.asked() == Texts{"list rv=0 limit=500"});
}

TEST_CASE("pages are requested ahead of time, and become one list") {
  Listing listing(NewestFromMemory::pages);
  listing.source.begin_list({}, "c1");
  listing.settle();
  CHECK(listing.asked() == Texts{"list rv= limit=500", "list rv= limit=1000 continue=c1"});
  listing.source.answer_list({make_object("b", "8")}, "11", "");
  listing.settle();
  CHECK_FALSE(listing.informer.has_synced());
  REQUIRE(listing.source.choose(0));
  listing.source.answer_list({make_object("a", "9")}, "10", "c1");
  listing.settle();
  CHECK(listing.informer.has_synced());
  CHECK(listing.informer.indexer().size() == 2);
  CHECK(listing.asked().back() == "watch rv=10");
}

TEST_CASE("pages of the default size double, pages of another size do not") {
  for (const std::int64_t size : {500, 4}) {
    InformerOptions options;
    options.page_size = size;
    Listing listing(NewestFromMemory::pages, options);
    listing.source.begin_list({}, "c1");
    listing.settle();
    CHECK(listing.asked().back() ==
          "list rv= limit=" + std::string(size == 4 ? "4" : "1000") + " continue=c1");
  }
}

TEST_CASE("a stop cancels all pages in flight") {
  Listing listing(NewestFromMemory::pages);
  listing.source.begin_list({}, "c1");
  listing.settle();
  listing.informer.finish();
  CHECK_FALSE(listing.source.choose(0));
  CHECK_FALSE(listing.source.choose(1));
  CHECK(listing.informer.indexer().size() == 0);
}

TEST_CASE("if the newest state does not arrive within 5 s, the list asks for any version") {
  Listing listing(NewestFromMemory::pages);
  listing.advance(4900ms);
  CHECK(listing.asked().size() == 1);
  listing.advance(200ms);
  CHECK(listing.asked() == Texts{"list rv= limit=500", "list rv=0"});
  CHECK_FALSE(listing.source.choose(0));
  REQUIRE(listing.source.choose(1));
  listing.advance(20s);  // and this request waits
  listing.answer("10");
  CHECK(listing.informer.has_synced());
  CHECK(listing.asked().back() == "watch rv=10");
}

TEST_CASE(
    "if the newest state does not arrive within 5 s, a later list asks for the last version") {
  Listing listing(NewestFromMemory::pages);
  listing.list_and_expire("10");
  listing.advance(5s);
  CHECK(listing.asked().back() == "list rv=10");
}

TEST_CASE("a list of which a byte has arrived is waited for") {
  Listing listing(NewestFromMemory::pages);
  listing.source.begin_list({make_object("a", "9")}, "");
  listing.advance(20s);
  CHECK(listing.asked() == Texts{"list rv= limit=500"});
}

TEST_CASE("a list from memory that is older than the last version is discarded") {
  Listing listing(NewestFromMemory::pages);
  listing.list_and_expire("10");
  listing.advance(5s);
  listing.answer("7");
  CHECK(listing.asked().back() == "list rv= limit=500");
  listing.advance(20s);  // the newest state is needed now, however long it takes
  CHECK(listing.asked().back() == "list rv= limit=500");
  listing.answer("12");
  CHECK(listing.informer.last_sync_resource_version() == "12");
}

TEST_CASE("a list that asks again waits until the rate of requests permits it") {
  test::FakeClock clock;
  test::ManualSource source(clock);
  VersionTracker versions(Behaviour::strict);
  DialPacer pacer(1, 400ms);
  const InformerOptions options;
  ListRound list(source, versions, pacer, clock, options);
  versions.listed("10");
  pacer.dialled(clock.now());  // by the caller of start()
  list.start();
  source.answer_error(expired());
  CHECK_FALSE(list.poll());
  CHECK(source.asked().size() == 1);
  CHECK(list.deadline() == clock.now() + 400ms);
  clock.advance(400ms);
  CHECK_FALSE(list.poll());
  CHECK(source.asked().size() == 2);
  source.answer_list({make_object("a", "9")}, "12");
  const auto outcome = list.poll();
  REQUIRE(outcome);
  REQUIRE(*outcome);
  CHECK((*outcome)->resource_version == "12");
}

TEST_CASE("list_only: no watch and no further list follows the first complete list") {
  InformerOptions options;
  options.list_only = true;
  Listing listing(NewestFromMemory::pages, options);
  listing.source.answer_error(status_error(500, "InternalError"));
  listing.advance(3s);
  listing.answer("10");
  CHECK(listing.informer.has_synced());
  listing.advance(10min);
  CHECK(listing.asked() == Texts{"list rv= limit=500", "list rv= limit=500"});
}

TEST_CASE("list_only: a streaming list ends with its list") {
  InformerOptions options;
  options.list_only = true;
  test::PumpedInformer<test::ManualSource> pumped(options);
  pumped.source.set_watch_list(true);
  pumped.start();
  pumped.source.answer_watch();
  pumped.source.send(WatchEventType::added, make_object("a", "9"));
  pumped.source.send_bookmark("10", true);
  pumped.advance(10min);
  CHECK(pumped.informer.has_synced());
  CHECK_FALSE(pumped.source.stream_open());
  CHECK(pumped.source.asked().size() == 1);
}

}  // namespace
}  // namespace kinf
