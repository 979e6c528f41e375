// SPDX-License-Identifier: Apache-2.0
// The forms in which objects are sent: whole, as metadata, as rows of a Table.
#include "kinf/sandbox/api/response_form.h"

#include <doctest/doctest.h>

#include "unit/sandbox/api/api_world.h"

namespace kinf::sandbox {
namespace {

constexpr const char* kTable = "application/json;as=Table;v=v1;g=meta.k8s.io";
constexpr const char* kPodsPath = "/api/v1/namespaces/default/pods";

struct FormWorld : ApiWorld {
  FormWorld() {
    add("v1", "Pod", "web",
        {{"metadata", {{"creationTimestamp", "2026-11-21T10:13:00Z"}}},
         {"spec", {{"containers", Json::array({{{"name", "c"}}})}}},
         {"status", {{"phase", "Succeeded"}}}});
  }
  Json get_as(const std::string& accept, const std::string& target) {
    const HttpResponse response = send("GET", target, "", accept);
    CHECK(response.code == 200);
    return *parse_json(response.body);
  }
};

TEST_CASE("the items of a built-in list do not name their kind, those of a custom one do") {
  FormWorld w;
  const Json pods = w.get(kPodsPath);
  CHECK(pods["kind"] == "PodList");
  CHECK(pods["apiVersion"] == "v1");
  CHECK_FALSE(pods["items"][0].contains("kind"));
  CHECK(pods["items"][0]["metadata"]["name"] == "web");
  REQUIRE(w.objects.load(widget_definition()).has_value());
  w.add("example.com/v1", "Widget", "w");
  const HttpResponse widgets = w.send("GET", "/apis/example.com/v1/widgets");
  CHECK_MESSAGE(widgets.body.starts_with(R"({"apiVersion":"example.com/v1","items":[{"kind":)"),
                "the version comes last, as with the real server");
  CHECK(parse_json(widgets.body)->at("items")[0]["kind"] == "Widget");
}

TEST_CASE("an object alone names its kind first") {
  FormWorld w;
  CHECK(w.send("GET", std::string(kPodsPath) + "/web")
            .body.starts_with(R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"web",)"));
}

TEST_CASE("metadata alone can be asked for, of one object and of a list") {
  FormWorld w;
  const Json one = w.get_as("application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io",
                            std::string(kPodsPath) + "/web");
  CHECK(one["kind"] == "PartialObjectMetadata");
  CHECK(one["metadata"]["name"] == "web");
  CHECK_FALSE(one.contains("spec"));
  const Json list =
      w.get_as("application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io", kPodsPath);
  CHECK(list["kind"] == "PartialObjectMetadataList");
  CHECK(list["apiVersion"] == "meta.k8s.io/v1");
  CHECK(list["items"][0]["kind"] == "PartialObjectMetadata");
}

TEST_CASE("a Table has columns, cells, conditions and as much of the object as asked for") {
  FormWorld w;
  const Json table = w.get_as(kTable, kPodsPath);
  CHECK(table["kind"] == "Table");
  CHECK(table["columnDefinitions"][0]["name"] == "Name");
  const Json& row = table["rows"][0];
  CHECK(row["cells"][0] == "web");
  CHECK(row["cells"].size() == table["columnDefinitions"].size());
  CHECK(row["conditions"][0]["type"] == "Completed");
  CHECK(row["object"]["kind"] == "PartialObjectMetadata");

  const auto object_of = [&](const char* include) {
    return w.get_as(kTable,
                    std::string(kPodsPath) + "?includeObject=" + include)["rows"][0]["object"];
  };
  CHECK(object_of("Object")["kind"] == "Pod");
  CHECK(object_of("None").is_null());
  CHECK(object_of("Metadata")["kind"] == "PartialObjectMetadata");
  CHECK(w.send("GET", std::string(kPodsPath) + "?includeObject=Some", "", kTable).code == 400);
  CHECK(w.send("GET", kPodsPath, "", "text/html").code == 406);
}

TEST_CASE("drop=metadata.managedFields leaves them out of every form, and changes nothing else") {
  ApiWorld w;
  const Json metadata = {{"managedFields", Json::array({{{"manager", "kubectl"}}})},
                         {"labels", {{"app", "web"}}}};
  w.add("v1", "Pod", "web", {{"metadata", metadata}, {"spec", {{"nodeName", "n1"}}}});
  const std::string one = std::string(kPodsPath) + "/web";
  const std::string with_objects = std::string(kPodsPath) + "?includeObject=Object";
  struct Case {
    std::string accept;
    std::string target;
  };
  for (const Case& each : std::vector<Case>{
           {"application/json", kPodsPath},
           {"application/json", one},
           {"application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io", kPodsPath},
           {"application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io", one},
           {kTable, kPodsPath},
           {kTable, with_objects},
       }) {
    const std::string kept = w.send("GET", each.target, "", each.accept).body;
    const std::string dropped =
        w.send("GET", each.target, "", each.accept + ";drop=metadata.managedFields").body;
    std::string expected = kept;
    const std::string fields = R"("managedFields":[{"manager":"kubectl"}])";
    const std::size_t at = expected.find(fields);
    REQUIRE_MESSAGE(at != std::string::npos, each.accept);
    // With the comma after it, or before it at the end of the metadata.
    const bool is_last = expected[at + fields.size()] != ',';
    expected.erase(is_last ? at - 1 : at, fields.size() + 1);
    CHECK_MESSAGE(dropped == expected, each.accept);
  }
}

TEST_CASE("the cells of a custom type come from the columns of its definition") {
  FormWorld w;
  REQUIRE(w.objects.load(widget_definition()).has_value());
  w.add("example.com/v1", "Widget", "w",
        {{"metadata", {{"creationTimestamp", "2026-11-21T10:12:00Z"}}},
         {"spec", {{"colour", "red"}, {"count", 3}, {"bright", true}}}});
  w.add("example.com/v1", "Widget", "empty",
        {{"metadata", {{"creationTimestamp", "2026-11-21T10:12:00Z"}}}});
  const Json table = w.get_as(kTable, "/apis/example.com/v1/widgets");
  CHECK(to_text(table["rows"][1]["cells"]) == R"(["w","red",3,true,"2m"])");
  CHECK(to_text(table["rows"][0]["cells"]) == R"(["empty",null,null,null,"2m"])");
  const Json& columns = table["columnDefinitions"];
  CHECK(columns[2]["priority"] == 1);
  CHECK_MESSAGE(columns[4]["type"] == "string", "an age is text");
  CHECK(columns[1]["description"] ==
        "Custom resource definition column (in JSONPath format): .spec.colour");
}

TEST_CASE("a path of a column that cannot be read, or a value of another type, shows as it can") {
  ApiType type;
  type.kind = "Widget";
  type.printer_columns = {{"Bad", "string", "", "", 0, ".spec["},
                          {"Text", "integer", "", "", 0, ".spec.word"},
                          {"Odd", "boolean", "", "", 0, ".spec.word"}};
  StoredObject object;
  object.json = {{"metadata", {{"name", "w"}}}, {"spec", {{"word", "many"}}}};
  const Json row = table_row(type, object, Clock::Wall{});
  CHECK(to_text(row["cells"]) == R"(["w",null,"many","many"])");
}

TEST_CASE("a recorded row has the recorded columns and cells, with the ages of now") {
  const TableColumn name{"Name", "string", "name", "", 0};
  const TableColumn ready{"Ready", "string", "", "", 0};
  const TableColumn age{"Age", "string", "", "", 0};
  ApiType type;
  type.kind = "Widget";
  type.recorded_columns = std::make_shared<TableColumns>(TableColumns{{name, ready, age}});
  StoredObject object;
  object.json = {{"metadata", {{"name", "w"}, {"creationTimestamp", "1970-01-01T00:00:00Z"}}}};
  object.cells = R"(["w","7s",3])";
  object.columns = std::make_shared<TableColumns>(TableColumns{{name, age, ready}});
  const Json row = table_row(type, object, Clock::Wall(std::chrono::minutes(5)));
  CHECK(to_text(row["cells"]) == R"(["w",3,"5m"])");
  CHECK(column_definitions(type)[1]["name"] == "Ready");
}

TEST_CASE("a bookmark is an object of the type that has only a version") {
  FormWorld w;
  const auto form = ResponseForm::negotiate("", "", w.types.find_kind("v1", "Pod"));
  REQUIRE(form.has_value());
  CHECK(form->bookmark_text(42, false, w.clock.wall(), false) ==
        R"({"kind":"Pod","apiVersion":"v1","metadata":{"resourceVersion":"42"},)"
        R"("spec":{"containers":null},"status":{}})");
  CHECK(form->bookmark_text(42, true, w.clock.wall(), false)
            .find(R"("annotations":{"k8s.io/initial-events-end":"true"})") != std::string::npos);
}

TEST_CASE("an event is one line") {
  CHECK(event_text("ADDED", "{}") == "{\"type\":\"ADDED\",\"object\":{}}\n");
}

}  // namespace
}  // namespace kinf::sandbox
