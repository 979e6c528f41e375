// SPDX-License-Identifier: Apache-2.0
#include "kinf/query/index_spec.h"

#include <doctest/doctest.h>

#include "kinf/query/index_groups.h"

namespace kinf {
namespace {

using Values = std::vector<std::string>;

ObjectPtr make_pod(std::string_view name, std::vector<Label> labels, std::string_view node = {}) {
  const std::string json = node.empty() ? "{}"
                                        : R"({"metadata":{"annotations":{"a.b/c":"x"}},)"
                                          R"("spec":{"nodeName":")" +
                                              std::string(node) + "\"}}";
  ObjectFacts facts;
  facts.ns = "default";
  facts.name = name;
  facts.labels = std::move(labels);
  facts.owners = {{"apps/v1", "ReplicaSet", "web-5d", "u1", true},
                  {"v1", "Node", "n1", "u2", false}};
  facts.json = json;
  return Object::create(facts);
}

Values values_of(std::string_view spec, const ObjectPtr& object) {
  return IndexSpec::parse(spec).value().values(*object);
}

TEST_CASE("every kind of index finds its values") {
  const ObjectPtr pod = make_pod("web", {{"app", "web"}, {"empty", ""}}, "n1");
  CHECK(values_of("app", pod) == Values{"web"});
  CHECK(values_of("label:empty", pod) == Values{""});
  CHECK(values_of("tier", pod).empty());
  CHECK(values_of("annotation:a.b/c", pod) == Values{"x"});
  CHECK(values_of("annotation:none", pod).empty());
  CHECK(values_of("@node", pod) == Values{"n1"});
  CHECK(values_of("@node", make_pod("pending", {})).empty());
  CHECK(values_of("@namespace", pod) == Values{"default"});
  CHECK(values_of("@owner", pod) == Values{"replicaset.apps/web-5d", "node/n1"});
}

TEST_CASE("an index is named in full, its column in short") {
  const IndexSpec spec = IndexSpec::parse("app.kubernetes.io/name=a=b").value();
  CHECK(spec.name() == "label:app.kubernetes.io/name");
  CHECK(spec.header() == "NAME");
  CHECK(spec.value() == "a=b");
  CHECK(IndexSpec::parse("@node").value().name() == "@node");
  CHECK(IndexSpec::parse("@node").value().header() == "NODE");
  CHECK_FALSE(IndexSpec::parse("@node").value().value().has_value());
  CHECK(IndexSpec::parse("app=").value().value() == "");
}

TEST_CASE("what is no index is refused with a hint") {
  for (const std::string_view text :
       {"", "=x", "@image", ".spec.nodeName", "a b", "annotation:", "!"}) {
    CAPTURE(text);
    const auto spec = IndexSpec::parse(text);
    REQUIRE_FALSE(spec.has_value());
    CHECK(spec.error().kind == ErrorKind::usage);
    CHECK_FALSE(spec.error().hint.empty());
  }
}

TEST_CASE("groups come by size, then by value, those without any last") {
  const std::vector<ObjectPtr> objects = {make_pod("b", {{"app", "x"}}),
                                          make_pod("a", {{"app", "x"}}), make_pod("c", {}),
                                          make_pod("d", {{"app", "a"}})};
  const auto groups = group_objects(objects, {IndexSpec::parse("app").value()});
  REQUIRE(groups.size() == 3);
  CHECK(groups[0].values[0] == "x");
  CHECK(groups[0].objects[0]->name() == "a");
  CHECK(groups[1].values[0] == "a");
  CHECK_FALSE(groups[2].values[0].has_value());
}

TEST_CASE("several indices make tuples, a value that is asked for stands alone") {
  const std::vector<ObjectPtr> objects = {make_pod("a", {{"app", "x"}})};
  const auto pairs =
      group_objects(objects, {IndexSpec::parse("@owner").value(), IndexSpec::parse("app").value()});
  REQUIRE(pairs.size() == 2);
  CHECK(pairs[0].values[0] == "node/n1");
  CHECK(pairs[1].values[1] == "x");
  const auto one = group_objects(
      objects, {IndexSpec::parse("@owner=node/n1").value(), IndexSpec::parse("app").value()});
  REQUIRE(one.size() == 1);
  CHECK(one[0].values[0] == "node/n1");
}

}  // namespace
}  // namespace kinf
