// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/object_row.h"

#include <doctest/doctest.h>

#include "kinf/api/object_decoder.h"
#include "kinf/base/timestamp.h"
#include "unit/print/sample_objects.h"

namespace kinf {
namespace {

using namespace std::chrono_literals;
using test::make_object;
using test::make_pod;
using Cells = std::vector<std::string>;

constexpr Clock::Wall kWall{test::kNow};

ObjectPtr with_cells(std::string cells, std::vector<TableColumn> columns) {
  test::Sample sample;
  sample.name = "web";
  sample.cells = std::move(cells);
  sample.columns = std::make_shared<const TableColumns>(TableColumns{std::move(columns)});
  return make_object(sample);
}

TEST_CASE("an object without cells has a name and an age") {
  test::Sample sample;
  sample.name = "web";
  const ObjectPtr bare = make_object(sample);
  CHECK(row_columns(*bare).columns.size() == 2);
  CHECK(row_cells(*bare, kWall) == Cells{"web", "24h"});
  CHECK(row_cells(*with_cells("[]", {}), kWall) == Cells{"web", "24h"});
}

TEST_CASE("the age is counted up to now; the other cells are those of the server") {
  const ObjectPtr pod = make_pod("web", "1/1", "Running", "0", 65s);
  CHECK(row_cells(*pod, kWall) == Cells{"web", "1/1", "Running", "0", "65s", "n1"});
  CHECK(row_cells(*pod, kWall + 1h) == Cells{"web", "1/1", "Running", "0", "61m", "n1"});
}

TEST_CASE("other ages are counted up to now if the object has its document") {
  const std::vector<TableColumn> columns = {{"Last Seen", "string", "", "", 0},
                                            {"Reason", "string", "", "", 0}};
  ObjectDecoder decoder({});
  RowCells row;
  row.cells = R"(["0s","Started"])";
  row.columns = std::make_shared<const TableColumns>(TableColumns{columns});
  const std::string event = R"({"apiVersion":"v1","kind":"Event","metadata":{"name":"e"},)"
                            R"("lastTimestamp":")" +
                            timestamp_text(test::kNow) + R"("})";
  const ObjectPtr whole = decoder.decode(event, row).value();
  CHECK(has_other_ages(*whole));
  CHECK(row_cells(*whole, kWall + 5min) == Cells{"5m", "Started"});
  DecodeOptions options;
  options.form = ObjectForm::metadata;
  const ObjectPtr bare = ObjectDecoder(options).decode(event, row).value();
  CHECK(row_cells(*bare, kWall + 5min) == Cells{"0s", "Started"});
}

TEST_CASE("V9: as data, a row has the time of creation and the number of restarts") {
  const ObjectPtr pod = make_pod("web", "1/1", "Running", "3 (114s ago)", 65s);
  CHECK(data_cells(*pod, kWall) ==
        Cells{"web", "1/1", "Running", "3", "2026-11-21T10:12:55Z", "n1"});
  CHECK(data_columns(row_columns(*pod).columns)[4].name == "Created");
  CHECK(created_text(nullptr).empty());
}

TEST_CASE("cells of any JSON type become text; there are as many as columns") {
  const std::vector<TableColumn> columns = {
      {"Name", "string", "name", "", 0}, {"A", "string", "", "", 0}, {"B", "integer", "", "", 0}};
  CHECK(row_cells(*with_cells(R"(["web",null,1.50,"more"])", columns), kWall) ==
        Cells{"web", "", "1.50"});
  CHECK(row_cells(*with_cells(R"(["w\u00fcb"])", columns), kWall) == Cells{"wüb", "", ""});
  CHECK(row_cells(*with_cells("{}", columns), kWall) == Cells{"", "", ""});
  CHECK(row_cells(*with_cells("[", columns), kWall) == Cells{"", "", ""});
}

TEST_CASE("a custom column Age is counted only if it shows the creation time") {
  const auto age = [](std::string_view path) {
    const std::string description =
        "Custom resource definition column (in JSONPath format): " + std::string(path);
    return row_cells(*with_cells(R"(["7y"])", {{"Age", "date", "", description, 0}}), kWall)[0];
  };
  CHECK(age(".metadata.creationTimestamp") == "24h");
  CHECK(age(".spec.born") == "7y");
}

TEST_CASE("an age is unknown without an object or a creation time") {
  CHECK(age_text(make_pod("web", "", "", "", 90s).get(), kWall) == "90s");
  CHECK(age_text(nullptr, kWall) == "<unknown>");
  ObjectFacts facts;
  facts.name = "web";
  facts.json = "{}";
  CHECK(age_text(Object::create(facts).get(), kWall) == "<unknown>");
}

TEST_CASE("the state shows the cells, or only those that changed") {
  const ObjectPtr pending = make_pod("web", "0/1", "Pending", "0");
  const ObjectPtr running = make_pod("web", "1/1", "Running", "0");
  CHECK(state_text(running.get(), nullptr, false, kWall) == "Ready=1/1 Status=Running Restarts=0");
  CHECK(state_text(running.get(), nullptr, true, kWall) ==
        "Ready=1/1 Status=Running Restarts=0 Node=n1");
  CHECK(state_text(running.get(), pending.get(), true, kWall) == "Ready=1/1 Status=Running");
  CHECK(state_text(running.get(), running.get(), true, kWall).empty());
  CHECK(state_text(nullptr, running.get(), true, kWall).empty());
}

TEST_CASE("the state has no empty cells and no spaces in column names") {
  const ObjectPtr object =
      with_cells(R"(["web","<none>","","x"])", {{"Name", "string", "name", "", 0},
                                                {"External-IP", "string", "", "", 0},
                                                {"Status", "string", "", "", 0},
                                                {"Node Selector", "string", "", "", 0}});
  CHECK(state_text(object.get(), nullptr, false, kWall) == "Node-Selector=x");
  // Cells of other columns cannot be compared.
  CHECK(state_text(object.get(), make_pod("web", "", "", "").get(), false, kWall) ==
        "Node-Selector=x");
}

TEST_CASE("the type goes in front of the name, wherever its column is") {
  const TableColumns columns{{{"Age", "string", "", "", 0}, {"Name", "string", "name", "", 0}}};
  Cells cells = {"3d", "web"};
  add_type_to_name(test::kDeployments, columns, cells);
  CHECK(cells == Cells{"3d", "deployment.apps/web"});
  Cells few = {"3d"};
  add_type_to_name(test::kDeployments, columns, few);
  CHECK(few == Cells{"3d"});
}

TableColumn named(const char* name) { return {name, "string", "", "", 0}; }

/// Returns the colour of a cell in a row that has only this one.
Colour colour_of(const char* kind, const char* column, const char* cell) {
  return attention_colours(kind, {named(column)}, {cell}).at(0);
}

TEST_CASE("states that need attention have a colour, the others have none") {
  struct Case {
    const char* kind;
    const char* column;
    const char* cell;
    Colour colour;
  };
  for (const Case& one : {
           Case{"Pod", "Status", "CrashLoopBackOff", Colour::red},
           Case{"Pod", "Status", "ImagePullBackOff", Colour::red},
           Case{"Pod", "Status", "ErrImagePull", Colour::red},
           Case{"Pod", "Status", "ErrImageNeverPull", Colour::red},
           Case{"Pod", "Status", "CreateContainerConfigError", Colour::red},
           Case{"Pod", "Status", "Error", Colour::red},
           Case{"Pod", "Status", "Evicted", Colour::red},
           Case{"Pod", "Status", "OOMKilled", Colour::red},
           Case{"Pod", "Status", "Failed", Colour::red},
           Case{"Pod", "Status", "Init:Error", Colour::red},
           Case{"Pod", "Status", "Init:CrashLoopBackOff", Colour::red},
           Case{"Pod", "Status", "ExitCode:1", Colour::red},
           Case{"Pod", "Status", "ExitCode:0", Colour::none},
           Case{"Pod", "Status", "Signal:9", Colour::red},
           Case{"Pod", "Status", "Unknown", Colour::red},
           Case{"Pod", "Status", "Pending", Colour::yellow},
           Case{"Pod", "Status", "Terminating", Colour::yellow},
           Case{"Pod", "Status", "SchedulingGated", Colour::yellow},
           Case{"Pod", "Status", "NotReady", Colour::yellow},
           Case{"Pod", "Status", "Running", Colour::none},
           Case{"Pod", "Status", "ContainerCreating", Colour::none},
           Case{"Pod", "Status", "Init:0/1", Colour::none},
           Case{"Pod", "Status", "Completed", Colour::none},
           Case{"Pod", "Ready", "0/1", Colour::yellow},
           Case{"Pod", "Ready", "1/1", Colour::none},
           Case{"Pod", "Name", "Error", Colour::none},
           Case{"Deployment", "Ready", "2/3", Colour::yellow},
           Case{"Node", "Status", "NotReady", Colour::red},
           Case{"Node", "Status", "Ready,SchedulingDisabled", Colour::yellow},
           Case{"Node", "Status", "NotReady,SchedulingDisabled", Colour::red},
           Case{"Node", "Status", "Ready", Colour::none},
           Case{"Job", "Status", "Failed", Colour::red},
           Case{"Job", "Status", "Suspended", Colour::yellow},
           Case{"Namespace", "Status", "Terminating", Colour::yellow},
           Case{"PersistentVolumeClaim", "Status", "Lost", Colour::red},
           Case{"Certificate", "Ready", "False", Colour::red},
           Case{"Certificate", "Ready", "True", Colour::none},
           Case{"Application", "Health", "Degraded", Colour::red},
           Case{"Event", "Type", "Warning", Colour::yellow},
           Case{"Event", "Type", "Normal", Colour::none},
           Case{"Event", "Reason", "Failed", Colour::none},
           Case{"Service", "Type", "Warning", Colour::none},
       }) {
    CAPTURE(one.kind);
    CAPTURE(one.column);
    CAPTURE(one.cell);
    CHECK(colour_of(one.kind, one.column, one.cell) == one.colour);
  }
}

TEST_CASE("other columns of the row decide about Ready") {
  const std::vector<TableColumn> pod = {named("Name"), named("Ready"), named("Status")};
  using Colours = std::vector<Colour>;
  CHECK(attention_colours("Pod", pod, {"a", "0/1", "Completed"}) ==
        Colours{Colour::none, Colour::none, Colour::none});
  CHECK(attention_colours("Pod", pod, {"a", "0/1", "Error"}) ==
        Colours{Colour::none, Colour::yellow, Colour::red});
  const std::vector<TableColumn> set = {named("Name"), named("Desired"), named("Ready")};
  CHECK(attention_colours("ReplicaSet", set, {"a", "3", "1"}).at(2) == Colour::yellow);
  CHECK(attention_colours("ReplicaSet", set, {"a", "3", "3"}).at(2) == Colour::none);
  // A row may be shorter than the columns.
  CHECK(attention_colours("ReplicaSet", set, {"a"}).size() == 1);
}

}  // namespace
}  // namespace kinf
