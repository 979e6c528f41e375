// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/event_document.h"

#include <doctest/doctest.h>

#include "kinf/print/event_printer.h"
#include "unit/print/sample_objects.h"

namespace kinf {
namespace {

using test::as;
using test::deleted;
using test::kDeployments;
using test::kNow;
using test::kPods;
using test::kSecrets;
using test::listed;
using test::make_object;
using test::printed;
using test::updated;
using test::web_with;

TEST_CASE("a JSON event is one line around the server's own bytes") {
  test::Sample sample;
  sample.name = "web";
  sample.json = R"({"z":1.10,"a":[1e3, "ü"]})";
  sample.manager = "kubelet";
  const PrintOptions options = as(OutputFormat::json);
  CHECK(printed(listed(make_object(sample)), kPods, options) ==
        R"({"type":"ADDED","object":{"z":1.10,"a":[1e3, "ü"]},"time":"2026-11-21T10:14:00.004Z",)"
        R"("source":"list","resource":"pods","key":"default/web","manager":"kubelet"})"
        "\n");
  CHECK(printed(updated(web_with("{}"), web_with("{}")), kDeployments, options) ==
        R"({"type":"MODIFIED","object":{},"time":"2026-11-21T10:14:00.005Z","source":"watch",)"
        R"("resource":"deployments.apps","key":"default/web"})"
        "\n");
}

TEST_CASE("an event says if its last state is unknown or its object was recreated") {
  Change lost = deleted(web_with("{}"));
  lost.final_state_unknown = true;
  lost.origin.source = ChangeSource::relist;
  CHECK(printed(lost, kPods, as(OutputFormat::json)) ==
        R"({"type":"DELETED","object":{},"finalStateUnknown":true,)"
        R"("time":"2026-11-21T10:14:00.000Z","source":"relist","resource":"pods",)"
        R"("key":"default/web"})"
        "\n");
  Change again = listed(web_with("{}"));
  again.recreated = true;
  CHECK(printed(again, kPods, as(OutputFormat::json)).find(R"("recreated":true)") !=
        std::string::npos);
}

TEST_CASE("an event names its source") {
  CHECK(source_word(ChangeSource::list) == "list");
  CHECK(source_word(ChangeSource::watch) == "watch");
  CHECK(source_word(ChangeSource::relist) == "relist");
  CHECK(source_word(ChangeSource::resync) == "resync");
}

TEST_CASE("an event can carry the old document and the number of changes folded into it") {
  Change change = updated(web_with("{}"), web_with("{}"));
  change.folded = 3;
  std::string out;
  append_event_json(out, kPods, change, {R"({"a":2})"}, {"{\n\"a\": 1}"});
  CHECK(out ==
        R"({"type":"MODIFIED","object":{"a":2},"old":{"a":1},"time":"2026-11-21T10:14:00.005Z",)"
        R"("source":"watch","resource":"pods","key":"default/web","folded":3})");
}

TEST_CASE("an event of one cluster of several names it") {
  std::string out;
  append_event_json(out, kPods, updated(web_with("{}"), web_with("{}")), {"{}"}, {},
                    {.cluster = "prod"});
  CHECK(out.find(R"("key":"default/web","cluster":"prod"})") != std::string::npos);
}

TEST_CASE("a bookmark of one cluster of several names it") {
  std::string out;
  append_bookmark_json(out, kPods, {"100", false, Clock::Wall(test::kNow)}, "prod");
  CHECK(out.ends_with(R"("resource":"pods","cluster":"prod"})"));
}

TEST_CASE("a bookmark has the form of the API server") {
  std::string out;
  append_bookmark_json(out, kPods, {"100", true, Clock::Wall(test::kNow)});
  CHECK(
      out ==
      R"({"type":"BOOKMARK","object":{"apiVersion":"v1","kind":"Pod","metadata":{"resourceVersion":"100","creationTimestamp":null,"annotations":{"k8s.io/initial-events-end":"true"}}},"time":"2026-11-21T10:14:00.000Z","source":"list","resource":"pods"})");
  out.clear();
  append_bookmark_json(out, test::kDeployments, {"7", false, Clock::Wall(test::kNow)});
  CHECK(
      out ==
      R"({"type":"BOOKMARK","object":{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"resourceVersion":"7","creationTimestamp":null}},"time":"2026-11-21T10:14:00.000Z","source":"watch","resource":"deployments.apps"})");
}

}  // namespace
}  // namespace kinf
