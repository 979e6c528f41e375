// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/event_json.h"

#include <doctest/doctest.h>

#include "unit/print/sample_objects.h"

namespace kinf {
namespace {

using test::deleted;
using test::kDeployments;
using test::kNow;
using test::kPods;
using test::kSecrets;
using test::listed;
using test::make_object;
using test::updated;

ObjectPtr web_with(std::string json) {
  test::Sample sample;
  sample.name = "web";
  sample.json = std::move(json);
  return make_object(sample);
}

std::string printed(const Change& change, const ResourceType& type, const PrintOptions& options) {
  std::string out;
  make_event_printer(options)->print(type, change, Clock::Wall(kNow), out);
  return out;
}

PrintOptions as(OutputFormat format, bool with_events = true) {
  PrintOptions options;
  options.format = format;
  options.with_events = with_events;
  return options;
}

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

TEST_CASE("what is not certain about an event stands in it") {
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

TEST_CASE("bare objects are one line each, even if the server spreads them over several") {
  CHECK(printed(listed(web_with("{\n  \"a\": \"x\\\" y\",\n  \"b\": [ 1 ]\n}")), kPods,
                as(OutputFormat::json, false)) == "{\"a\":\"x\\\" y\",\"b\":[1]}\n");
}

TEST_CASE("the deletion of what was never seen has an object of type and name") {
  CHECK(printed(test::make_lost("default/gone", nullptr), kDeployments, as(OutputFormat::json))
            .starts_with(
                R"({"type":"DELETED","object":{"apiVersion":"apps/v1",)"
                R"("kind":"Deployment","metadata":{"name":"gone","namespace":"default"}},)"));
}

TEST_CASE("names are for xargs, with the event in front if asked for") {
  CHECK(printed(listed(web_with("{}")), kDeployments, as(OutputFormat::name, false)) ==
        "deployment.apps/web\n");
  CHECK(printed(deleted(web_with("{}")), kPods, as(OutputFormat::name)) == "DELETED pod/web\n");
}

TEST_CASE("a YAML document ends with its separator, events in their own order") {
  const std::string json = R"({"kind":"Pod","apiVersion":"v1","spec":{"list":[{"b":1,"a":"2"}]}})";
  CHECK(printed(listed(web_with(json)), kPods, as(OutputFormat::yaml, false)) ==
        "apiVersion: v1\n"
        "kind: Pod\n"
        "spec:\n"
        "  list:\n"
        "  - a: \"2\"\n"
        "    b: 1\n"
        "---\n");
  CHECK(printed(listed(web_with(R"({"kind":"Pod"})")), kPods, as(OutputFormat::yaml)) ==
        "type: ADDED\n"
        "object:\n"
        "  kind: Pod\n"
        "time: \"2026-11-21T10:14:00.004Z\"\n"
        "source: list\n"
        "resource: pods\n"
        "key: default/web\n"
        "---\n");
}

TEST_CASE("no output shows the values of a Secret unless asked to") {
  const ObjectPtr secret = web_with(R"({"kind":"Secret","data":{"k":"aHVudGVyMg=="}})");
  for (const OutputFormat format : {OutputFormat::json, OutputFormat::yaml}) {
    for (const bool with_events : {true, false}) {
      PrintOptions options = as(format, with_events);
      const std::string hidden = printed(listed(secret), kSecrets, options);
      CHECK(hidden.find("aHVudGVyMg") == std::string::npos);
      CHECK(hidden.find("<7 bytes>") != std::string::npos);
      options.show_secrets = true;
      CHECK(printed(listed(secret), kSecrets, options).find("aHVudGVyMg==") != std::string::npos);
    }
  }
}

TEST_CASE("a Secret that cannot be read is not shown") {
  const ObjectPtr secret = web_with(R"({"data":{"k":aHVudGVyMg}})");
  const std::string hidden = printed(listed(secret), kSecrets, as(OutputFormat::json));
  CHECK(hidden.find("aHVudGVyMg") == std::string::npos);
  CHECK(hidden.find(R"("name":"web")") != std::string::npos);
}

}  // namespace
}  // namespace kinf
