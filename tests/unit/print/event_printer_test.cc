// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/event_printer.h"

#include <doctest/doctest.h>

#include "kinf/print/diff_text.h"
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

TEST_CASE("without events an object is one line, even if the server sent several") {
  CHECK(printed(listed(web_with("{\n  \"a\": \"x\\\" y\",\n  \"b\": [ 1 ]\n}")), kPods,
                as(OutputFormat::json, false)) == "{\"a\":\"x\\\" y\",\"b\":[1]}\n");
}

TEST_CASE("an update shows its old state and what changed, if asked for") {
  PrintOptions options = as(OutputFormat::json);
  options.show_old = true;
  options.diff = DiffForm::lines;
  const Change change = updated(web_with(R"({"a":1.10})"), web_with("{\n\"a\":2}"));
  constexpr std::string_view kRest =
      R"(,"time":"2026-11-21T10:14:00.005Z","source":"watch","resource":"pods",)"
      R"("key":"default/web"})"
      "\n";
  CHECK(printed(change, kPods, options) ==
        R"({"type":"MODIFIED","object":{"a":2},"old":{"a":1.10},)"
        R"("diff":[{"path":".a","old":1.10,"new":2}])" +
            std::string(kRest));
  options.show_old = false;
  options.diff = DiffForm::patch;
  CHECK(printed(change, kPods, options) == R"({"type":"MODIFIED","object":{"a":2},)"
                                           R"("patch":[{"op":"replace","path":"/a","value":2}])" +
                                               std::string(kRest));
  options.show_old = true;
  CHECK(printed(listed(web_with("{}")), kPods, options).find("\"old\"") == std::string::npos);
  CHECK(printed(listed(web_with("{}")), kPods, options).find("\"patch\"") == std::string::npos);
  options = as(OutputFormat::yaml);
  options.diff = DiffForm::lines;
  CHECK(printed(change, kPods, options).find("diff:\n  - new: 2\n    old: 1.10\n    path: .a\n") !=
        std::string::npos);
}

TEST_CASE("the old state of a Secret is masked too") {
  PrintOptions options = as(OutputFormat::json);
  options.show_old = true;
  CHECK(
      printed(updated(web_with(R"({"data":{"p":"c2VjcmV0"}})"), web_with("{}")), kSecrets, options)
          .find(R"("old":{"data":{"p":"<6 bytes>"}})") != std::string::npos);
}

TEST_CASE("names are printed one per line, after the event if requested") {
  CHECK(printed(listed(web_with("{}")), kDeployments, as(OutputFormat::name, false)) ==
        "deployment.apps/web\n");
  CHECK(printed(deleted(web_with("{}")), kPods, as(OutputFormat::name)) == "DELETED pod/web\n");
}

TEST_CASE("a YAML document ends with its separator; an event keeps the order of its fields") {
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

TEST_CASE("no output shows the values of a Secret unless requested") {
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

TEST_CASE("the deletion of an object that was never seen has a document with its type and name") {
  CHECK(printed(test::make_lost("default/gone", nullptr), kDeployments, as(OutputFormat::json))
            .starts_with(
                R"({"type":"DELETED","object":{"apiVersion":"apps/v1",)"
                R"("kind":"Deployment","metadata":{"name":"gone","namespace":"default"}},)"));
}

TEST_CASE("a document that cannot be read is left out of YAML") {
  CHECK(printed(listed(web_with("{")), kPods, as(OutputFormat::yaml)).empty());
  CHECK(printed(listed(web_with("{")), kPods, as(OutputFormat::yaml, false)).empty());
}

TEST_CASE("a change has the event type of the API") {
  CHECK(wire_word(ChangeType::added) == "ADDED");
  CHECK(wire_word(ChangeType::updated) == "MODIFIED");
  CHECK(wire_word(ChangeType::deleted) == "DELETED");
  CHECK(wire_word(ChangeType::resync) == "MODIFIED");
}

TEST_CASE("a name follows its type and has no control characters") {
  CHECK(typed_name(kPods, "web-1") == "pod/web-1");
  CHECK(typed_name(kDeployments, "web") == "deployment.apps/web");
  CHECK(typed_name(kPods, "a\x1b[2J\n\x7f") == "pod/a\\u001b[2J\\n\\u007f");
  CHECK(typed_name(kPods, "größe") == "pod/größe");
}

}  // namespace
}  // namespace kinf
