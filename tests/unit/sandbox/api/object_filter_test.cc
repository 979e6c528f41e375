// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/api/object_filter.h"

#include <doctest/doctest.h>

#include "unit/sandbox/api/api_world.h"

namespace kinf::sandbox {
namespace {

bool matches(const ApiWorld& world, const StoredPtr& object, const std::string& fields,
             const std::string& labels = "", const std::string& ns = "") {
  const ApiTypePtr type = world.types.find_kind(text(field(object->json, "apiVersion")),
                                                text(field(object->json, "kind")));
  const auto filter = ObjectFilter::parse(*type, ns, labels, fields);
  REQUIRE_MESSAGE(filter.has_value(), fields);
  return filter->matches(*object);
}

TEST_CASE("pods are selected by namespace, labels and fields together") {
  ApiWorld world;
  const StoredPtr pod = world.add("v1", "Pod", "web",
                                  {{"metadata", {{"labels", {{"app", "web"}, {"tier", "front"}}}}},
                                   {"spec", {{"nodeName", "n1"}}},
                                   {"status", {{"phase", "Running"}, {"podIP", "192.0.2.1"}}}});
  struct Case {
    const char* fields;
    const char* labels;
    const char* ns;
    bool match;
  };
  for (const Case& each : std::vector<Case>{
           {"", "", "", true},
           {"", "", "default", true},
           {"", "", "other", false},
           {"metadata.name=web", "", "", true},
           {"metadata.namespace=default", "", "", true},
           {"metadata.name!=web", "", "", false},
           {"spec.nodeName=n1,status.phase=Running", "", "", true},
           {"spec.nodeName=n1,status.phase!=Running", "", "", false},
           {"spec.nodeName=", "", "", false},
           {"spec.hostNetwork=false", "", "", true},
           {"status.nominatedNodeName=", "", "", true},
           {"", "app=web,tier in (front,back)", "", true},
           {"", "!canary", "", true},
           {"", "app", "", true},
           {"", "app=web,tier!=front", "", false},
           {"spec.nodeName=n1", "app=web", "default", true},
           {"spec.nodeName=n2", "app=web", "default", false},
       }) {
    CHECK_MESSAGE(matches(world, pod, each.fields, each.labels, each.ns) == each.match,
                  each.fields << " " << each.labels);
  }
}

TEST_CASE("fields that are not where their name says are found") {
  ApiWorld world;
  const StoredPtr event = world.add("v1", "Event", "e",
                                    {{"involvedObject", {{"kind", "Pod"}, {"name", "web"}}},
                                     {"source", {{"component", "kubelet"}}},
                                     {"type", "Warning"},
                                     {"reason", "BackOff"}});
  CHECK(matches(world, event, "involvedObject.name=web,type=Warning,reason=BackOff"));
  CHECK(matches(world, event, "source=kubelet"));
  CHECK(matches(world, event, "reportingComponent=kubelet"));
  const StoredPtr job = world.add("batch/v1", "Job", "j", {{"status", {{"succeeded", 2}}}});
  CHECK(matches(world, job, "status.successful=2"));
  const StoredPtr idle = world.add("batch/v1", "Job", "idle");
  CHECK(matches(world, idle, "status.successful=0"));
  const StoredPtr node = world.add("v1", "Node", "n");
  CHECK(matches(world, node, "spec.unschedulable=false"));
  const StoredPtr set = world.add("apps/v1", "ReplicaSet", "r", {{"status", Json::object()}});
  CHECK(matches(world, set, "status.replicas=0"));
}

TEST_CASE("a custom type is selected by the fields that its definition names") {
  ApiWorld world;
  REQUIRE(world.objects.load(widget_definition()).has_value());
  const StoredPtr widget =
      world.add("example.com/v1", "Widget", "w", {{"spec", {{"colour", "red"}}}});
  CHECK(matches(world, widget, "spec.colour=red"));
  CHECK_FALSE(matches(world, widget, "spec.colour=blue"));
}

TEST_CASE("what cannot be read or selected by is a bad request in the words of the server") {
  const ApiWorld world;
  const ApiType& pods = world.type("v1", "Pod");
  const auto unknown = ObjectFilter::parse(pods, "", "", "spec.image=x");
  REQUIRE_FALSE(unknown.has_value());
  CHECK(unknown.error().code == 400);
  CHECK(unknown.error().message == "field label not supported: spec.image");
  CHECK(ObjectFilter::parse(pods, "", "a in b", "").error().code == 400);
  CHECK(ObjectFilter::parse(pods, "", "", "a").error().code == 400);
  CHECK(ObjectFilter::parse(world.type("v1", "Node"), "", "", "metadata.namespace=x")
            .error()
            .message == "field label not supported: metadata.namespace");
}

TEST_CASE("only selectors count as a selection, a namespace does not") {
  const ApiWorld world;
  const ApiType& pods = world.type("v1", "Pod");
  CHECK_FALSE(ObjectFilter::parse(pods, "default", "", "")->selects());
  CHECK(ObjectFilter::parse(pods, "", "a=b", "")->selects());
  CHECK(ObjectFilter::parse(pods, "", "", "metadata.name=a")->selects());
}

}  // namespace
}  // namespace kinf::sandbox
