// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/history_table.h"

#include <doctest/doctest.h>

#include "fakes/change_builder.h"
#include "fakes/fake_clock.h"
#include "kinf/api/gap.h"
#include "kinf/api/object_decoder.h"
#include "kinf/print/event_note.h"
#include "kinf/print/time_text.h"

namespace kinf::test {
namespace {

ObjectPtr pod_with(const std::string& status, const std::string& manager = "kubelet") {
  ObjectDecoder decoder({});
  return decoder
      .decode(R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","namespace":"default"},)"
              R"("status":)" +
                  status + "}",
              {"", nullptr, manager})
      .value();
}

/// Returns the row of a change, and the header if `options` has it.
std::string row(Change change, PrintOptions options) {
  const ResourceType pods{{"", "v1", "pods"}, "Pod", "pod", true};
  options.start = FakeClock::kStart;
  change.origin.arrived = FakeClock::kStart;
  HistoryTable table(options);
  std::string text;
  table.print(pods, change, FakeClock::kStart, text);
  return text;
}

/// Returns the row of a change, without its time.
std::string row(const Change& change) {
  PrintOptions options;
  options.headers = false;
  const std::string text = row(change, options);
  return text.substr(text.find("   ") + 3);
}

TEST_CASE("One changed path is shown with its values, besides the times that go with it") {
  CHECK(row(make_updated(pod_with(R"({"phase":"Pending","lastTransitionTime":"1"})"),
                         pod_with(R"({"phase":"Running","lastTransitionTime":"2"})"))) ==
        "Updated   kubelet      .status.phase Pending → Running\n");
  CHECK(row(make_updated(pod_with(R"({"lastTransitionTime":"1"})"),
                         pod_with(R"({"lastTransitionTime":"2"})"))) ==
        "Updated   kubelet      .status.lastTransitionTime 1 → 2\n");
}

TEST_CASE("Several changed paths are named, and many are counted") {
  CHECK(row(make_updated(pod_with(R"({"a":1,"b":2})"), pod_with(R"({"a":3,"c":2})"))) ==
        "Updated   kubelet      .status.a, .status.b, .status.c\n");
  CHECK(row(make_updated(pod_with(R"({"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1})"),
                         pod_with(R"({"a":2,"b":2,"c":2,"d":2,"e":2,"f":2,"g":2,"h":2})"))) ==
        "Updated   kubelet      .status.a, .status.b, .status.c, .status.d, .status.e, .status.f "
        "and 2 more\n");
}

TEST_CASE("Separated values and wide rows name all changed paths") {
  const Change change = make_updated(pod_with(R"({"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1})"),
                                     pod_with(R"({"a":2,"b":2,"c":2,"d":2,"e":2,"f":2,"g":2})"));
  PrintOptions options;
  options.format = OutputFormat::csv;
  options.time_form = TimeForm::relative;
  CHECK(row(change, options) ==
        "TIME,EVENT,MANAGER,CHANGED\n+0.000s,Updated,kubelet,\".status.a, .status.b, .status.c, "
        ".status.d, .status.e, .status.f, .status.g\"\n");
  CHECK(row(make_added(pod_with("{}", "")), options).ends_with("\n+0.000s,Added,,\n"));
  options.time_form.reset();
  options.format = OutputFormat::tsv;
  CHECK(row(make_added(pod_with("{}")), options)
            .ends_with("\n" + time_text(TimeForm::rfc3339, FakeClock::kStart, {}) +
                       "\tAdded\tkubelet\t\n"));
  options.format = OutputFormat::wide;
  CHECK(row(change, options).ends_with(".status.f, .status.g\n"));
}

TEST_CASE("The beginning and the end of an object are told") {
  CHECK(row(make_added(pod_with("{}"))) == "Added     kubelet      –\n");
  Change change = make_added(pod_with("{}", ""));
  change.initial = true;
  CHECK(row(change) == "Added     –            existed before\n");
  change.initial = false;
  change.recreated = true;
  CHECK(row(change) == "Added     –            another object with this name\n");
  CHECK(row(make_deleted(pod_with("{}"))) == "Deleted   –            –\n");
  CHECK(row(make_lost("default/a", pod_with("{}"))) == "Deleted   –            found missing\n");
}

TEST_CASE("The rows of several objects name them, Events and gaps have rows of their own") {
  const ResourceType pods{{"", "v1", "pods"}, "Pod", "pod", true};
  PrintOptions options;
  options.several_objects = true;
  options.time_form = TimeForm::relative;
  options.start = FakeClock::kStart;
  const Clock::Wall later = FakeClock::kStart + std::chrono::seconds(2);
  for (const bool has_namespace : {false, true}) {
    options.with_namespace = has_namespace;
    HistoryTable table(options);
    std::string text;
    table.print(pods, make_updated(pod_with(R"({"a":1})"), pod_with(R"({"a":2})")),
                FakeClock::kStart, text);
    CHECK((text.find("NAMESPACE") != std::string::npos) == has_namespace);
    text.clear();
    EventNote note;
    note.kind = "Pod";
    note.name = "a";
    note.reporter = "kubelet";
    note.text = "Warning BackOff: again";
    table.print_note(pods, make_updated(pod_with("{}"), pod_with("{}")), note, later, text);
    CHECK(text.find("Event ") != std::string::npos);
    CHECK(text.find("pod/a                  kubelet      Warning BackOff: again\n") !=
          std::string::npos);
    text.clear();
    CHECK(table.print_gap({FakeClock::kStart, later, {"pods"}, "gone"}, text));
    CHECK(text.find("pods: not recorded from +0.000s to +2.000s (gone)\n") != std::string::npos);
    text.clear();
    CHECK(table.print_gap({FakeClock::kStart, later, {}, "the clock jumped"}, text));
    CHECK(text.find("the clock jumped between +0.000s and +2.000s\n") != std::string::npos);
  }
}

}  // namespace
}  // namespace kinf::test
