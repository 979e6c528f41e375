// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/objects_printer.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "fakes/object_builder.h"
#include "unit/print/sample_objects.h"

namespace kinf {
namespace {

using test::as;
using test::kNow;
using test::kPods;
using test::kServices;
using test::make_object;
using test::make_pod;

std::string printed_objects(const std::vector<PrintedObjects>& types, const PrintOptions& options,
                            bool as_list = true) {
  std::string all;
  const Result<std::size_t> done =
      print_objects(types, options, as_list, Clock::Wall(kNow), [&](std::string& text) {
        all += text;
        text.clear();
      });
  return done ? all : "error: " + done.error().message;
}

ObjectPtr with_json(std::string name, std::string json) {
  test::Sample sample;
  sample.name = std::move(name);
  sample.json = std::move(json);
  return make_object(sample);
}

TEST_CASE("several types are several tables") {
  PrintOptions options;
  options.several_types = true;
  const std::vector<PrintedObjects> types = {
      {&kPods, {make_pod("web-1", "1/1", "Running", "0")}},
      {&kServices, {}},
      {&kServices, {with_json("web", "{}")}},
  };
  CHECK(printed_objects(types, options) ==
        "NAME        READY   STATUS    RESTARTS   AGE\n"
        "pod/web-1   1/1     Running   0          24h\n"
        "\n"
        "NAME          AGE\n"
        "service/web   24h\n");
  CHECK(printed_objects(types, as(OutputFormat::name)) == "pod/web-1\nservice/web\n");
}

TEST_CASE("W14: objects with the earlier columns of their type share the table of the newest") {
  const auto gadget = [](const char* name, const char* version, std::vector<const char*> columns,
                         const char* cells) {
    test::Sample sample;
    sample.name = name;
    sample.version = version;
    std::vector<TableColumn> definitions;
    for (const char* column : columns) {
      definitions.push_back({column, "string", column == std::string("Name") ? "name" : "", "", 0});
    }
    sample.columns = std::make_shared<const TableColumns>(TableColumns{std::move(definitions)});
    sample.cells = cells;
    sample.json = R"({"metadata":{"name":")" + std::string(name) + R"("}})";
    return make_object(sample);
  };
  const std::vector<PrintedObjects> types = {
      {&kPods,
       {gadget("a", "9", {"Name", "Size"}, R"(["a","1"])"),
        gadget("b", "12", {"Name", "Colour", "Size"}, R"(["b","red","2"])"),
        gadget("c", "10", {"Name", "Size", "Old"}, R"(["c","3","x"])")}}};
  CHECK(printed_objects(types, PrintOptions()) ==
        "NAME   COLOUR   SIZE\n"
        "a               1\n"
        "b      red      2\n"
        "c               3\n");
}

TEST_CASE("a cell that is nested too deeply keeps the columns of its object") {
  test::Sample deep;
  deep.name = "a";
  deep.columns = std::make_shared<const TableColumns>(
      TableColumns{{{"Name", "string", "name", "", 0}, {"Deep", "string", "", "", 0}}});
  deep.cells = "[\"a\"," + std::string(100'000, '[') + std::string(100'000, ']') + "]";
  deep.json = R"({"metadata":{"name":"a"}})";
  const std::string text = printed_objects(
      {{&kPods, {make_object(deep), make_pod("b", "1/1", "Running", "0")}}}, PrintOptions());
  CHECK(text.find("Running") != std::string::npos);
}

TEST_CASE("the objects of several clusters share the tables of their types") {
  PrintOptions options;
  options.with_cluster = true;
  const std::vector<PrintedObjects> types = {
      {&kPods, {make_pod("web-1", "1/1", "Running", "0")}, "prod"},
      {&kPods, {make_pod("web-2", "1/1", "Running", "0")}, "dev"}};
  CHECK(printed_objects(types, options) ==
        "CLUSTER   NAME    READY   STATUS    RESTARTS   AGE\n"
        "prod      web-1   1/1     Running   0          24h\n"
        "dev       web-2   1/1     Running   0          24h\n");
}

TEST_CASE("JSON and YAML are one List, or the object itself") {
  const std::vector<PrintedObjects> two = {
      {&kPods, {with_json("a", R"({"kind":"Pod","a":1})"), with_json("b", R"({"b":{}})")}}};
  CHECK(printed_objects(two, as(OutputFormat::json)) == R"({
    "apiVersion": "v1",
    "items": [
        {
            "a": 1,
            "kind": "Pod"
        },
        {
            "b": {}
        }
    ],
    "kind": "List",
    "metadata": {
        "resourceVersion": ""
    }
}
)");
  CHECK(printed_objects(two, as(OutputFormat::yaml)) == R"(apiVersion: v1
items:
- a: 1
  kind: Pod
- b: {}
kind: List
metadata:
  resourceVersion: ""
)");
  const std::vector<PrintedObjects> one = {{&kPods, {with_json("b", R"({"b":{}})")}}};
  CHECK(printed_objects(one, as(OutputFormat::json), false) == "{\n    \"b\": {}\n}\n");
  CHECK(printed_objects(one, as(OutputFormat::yaml), false) == "b: {}\n");
}

TEST_CASE("without objects the List is empty") {
  CHECK(printed_objects({}, as(OutputFormat::yaml)) ==
        "apiVersion: v1\nitems: []\nkind: List\nmetadata:\n  resourceVersion: \"\"\n");
  CHECK(printed_objects({}, as(OutputFormat::json)).find("\"items\": [],") != std::string::npos);
  CHECK(printed_objects({}, {}).empty());
}

PrintOptions as(const std::string& output) {
  PrintOptions options;
  static_cast<OutputForm&>(options) = parse_output(output).value();
  return options;
}

TEST_CASE("a template is applied to one object, or to a List of all") {
  const PrintedObjects one{&kPods, {with_json("a", R"({"metadata":{"name":"a"}})")}};
  const PrintedObjects two{&kPods,
                           {with_json("a", R"({"metadata":{"name":"a"}})"),
                            with_json("b", R"({"metadata":{"name":"b"}})")}};
  CHECK(printed_objects({one}, as("jsonpath={.metadata.name}"), false) == "a");
  CHECK(printed_objects({one}, as("jsonpath={.items[*].metadata.name}")) == "a");
  CHECK(printed_objects({two}, as("jsonpath={.items[*].metadata.name}"), false) == "a b");
  CHECK(printed_objects({two}, as("jsonpath={.apiVersion}/{.kind}")) == "v1/List");
  CHECK(printed_objects({two}, as("jsonpath-as-json={.items[*].metadata.name}")) ==
        "[\n    \"a\",\n    \"b\"\n]\n");
}

TEST_CASE("a missing field of a template is an error only on request") {
  const PrintedObjects one{&kPods, {with_json("a", "{}")}};
  PrintOptions options = as("jsonpath={.x}");
  CHECK(printed_objects({one}, options, false).empty());
  options.allow_missing_keys = false;
  CHECK(printed_objects({one}, options, false) ==
        "error: error executing jsonpath \"{.x}\": x is not found");
}

TEST_CASE("CSV and TSV have the cells of the table") {
  const PrintedObjects pods{&kPods,
                            {make_pod("web-1", "1/1", "Running", "2 (1h ago), often"),
                             make_pod("web-2", "0/1", "Pending", "0")}};
  PrintOptions options = as("csv");
  options.with_namespace = true;
  CHECK(printed_objects({pods}, options) ==
        "NAMESPACE,NAME,READY,STATUS,RESTARTS,CREATED\n"
        "default,web-1,1/1,Running,\"2 (1h ago), "
        "often\",2026-11-20T10:14:00Z\ndefault,web-2,0/1,Pending,0,2026-11-20T10:14:00Z\n");
  options = as("tsv");
  options.headers = false;
  CHECK(printed_objects({pods}, options) ==
        "web-1\t1/1\tRunning\t2 (1h ago), "
        "often\t2026-11-20T10:14:00Z\nweb-2\t0/1\tPending\t0\t2026-11-20T10:14:00Z\n");
}

TEST_CASE("CSV of several types has one header, with the cells of each type in STATE") {
  const PrintedObjects pods{&kPods, {make_pod("web-1", "1/1", "Running", "0")}};
  const PrintedObjects services{&kServices, {with_json("web", "{}")}};
  PrintOptions options = as("csv");
  options.several_types = true;
  CHECK(printed_objects({pods, services}, options) ==
        "NAME,CREATED,STATE\npod/web-1,2026-11-20T10:14:00Z,Ready=1/1 Status=Running "
        "Restarts=0\nservice/web,2026-11-20T10:14:00Z,\n");
}

TEST_CASE("custom columns are one table for all types") {
  const PrintedObjects pods{&kPods, {with_json("web-1", R"({"kind":"Pod","x":null})")}};
  const PrintedObjects services{&kServices, {with_json("web", R"({"kind":"Service"})")}};
  CHECK(printed_objects({pods, services}, as("custom-columns=KIND:.kind,X:.x")) ==
        "KIND      X\nPod       <nil>\nService   <none>\n");
}

TEST_CASE("CSV and custom columns of several clusters begin with CLUSTER") {
  const std::vector<PrintedObjects> types = {
      {&kPods, {make_pod("web-1", "1/1", "Running", "0")}, "prod"},
      {&kPods, {make_pod("web-2", "1/1", "Running", "0")}, "dev"}};
  PrintOptions csv = as(OutputFormat::csv);
  csv.with_cluster = true;
  CHECK(printed_objects(types, csv) ==
        "CLUSTER,NAME,READY,STATUS,RESTARTS,CREATED\n"
        "prod,web-1,1/1,Running,0,2026-11-20T10:14:00Z\n"
        "dev,web-2,1/1,Running,0,2026-11-20T10:14:00Z\n");
  PrintOptions columns = as("custom-columns=NAME:.metadata.name");
  columns.with_cluster = true;
  const std::vector<PrintedObjects> named = {
      {&kPods, {with_json("a", R"({"metadata":{"name":"a"}})")}, "prod"},
      {&kPods, {with_json("b", R"({"metadata":{"name":"b"}})")}, "dev"}};
  CHECK(printed_objects(named, columns) == "CLUSTER   NAME\nprod      a\ndev       b\n");
}

TEST_CASE("a template does not see damaged documents, which are counted") {
  const std::vector<PrintedObjects> types = {
      {&kPods, {with_json("a", R"({"metadata":{"name":"a"}})"), with_json("b", "{\"b\":")}}};
  std::string text;
  const Result<std::size_t> damaged =
      print_objects(types, as("jsonpath={.items[*].metadata.name}"), true, Clock::Wall(kNow),
                    [&](std::string& piece) { text += std::exchange(piece, {}); });
  CHECK(damaged == 1);
  CHECK(text == "a");
}

TEST_CASE("templates and custom columns do not show the values of a Secret") {
  const PrintedObjects secrets{&test::kSecrets,
                               {with_json("s", R"({"data":{"k":"aHVudGVyMg=="}})")}};
  PrintOptions options = as("jsonpath={.data.k}");
  CHECK(printed_objects({secrets}, options, false) == "<7 bytes>");
  options.show_secrets = true;
  CHECK(printed_objects({secrets}, options, false) == "aHVudGVyMg==");
  options = as("custom-columns=K:.data.k");
  options.headers = false;
  CHECK(printed_objects({secrets}, options) == "<7 bytes>\n");
}

ObjectPtr named_object(const std::string& name) {
  test::ObjectSpec spec;
  spec.name = name;
  return test::make_object(spec);
}

/// Returns the objects as `a:x b:y`, each with its cluster.
std::string text_of(const std::vector<PrintedObjects>& types) {
  std::string text;
  for (const PrintedObjects& some : types) {
    for (const ObjectPtr& object : some.objects) {
      text += (text.empty() ? "" : " ") + some.cluster + ":" + std::string(object->name());
    }
  }
  return text;
}

std::vector<PrintedObjects> sample() {
  return {{&test::kPods, {named_object("c"), named_object("a")}, "one"},
          {&test::kPods, {named_object("b")}, "two"},
          {&test::kServices, {named_object("a")}, "one"}};
}

TEST_CASE("objects of several clusters are sorted together, each table for itself") {
  std::vector<PrintedObjects> types = sample();
  const SortOrder by_name = SortOrder::parse(".metadata.name").value();
  REQUIRE(sort_objects(types, by_name, SortScope::table).has_value());
  CHECK(text_of(types) == "one:a two:b one:c one:a");
  CHECK(types.back().resource == &test::kServices);
}

TEST_CASE("without tables, objects of all types are sorted together") {
  std::vector<PrintedObjects> types = sample();
  const SortOrder by_name = SortOrder::parse(".metadata.name").value();
  REQUIRE(sort_objects(types, by_name, SortScope::all).has_value());
  CHECK(text_of(types) == "one:a one:a two:b one:c");
}

TEST_CASE("V5: only the rows of FlowSchemas are not sorted by key") {
  const auto schema = [](std::string_view name, int precedence) {
    test::Sample sample;
    sample.name = name;
    sample.cells = fmt::format(R"(["{}","workload-low",{}])", name, precedence);
    sample.columns = std::make_shared<const TableColumns>(
        TableColumns{{{"Name", "string", "name", "", 0},
                      {"PriorityLevel", "string", "", "", 0},
                      {"MatchingPrecedence", "string", "", "", 0}}});
    return make_object(sample);
  };
  const std::vector<ObjectPtr> by_key = {schema("catch-all", 10000), schema("exempt", 1),
                                         schema("probes", 2)};
  std::vector<ObjectPtr> rows = by_key;
  sort_rows({{"flowcontrol.apiserver.k8s.io", "v1", "flowschemas"}, "FlowSchema", "", false}, rows);
  CHECK(rows == std::vector<ObjectPtr>{by_key[1], by_key[2], by_key[0]});
  rows = by_key;
  sort_rows(kPods, rows);
  CHECK(rows == by_key);
}

TEST_CASE("an empty order changes nothing, and an unknown path is an error") {
  std::vector<PrintedObjects> types = sample();
  REQUIRE(sort_objects(types, SortOrder(), SortScope::all).has_value());
  CHECK(text_of(types) == "one:c one:a two:b one:a");
  const SortOrder by_other = SortOrder::parse(".spec.other").value();
  CHECK_FALSE(sort_objects(types, by_other, SortScope::all).has_value());
}

}  // namespace
}  // namespace kinf
