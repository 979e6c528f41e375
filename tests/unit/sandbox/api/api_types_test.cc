// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/api/api_types.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "unit/sandbox/api/api_world.h"

namespace kinf::sandbox {
namespace {

TEST_CASE("built-in types are found by path and by kind") {
  const ApiTypes types;
  struct Case {
    const char* group;
    const char* resource;
    const char* api_version;
    const char* kind;
    bool namespaced;
    const char* short_name;
    const char* storage_key;
  };
  for (const Case& each : std::vector<Case>{
           {"", "pods", "v1", "Pod", true, "po", "pods"},
           {"", "namespaces", "v1", "Namespace", false, "ns", "namespaces"},
           {"apps", "deployments", "apps/v1", "Deployment", true, "deploy", "deployments.apps"},
           {"batch", "cronjobs", "batch/v1", "CronJob", true, "cj", "cronjobs.batch"},
           {"", "nodes", "v1", "Node", false, "no", "nodes"},
       }) {
    const ApiTypePtr type = types.find(each.group, "v1", each.resource);
    REQUIRE(type != nullptr);
    CHECK(type == types.find_kind(each.api_version, each.kind));
    CHECK(type->namespaced == each.namespaced);
    CHECK(type->short_names == std::vector<std::string>{each.short_name});
    CHECK(type->list_kind == std::string(each.kind) + "List");
    CHECK(type->storage_key() == each.storage_key);
    CHECK_FALSE(type->custom);
  }
  CHECK(types.find("", "v2", "pods") == nullptr);
  CHECK(types.find_kind("v1", "Widget") == nullptr);
  CHECK(types.has_group_version("apps", "v1"));
  CHECK_FALSE(types.has_group_version("apps", "v2"));
  CHECK_FALSE(types.has_group_version("app", "v1"));
}

TEST_CASE("types are found by their storage key") {
  const ApiTypes types;
  for (const ApiTypePtr& type : types.all()) {
    CHECK(types.find_stored(type->storage_key()) == type);
  }
  CHECK(types.find_stored("pods.apps") == nullptr);
  CHECK(types.find_stored("") == nullptr);
}

TEST_CASE("types are listed in the order of group, version and resource") {
  const auto all = ApiTypes().all();
  CHECK(std::ranges::is_sorted(all, {}, [](const ApiTypePtr& type) { return type->gvr; }));
}

TEST_CASE("a definition gives one type for each version that it serves") {
  const std::vector<ApiType> types = custom_types(widget_definition());
  REQUIRE(types.size() == 1);
  const ApiType& widget = types.front();
  CHECK(widget.gvr == GroupVersionResource{"example.com", "v1", "widgets"});
  CHECK(widget.kind == "Widget");
  CHECK(widget.list_kind == "WidgetList");
  CHECK(widget.namespaced);
  CHECK(widget.custom);
  CHECK(widget.has_status);
  CHECK(widget.has_scale);
  CHECK(widget.scale.wanted == ".spec.count");
  CHECK(widget.scale.selector == ".status.selector");
  CHECK(widget.short_names == std::vector<std::string>{"wd"});
  CHECK(widget.categories == std::vector<std::string>{"toys"});
  CHECK(widget.selectable_fields == std::vector<std::string>{"spec.colour"});
  CHECK(widget.printer_columns.size() == 4);
  CHECK(widget.printer_columns[1].priority == 1);
  CHECK(widget.schema["description"] == "a widget");
}

TEST_CASE("a definition that lacks most of its members defines a plain type, or none") {
  Json definition = widget_definition();
  definition["spec"]["versions"] = Json::array({{{"name", "v1"}}});
  definition["spec"]["scope"] = "Cluster";
  const std::vector<ApiType> types = custom_types(definition);
  REQUIRE(types.size() == 1);
  CHECK_FALSE(types[0].has_scale);
  CHECK_FALSE(types[0].has_status);
  CHECK_FALSE(types[0].namespaced);
  CHECK(types[0].printer_columns.empty());
  CHECK(custom_types(Json::object()).empty());
  CHECK(custom_types({{"spec", {{"versions", "none"}}}}).empty());
}

TEST_CASE("custom types come, change and go; a definition cannot replace a built-in type") {
  ApiTypes types;
  Json definition = widget_definition();
  types.add_custom(definition);
  REQUIRE(types.find_kind("example.com/v1", "Widget") != nullptr);
  definition["spec"]["versions"][0]["served"] = false;
  definition["spec"]["versions"][1]["served"] = true;
  types.add_custom(definition);
  CHECK(types.find_kind("example.com/v1", "Widget") == nullptr);
  CHECK(types.find_kind("example.com/v2", "Widget") != nullptr);
  types.remove_custom(definition);
  CHECK_FALSE(types.has_group_version("example.com", "v2"));

  definition["spec"]["group"] = "apps";
  definition["spec"]["names"]["plural"] = "deployments";
  definition["spec"]["versions"][1]["name"] = "v1";
  types.add_custom(definition);
  types.remove_custom(definition);
  CHECK(types.find("apps", "v1", "deployments")->kind == "Deployment");
}

}  // namespace
}  // namespace kinf::sandbox
