// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "fakes/manual_source.h"
#include "fakes/object_builder.h"
#include "fakes/pumped_informer.h"
#include "fakes/recording_handler.h"

namespace kinf {
namespace {

using test::make_object;
using test::ManualSource;
using test::RecordingHandler;
using Texts = std::vector<std::string>;

ObjectPtr pod(const std::string& name, const std::string& version, const std::string& uid = "u") {
  return make_object({"default", name, version, uid, {}, {}});
}

struct Rig {
  explicit Rig(InformerOptions options = {}) : pumped(std::move(options)) {
    direct.delivery = Delivery::direct;
    registration = pumped.informer.add_event_handler(handler, direct).value();
  }
  HandlerOptions direct;
  RecordingHandler handler;
  test::PumpedInformer<ManualSource> pumped;
  HandlerRegistration registration;
};

TEST_CASE("the first list after a restore reports what changed, deletions included") {
  Rig rig;
  CHECK(rig.pumped.informer
            .restore({pod("gone", "3"), pod("new-uid", "4"), pod("other", "5"), pod("same", "6")},
                     true)
            .has_value());
  rig.pumped.start();
  CHECK(rig.handler.take() ==
        Texts{"KNOWN gone@3", "KNOWN new-uid@4", "KNOWN other@5", "KNOWN same@6"});
  CHECK(rig.pumped.source.pending()->options.resource_version == "6");
  rig.pumped.source.answer_list(
      {pod("added", "7"), pod("new-uid", "8", "v"), pod("other", "9"), pod("same", "6")}, "10");
  rig.pumped.settle();
  CHECK(rig.handler.take() == Texts{"DELETED gone@3 unknown (relist)", "ADDED added@7 (relist)",
                                    "DELETED new-uid@4 unknown (relist)",
                                    "ADDED new-uid@8 recreated (relist)",
                                    "MODIFIED other@5->9 (relist)", "SYNCED 4"});
}

TEST_CASE("a handler that is added after an empty restore and an empty list syncs") {
  for (const QueueKind queue :
       {QueueKind::in_order_atomic, QueueKind::in_order, QueueKind::delta}) {
    InformerOptions options;
    options.queue = queue;
    Rig rig(std::move(options));
    rig.pumped.informer.restore({}, true).value();
    rig.pumped.start();
    rig.pumped.source.answer_list({}, "10");
    rig.pumped.settle();
    CHECK(rig.handler.take() == Texts{"SYNCED 0"});
    RecordingHandler late;
    const auto registration = rig.pumped.informer.add_event_handler(late).value();
    rig.pumped.settle();
    CHECK(late.take() == Texts{"SYNCED 0"});
    CHECK(registration.has_synced());
  }
}

TEST_CASE("after a restore that is not complete, unknown objects are initial ones") {
  Rig rig;
  rig.pumped.informer.restore({pod("a", "3"), pod("b", "3")}, false).value();
  rig.pumped.start();
  rig.handler.take();
  rig.pumped.source.answer_list({pod("a", "4"), pod("b", "5", "v"), pod("c", "3")}, "5");
  rig.pumped.settle();
  CHECK(rig.handler.take() == Texts{"MODIFIED a@3->4", "DELETED b@3 unknown", "ADDED b@5 recreated",
                                    "ADDED c@3 initial", "SYNCED 3"});
}

TEST_CASE("a server that was restored from a backup since the restore is believed") {
  Rig rig;
  rig.pumped.informer.restore({pod("a", "30"), pod("b", "20")}, true).value();
  rig.pumped.start();
  rig.handler.take();
  rig.pumped.source.answer_list({pod("a", "10"), pod("b", "9")}, "11");
  rig.pumped.settle();
  CHECK(rig.pumped.source.pending()->options.resource_version.empty());  // the newest state
  rig.pumped.source.answer_list({pod("a", "10"), pod("b", "9")}, "11");
  rig.pumped.settle();
  CHECK(rig.handler.take() ==
        Texts{"MODIFIED a@30->10 (relist)", "MODIFIED b@20->9 (relist)", "SYNCED 2"});
}

TEST_CASE("a handler that is added after the first list gets all objects as initial ones") {
  Rig rig;
  rig.pumped.informer.restore({pod("a", "3")}, true).value();
  rig.pumped.start();
  rig.pumped.source.answer_list({pod("a", "3"), pod("b", "4")}, "5");
  rig.pumped.settle();
  RecordingHandler late;
  const auto registration = rig.pumped.informer.add_event_handler(late, rig.direct).value();
  rig.pumped.settle();
  CHECK(late.take() == Texts{"ADDED a@3 initial", "ADDED b@4 initial", "SYNCED 2"});
}

TEST_CASE("a queued handler gets the known objects before the changes") {
  Rig rig;
  RecordingHandler queued;
  const auto registration = rig.pumped.informer.add_event_handler(queued).value();
  rig.pumped.informer.restore({pod("a", "3")}, true).value();
  rig.pumped.start();
  rig.pumped.source.answer_list({pod("a", "4")}, "5");
  rig.pumped.settle();
  CHECK(queued.take() == Texts{"KNOWN a@3", "MODIFIED a@3->4 (relist)", "SYNCED 1"});
}

TEST_CASE("a running informer cannot be restored") {
  Rig rig;
  rig.pumped.start();
  const Result<void> restored = rig.pumped.informer.restore({pod("a", "3")}, true);
  REQUIRE_FALSE(restored);
  CHECK(restored.error().kind == ErrorKind::usage);
}

}  // namespace
}  // namespace kinf
