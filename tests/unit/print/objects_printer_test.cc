// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/objects_printer.h"

#include <doctest/doctest.h>

#include "unit/print/sample_objects.h"

namespace kinf {
namespace {

using test::kNow;
using test::kPods;
using test::kServices;
using test::make_object;
using test::make_pod;

std::string printed(const std::vector<PrintedObjects>& types, const PrintOptions& options,
                    bool as_list = true) {
  std::string all;
  print_objects(types, options, as_list, Clock::Wall(kNow), [&](std::string& text) {
    all += text;
    text.clear();
  });
  return all;
}

PrintOptions as(OutputFormat format) {
  PrintOptions options;
  options.format = format;
  return options;
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
  CHECK(printed(types, options) ==
        "NAME        READY   STATUS    RESTARTS   AGE\n"
        "pod/web-1   1/1     Running   0          24h\n"
        "\n"
        "NAME          AGE\n"
        "service/web   24h\n");
  CHECK(printed(types, as(OutputFormat::name)) == "pod/web-1\nservice/web\n");
}

TEST_CASE("the objects of several clusters share the tables of their types") {
  PrintOptions options;
  options.with_cluster = true;
  const std::vector<PrintedObjects> types = {
      {&kPods, {make_pod("web-1", "1/1", "Running", "0")}, "prod"},
      {&kPods, {make_pod("web-2", "1/1", "Running", "0")}, "dev"}};
  CHECK(printed(types, options) ==
        "CLUSTER   NAME    READY   STATUS    RESTARTS   AGE\n"
        "prod      web-1   1/1     Running   0          24h\n"
        "dev       web-2   1/1     Running   0          24h\n");
}

TEST_CASE("JSON and YAML are one List, or the object itself") {
  const std::vector<PrintedObjects> two = {
      {&kPods, {with_json("a", R"({"kind":"Pod","a":1})"), with_json("b", R"({"b":{}})")}}};
  CHECK(printed(two, as(OutputFormat::json)) == R"({
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
  CHECK(printed(two, as(OutputFormat::yaml)) == R"(apiVersion: v1
items:
- a: 1
  kind: Pod
- b: {}
kind: List
metadata:
  resourceVersion: ""
)");
  const std::vector<PrintedObjects> one = {{&kPods, {with_json("b", R"({"b":{}})")}}};
  CHECK(printed(one, as(OutputFormat::json), false) == "{\n    \"b\": {}\n}\n");
  CHECK(printed(one, as(OutputFormat::yaml), false) == "b: {}\n");
}

TEST_CASE("without objects the List is empty") {
  CHECK(printed({}, as(OutputFormat::yaml)) ==
        "apiVersion: v1\nitems: []\nkind: List\nmetadata:\n  resourceVersion: \"\"\n");
  CHECK(printed({}, as(OutputFormat::json)).find("\"items\": [],") != std::string::npos);
  CHECK(printed({}, {}).empty());
}

}  // namespace
}  // namespace kinf
