// SPDX-License-Identifier: Apache-2.0
#include "kinf/recording/resumed_source.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "fakes/fake_clock.h"
#include "fakes/manual_source.h"
#include "fakes/object_builder.h"
#include "fakes/recording_handler.h"
#include "fakes/status_error.h"
#include "kinf/informer/informer_observer.h"
#include "kinf/informer/shared_informer.h"
#include "kinf/testing/fake_source.h"

namespace kinf::test {
namespace {

using namespace std::chrono_literals;

/// An informer that continues the watch of a session that knew `a` at version 10.
struct ResumedInformer : InformerObserver {
  ResumedInformer()
      : server(*owned),
        informer(std::make_unique<ResumedSource>(std::move(owned),
                                                 std::vector{make_object("a", "9")}, "10"),
                 clock, {}, this) {
    server.set_tells_version(true);
    informer.begin().value();
    testing::settle(informer);
  }
  void on_relisting(const Relisted& list) override { reasons.push_back(list.reason); }
  void answer_list(const std::string& version) {
    server.answer_list({}, version);
    testing::advance(informer, clock, 1s);
  }

  FakeClock clock;
  std::unique_ptr<ManualSource> owned = std::make_unique<ManualSource>(clock);
  ManualSource& server;
  std::vector<std::string> reasons;
  SharedInformer informer;
};

TEST_CASE("An informer continues the watch of an earlier session without a list") {
  ResumedInformer resumed;
  const auto asked = resumed.server.asked();
  REQUIRE(asked.size() == 1);
  CHECK(asked[0].is_watch);
  CHECK(asked[0].options.resource_version == "10");
  CHECK(resumed.informer.indexer().get_by_key("default/a") != nullptr);
}

TEST_CASE("A continued watch of a server that was restored from a backup is noticed") {
  ResumedInformer resumed;
  resumed.server.answer_watch();
  testing::settle(resumed.informer);
  REQUIRE(resumed.server.asked().size() == 2);
  CHECK(resumed.server.asked()[1].options.limit == 1);
  resumed.answer_list("7");  // the newest version
  resumed.answer_list("7");  // the list
  CHECK(resumed.reasons == std::vector<std::string>{"resourceVersion went back from 10 to 7"});
  CHECK(resumed.informer.indexer().size() == 0);
  // The server's list is known to be its own.
  resumed.server.answer_watch();
  testing::settle(resumed.informer);
  CHECK(resumed.server.asked().size() == 4);
}

TEST_CASE("A continued watch whose version has expired is replaced by a list") {
  ResumedInformer resumed;
  resumed.server.answer_error(expired());
  for (int i = 0; i < 100 && !resumed.server.pending(); ++i) {
    testing::advance(resumed.informer, resumed.clock, 100ms);
  }
  resumed.answer_list("20");
  CHECK(resumed.reasons == std::vector<std::string>{"resourceVersion 10 expired"});
  CHECK(resumed.informer.last_sync_resource_version() == "20");
}

}  // namespace
}  // namespace kinf::test
