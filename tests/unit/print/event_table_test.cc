// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/event_table.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "kinf/print/time_text.h"
#include "unit/print/sample_objects.h"

namespace kinf {
namespace {

using namespace std::chrono_literals;
using test::deleted;
using test::kDeployments;
using test::kNow;
using test::kPods;
using test::kServices;
using test::listed;
using test::make_object;
using test::make_pod;
using test::updated;

/// Prints events and collects the text.
class Tape {
 public:
  explicit Tape(const PrintOptions& options) : printer_(make_event_printer(options)) {}
  Tape& print(const Change& change, const ResourceType& type = kPods) {
    printer_->print(type, change, Clock::Wall(kNow), text_);
    return *this;
  }
  std::string take() {
    printer_->flush(text_);
    return std::exchange(text_, {});
  }

 private:
  std::unique_ptr<EventPrinter> printer_;
  std::string text_;
};

TEST_CASE("a stream of pods is kubectl's table with the event in front") {
  Tape tape({});
  tape.print(listed(make_pod("api-1", "1/1", "Running", "0")));
  tape.print(listed(make_pod("web-1", "1/1", "Running", "0")));
  CHECK(tape.take() ==
        "EVENT     NAME    READY   STATUS              RESTARTS     AGE\n"
        "Added     api-1   1/1     Running             0            24h\n"
        "Added     web-1   1/1     Running             0            24h\n");
  const ObjectPtr pending = make_pod("web-2", "0/1", "ContainerCreating", "0", 0s);
  tape.print(updated(make_pod("web-2", "0/1", "Pending", "0", 0s), pending));
  tape.print(updated(pending, make_pod("web-2", "1/1", "Running", "1 (1s ago)", 2s)));
  tape.print(deleted(make_pod("api-1", "1/1", "Terminating", "0")));
  CHECK(tape.take() ==
        "Updated   web-2   0/1     ContainerCreating   0            0s\n"
        "Updated   web-2   1/1     Running             1 (1s ago)   2s\n"
        "Deleted   api-1   1/1     Terminating         0            24h\n");
}

TEST_CASE("without events the table is kubectl's own, with its own widths") {
  PrintOptions options;
  options.with_events = false;
  options.format = OutputFormat::wide;
  CHECK(Tape(options).print(listed(make_pod("web-1", "1/1", "Running", "0"))).take() ==
        "NAME    READY   STATUS    RESTARTS   AGE   NODE\n"
        "web-1   1/1     Running   0          24h   n1\n");
}

TEST_CASE("namespace and labels have columns; headers can be turned off") {
  PrintOptions options;
  options.with_namespace = true;
  options.show_labels = true;
  options.label_columns = {"example.com/tier"};
  const auto pod = [](std::vector<Label> labels) {
    test::Sample sample;
    sample.name = "web";
    sample.labels = std::move(labels);
    return listed(make_object(sample));
  };
  Tape tape(options);
  tape.print(pod({{"example.com/tier", "front"}, {"app", "web"}})).print(pod({}));
  CHECK(tape.take() ==
        "EVENT     NAMESPACE   NAME   AGE   TIER    LABELS\n"
        "Added     default     web    24h   front   app=web,example.com/tier=front\n"
        "Added     default     web    24h           <none>\n");
  options.headers = false;
  CHECK(Tape(options).print(pod({})).take() == "Added     default   web   24h         <none>\n");
}

TEST_CASE("several types share one table whose last column says what changed") {
  PrintOptions options;
  options.several_types = true;
  const auto service = [](std::string cluster_ip) {
    test::Sample sample;
    sample.name = "web";
    sample.columns =
        std::make_shared<const TableColumns>(TableColumns{{{"Name", "string", "name", "", 0},
                                                           {"Cluster-IP", "string", "", "", 0},
                                                           {"External IP", "string", "", "", 0},
                                                           {"Age", "string", "", "", 0}}});
    sample.cells = R"(["web",")" + cluster_ip + R"(","<none>","3d"])";
    return make_object(sample);
  };
  Tape tape(options);
  tape.print(listed(make_pod("web-1", "0/1", "Pending", "0", 0s)));
  tape.print(listed(service("10.0.3.7")), kServices);
  tape.print(
      updated(make_pod("web-1", "0/1", "Pending", "0"), make_pod("web-1", "1/1", "Running", "0")));
  tape.print(deleted(service("")), kServices);
  CHECK(tape.take() ==
        "EVENT     NAME          AGE   STATE\n"
        "Added     pod/web-1     0s    Ready=0/1 Status=Pending Restarts=0\n"
        "Added     service/web   24h   Cluster-IP=10.0.3.7\n"
        "Updated   pod/web-1     24h   Ready=1/1 Status=Running\n"
        "Deleted   service/web   24h   \n");
}

TEST_CASE("objects without cells show name and age; other columns get a new header") {
  Tape tape({});
  test::Sample bare;
  bare.name = "web";
  tape.print(listed(make_object(bare)), kDeployments);
  tape.print(updated(make_object(bare), make_pod("web", "1/1", "Running", "0")));
  CHECK(tape.take() ==
        "EVENT     NAME   AGE\n"
        "Added     web    24h\n"
        "EVENT     NAME   READY   STATUS              RESTARTS     AGE\n"
        "Updated   web    1/1     Running             0            24h\n");
}

TEST_CASE("only the event is coloured, and control sequences in cells are escaped") {
  PrintOptions options;
  options.colour = true;
  CHECK(Tape(options).print(deleted(make_pod("web", "1/1", "\\u001b[2Jgone", "0"))).take() ==
        "EVENT     NAME   READY   STATUS              RESTARTS     AGE\n"
        "\x1b[31mDeleted\x1b[0m   web    1/1     ^[[2Jgone           0            24h\n");
}

TEST_CASE("a custom column named Age that shows something else keeps its cell") {
  test::Sample sample;
  sample.name = "w";
  sample.columns = std::make_shared<const TableColumns>(
      TableColumns{{{"Name", "string", "name", "", 0},
                    {"Age", "date", "",
                     "Custom resource definition column (in JSONPath format): .spec.born", 0}}});
  sample.cells = R"(["w","7y"])";
  CHECK(Tape({}).print(listed(make_object(sample))).take() ==
        "EVENT     NAME   AGE\n"
        "Added     w      7y\n");
}

TEST_CASE("the deletion of an object that was never seen shows its name") {
  PrintOptions options;
  options.several_types = true;
  options.with_namespace = true;
  CHECK(Tape(options).print(test::make_lost("default/gone", nullptr)).take() ==
        "EVENT     NAMESPACE   NAME       AGE         STATE\n"
        "Deleted   default     pod/gone   <unknown>   \n");
}

/// A pod without cells, as it comes where the whole document is asked for.
ObjectPtr whole_pod(std::string_view json) {
  test::Sample sample;
  sample.name = "web-2";
  sample.json = json;
  return make_object(sample);
}

TEST_CASE("with a diff a row is the event and the name, with the changes below") {
  const ObjectPtr pending = whole_pod(
      R"({"spec":{},"status":{"phase":"Pending","conditions":[{"type":"Ready","status":"False"}]}})");
  const ObjectPtr running = whole_pod(
      R"({"spec":{"nodeName":"n"},"status":{"phase":"Running","conditions":[{"type":"Ready","status":"True"}]}})");
  PrintOptions options;
  options.diff = DiffForm::lines;
  CHECK(Tape(options).print(listed(pending)).print(updated(pending, running)).take() ==
        "EVENT     NAME\n"
        "Added     pod/web-2\n"
        "Updated   pod/web-2\n"
        "  .spec.nodeName                       <none> → n\n"
        "  .status.phase                        Pending → Running\n"
        "  .status.conditions[Ready].status     False → True\n");
  options.time_form = TimeForm::relative;
  options.start = Clock::Wall(kNow);
  options.with_namespace = true;
  CHECK(Tape(options).print(updated(pending, running)).print(deleted(running)).take() ==
        "TIME           EVENT     NAMESPACE   NAME\n"
        "+0.005s        Updated   default     pod/web-2\n"
        "                 .spec.nodeName                       <none> → n\n"
        "                 .status.phase                        Pending → Running\n"
        "                 .status.conditions[Ready].status     False → True\n"
        "+0.000s        Deleted   default     pod/web-2\n");
}

TEST_CASE("the time comes first, and the word of the event keeps its colour") {
  PrintOptions options;
  options.time_form = TimeForm::relative;
  options.start = Clock::Wall(kNow);
  options.colour = true;
  CHECK(Tape(options).print(listed(make_pod("web-1", "1/1", "Running", "0"))).take() ==
        "TIME           EVENT     NAME    READY   STATUS              RESTARTS     AGE\n"
        "+0.004s        \x1b[32mAdded\x1b[0m     web-1   1/1     Running             0            "
        "24h\n");
}

TEST_CASE("the time of an Event is when it happened, that of other objects when they arrived") {
  PrintOptions options;
  options.time_form = TimeForm::relative;
  options.start = kNow;
  test::Sample sample;
  sample.name = "web.1";
  sample.json = R"({"lastTimestamp":"2026-11-21T10:06:00Z"})";
  const auto arrived = [](Change change) {
    change.origin.arrived = kNow + 1s;
    return change;
  };
  Tape tape(options);
  tape.print(arrived(listed(make_object(sample))), test::kEvents);
  tape.print(arrived(deleted(make_object(sample))), test::kEvents);
  tape.print(arrived(listed(make_object(sample))));
  CHECK(tape.take() ==
        "TIME           EVENT     NAME    AGE\n"
        "-8m00.000s     Added     web.1   24h\n"
        "+1.000s        Deleted   web.1   24h\n"
        "+1.000s        Added     web.1   24h\n");
}

TEST_CASE("resyncs are aligned with each other and show the whole state") {
  PrintOptions options;
  options.several_types = true;
  Tape tape(options);
  for (const char* const name : {"web", "a-longer-name"}) {
    const ObjectPtr same = make_pod(name, "1/1", "Running", "0");
    Change change = updated(same, same);
    change.type = ChangeType::resync;
    tape.print(change);
  }
  CHECK(tape.take() ==
        "EVENT     NAME                AGE   STATE\n"
        "Resync    pod/web             24h   Ready=1/1 Status=Running Restarts=0\n"
        "Resync    pod/a-longer-name   24h   Ready=1/1 Status=Running Restarts=0\n");
}

TEST_CASE("STATE says where an object changed if no cell did") {
  PrintOptions options;
  options.several_types = true;
  const auto pod = [](std::string_view json) {
    test::Sample sample;
    sample.name = "web";
    sample.json = json;
    return make_object(sample);
  };
  Tape tape(options);
  tape.print(updated(pod(R"({"metadata":{"resourceVersion":"1"},"status":{"x":1}})"),
                     pod(R"({"metadata":{"resourceVersion":"2"},"status":{"x":2}})")));
  tape.print(
      updated(pod(R"({"metadata":{"labels":{"x":"1"}},"spec":{"some long name":1,"b":1}})"),
              pod(R"({"metadata":{"labels":{"x":"2"}},"spec":{"some long name":2,"b":2}})")));
  tape.print(updated(pod(R"({"spec":{"quite a long name":1,"another quite long name":1,"x":1}})"),
                     pod(R"({"spec":{"quite a long name":2,"another quite long name":2,"x":2}})")));
  CHECK(tape.take() ==
        "EVENT     NAME      AGE   STATE\n"
        "Updated   pod/web   24h   .status.x 1 → 2\n"
        "Updated   pod/web   24h   .spec.some long name .spec.b .metadata.labels.x\n"
        "Updated   pod/web   24h   .spec.quite a long name …\n");
}

TEST_CASE("V15: a row of one type names the changed paths behind it if no cell changed") {
  const auto web = [](std::string_view image, int replicas, std::string_view level) {
    test::Sample sample;
    sample.name = "web";
    sample.cells = R"(["web","1/1","old"])";
    sample.columns =
        std::make_shared<const TableColumns>(TableColumns{{{"Name", "string", "name", "", 0},
                                                           {"Ready", "string", "", "", 0},
                                                           {"Age", "string", "", "", 0}}});
    sample.json = fmt::format(
        R"({{"metadata":{{"labels":{{"level":"{}"}}}},"spec":{{"replicas":{},"image":"{}"}}}})",
        level, replicas, image);
    return make_object(sample);
  };
  Tape tape({});
  tape.print(updated(web("web:1", 1, "a"), web("web:1", 2, "a")), kDeployments);
  tape.print(updated(web("web:1", 1, "a"), web("web:2", 2, "b")), kDeployments);
  CHECK(tape.take() ==
        "EVENT     NAME   READY   AGE\n"
        "Updated   web    1/1     24h   .spec.replicas 1 → 2\n"
        "Updated   web    1/1     24h   .spec.image web:1 → web:2 .spec.replicas …\n");
  PrintOptions data;
  data.format = OutputFormat::csv;
  Tape csv(data);
  csv.print(updated(web("web:1", 1, "a"), web("web:1", 2, "a")), kDeployments);
  CHECK(csv.take() == "EVENT,NAME,READY,CREATED\nUpdated,web,1/1,2026-11-20T10:14:00Z\n");
}

}  // namespace
}  // namespace kinf
