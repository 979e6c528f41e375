// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/event_note.h"

#include <doctest/doctest.h>

#include "kinf/print/diff_text.h"
#include "unit/print/sample_objects.h"

namespace kinf {
namespace {

using test::kNow;
using test::kPods;
using test::listed;
using test::make_pod;
using test::web_with;

const ResourceType kEvents{{"", "v1", "events"}, "Event", "event", true};

ObjectPtr back_off() {
  return web_with(R"({"type":"Warning","reason":"BackOff","message":"Back-off restarting\n",
    "count":3,"lastTimestamp":"2026-11-21T10:13:00Z","involvedObject":{"apiVersion":"v1",
    "kind":"Pod","namespace":"default","name":"web-1","uid":"u1"}})");
}

std::string stream(const PrintOptions& options, bool with_pod) {
  const auto printer = make_event_printer(options);
  std::string out;
  if (with_pod) {
    printer->print(kPods, listed(make_pod("web-1", "0/1", "CrashLoopBackOff", "2")),
                   Clock::Wall(kNow), out);
  }
  const ObjectPtr event = back_off();
  printer->print_note(kEvents, listed(event), event_note(*event), Clock::Wall(kNow), out);
  printer->flush(out);
  return out;
}

TEST_CASE("an Event says what it is about, and when it was last seen") {
  const EventNote note = event_note(*back_off());
  CHECK(note.typed_name() == "pod/web-1");
  CHECK(note.ns == "default");
  CHECK(note.uid == "u1");
  CHECK(note.is_warning);
  CHECK(note.text == "Warning BackOff: Back-off restarting (x3)");
  CHECK(note.last_seen == Clock::Wall(kNow - std::chrono::seconds(60)));
  const EventNote scaled = event_note(*web_with(
      R"({"type":"Normal","reason":"ScalingReplicaSet","message":"Scaled up","series":{"count":7},
          "involvedObject":{"apiVersion":"apps/v1","kind":"Deployment","name":"web"}})"));
  CHECK(scaled.typed_name() == "deployment.apps/web");
  CHECK(scaled.text == "Normal ScalingReplicaSet: Scaled up (x7)");
  CHECK_FALSE(event_note(*web_with("{}")).last_seen);
}

TEST_CASE("an Event is a row of the table whose text does not widen the columns") {
  CHECK(stream({}, true) ==
        "EVENT     NAME    READY   STATUS              RESTARTS     AGE\n"
        "Added     web-1   0/1     CrashLoopBackOff    2            24h\n"
        "Event     web-1   Warning BackOff: Back-off restarting (x3)\n");
  PrintOptions options;
  options.several_types = true;
  options.with_namespace = true;
  CHECK(stream(options, true)
            .ends_with(
                "Event     default     pod/web-1   Warning BackOff: Back-off restarting (x3)\n"));
  options.diff = DiffForm::lines;
  CHECK(stream(options, false) ==
        "EVENT     NAMESPACE   NAME\n"
        "Event     default     pod/web-1   Warning BackOff: Back-off restarting (x3)\n");
  options.label_columns = {"app"};
  options.diff = std::nullopt;
  CHECK(stream(options, true).ends_with("(x3)\n"));
}

TEST_CASE("an Event before all objects has a header of its own") {
  CHECK(stream({}, false) ==
        "EVENT     NAME    MESSAGE\n"
        "Event     web-1   Warning BackOff: Back-off restarting (x3)\n");
}

TEST_CASE("a warning is yellow, and in JSON an Event is an object like others") {
  PrintOptions options;
  options.colour = true;
  CHECK(stream(options, true).find("\x1b[33mWarning BackOff") != std::string::npos);
  CHECK(stream(test::as(OutputFormat::json), false).starts_with(R"({"type":"ADDED","object":{)"));
}

}  // namespace
}  // namespace kinf
