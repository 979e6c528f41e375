// SPDX-License-Identifier: Apache-2.0

#include <doctest/doctest.h>

#include "kinf/query/index_groups.h"
#include "unit/query/owned_pod.h"

namespace kinf {
namespace {

using test::owned_pod;

std::vector<std::string> own_values(const IndexSpec& spec, const Object& object) {
  return spec.values(object);
}

TEST_CASE("groups are sorted by size, then by value; those without one come last") {
  const std::vector<ObjectPtr> objects = {owned_pod("b", {{"app", "x"}}),
                                          owned_pod("a", {{"app", "x"}}), owned_pod("c", {}),
                                          owned_pod("d", {{"app", "a"}})};
  const auto groups = group_objects(objects, {IndexSpec::parse("app").value()}, own_values);
  REQUIRE(groups.size() == 3);
  CHECK(groups[0].values[0] == "x");
  CHECK(groups[0].objects[0]->name() == "a");
  CHECK(groups[1].values[0] == "a");
  CHECK_FALSE(groups[2].values[0].has_value());
}

TEST_CASE("several indices make tuples; a requested value excludes the others") {
  const std::vector<ObjectPtr> objects = {owned_pod("a", {{"app", "x"}})};
  const auto pairs = group_objects(
      objects, {IndexSpec::parse("@owner").value(), IndexSpec::parse("app").value()}, own_values);
  REQUIRE(pairs.size() == 2);
  CHECK(pairs[0].values[0] == "node/n1");
  CHECK(pairs[1].values[1] == "x");
  const auto one = group_objects(
      objects, {IndexSpec::parse("@owner=node/n1").value(), IndexSpec::parse("app").value()},
      own_values);
  REQUIRE(one.size() == 1);
  CHECK(one[0].values[0] == "node/n1");
}

TEST_CASE("groups can be sorted by value only") {
  const std::vector<ObjectPtr> objects = {owned_pod("a", {{"app", "x"}}),
                                          owned_pod("b", {{"app", "x"}}),
                                          owned_pod("c", {{"app", "a"}})};
  const auto groups =
      group_objects(objects, {IndexSpec::parse("app").value()}, own_values, GroupOrder::value);
  CHECK(groups.front().values[0] == "a");
}

TEST_CASE("the groups of several clusters are sorted together") {
  std::vector<IndexGroup> groups = {
      {{"x"}, {owned_pod("a", {})}, "east"},
      {{std::nullopt}, {owned_pod("b", {})}, "east"},
      {{"y"}, {owned_pod("c", {}), owned_pod("d", {})}, "west"},
      {{"x"}, {owned_pod("e", {})}, "west"},
  };
  const auto order = [&] {
    std::string text;
    for (const IndexGroup& group : groups) {
      text += group.cluster + "/" + group.values[0].value_or("-") + " ";
    }
    return text;
  };
  sort_groups(groups, GroupOrder::count);
  CHECK(order() == "west/y east/x west/x east/- ");
  sort_groups(groups, GroupOrder::value);
  CHECK(order() == "east/x west/x west/y east/- ");
  sort_groups(groups, GroupOrder::count_up);
  CHECK(order() == "east/x west/x east/- west/y ");
  sort_groups(groups, GroupOrder::value_down);
  CHECK(order() == "east/- west/y east/x west/x ");
}

TEST_CASE("one removed and one added value are a move") {
  const IndexTuple a{"a"};
  const IndexTuple b{"b"};
  const IndexTuple c{"c"};
  CHECK(index_moves({a}, {a}).empty());
  const auto moved = index_moves({a, b}, {b, c});
  REQUIRE(moved.size() == 1);
  CHECK(moved[0].from == a);
  CHECK(moved[0].to == c);
  CHECK(index_moves({}, {a}).front().to == a);
  CHECK(index_moves({a}, {}).front().from == a);
  CHECK(index_moves({a}, {b, c}).size() == 3);
}

TEST_CASE("an object without the requested value has no tuple") {
  const ObjectPtr pod = owned_pod("a", {{"app", "x"}});
  const auto tuples = [&](std::string_view text) {
    return index_tuples(*pod, {IndexSpec::parse(text).value()}, own_values);
  };
  CHECK(tuples("app=y").empty());
  CHECK(tuples("app=x").size() == 1);
  CHECK(tuples("tier").front().front() == std::nullopt);
}

TEST_CASE("an object with several values is in several groups") {
  const auto groups =
      group_objects({owned_pod("a", {})}, {IndexSpec::parse("@owner").value()}, own_values);
  REQUIRE(groups.size() == 2);
  CHECK(groups[0].values[0] == "node/n1");
  CHECK(groups[1].values[0] == "replicaset.apps/web-5d");
  CHECK(groups[1].objects.size() == 1);
}

TEST_CASE("all combinations of the values are tuples, in sorted order") {
  const ObjectPtr pod = owned_pod("a", {{"app", "x"}});
  const auto tuples = index_tuples(
      *pod, {IndexSpec::parse("@owner").value(), IndexSpec::parse("tier").value()}, own_values);
  REQUIRE(tuples.size() == 2);
  CHECK(tuples[0] == IndexTuple{"node/n1", std::nullopt});
  CHECK(tuples[1] == IndexTuple{"replicaset.apps/web-5d", std::nullopt});
}

TEST_CASE("V5: objects are sorted by the bytes of their keys, as in a server") {
  const auto object = [](std::string_view ns, std::string_view name) {
    ObjectFacts facts;
    facts.ns = ns;
    facts.name = name;
    facts.json = "{}";
    return Object::create(facts);
  };
  std::vector<ObjectPtr> objects = {object("b", "a"), object("a", "z"), object("a-b", "a"),
                                    object("a", "b")};
  sort_by_key(objects);
  std::string order;
  for (const ObjectPtr& one : objects) order += one->key() + " ";
  CHECK(order == "a-b/a a/b a/z b/a ");
}

}  // namespace

namespace {

using test::owned_pod;

TEST_CASE("a key has the requested format") {
  ObjectFacts facts;
  facts.ns = "default";
  facts.name = "web";
  facts.uid = "u-1";
  facts.json = "{}";
  const ObjectPtr pod = Object::create(facts);
  CHECK(KeyFormat().key(*pod) == "default/web");
  CHECK(KeyFormat::parse("{ns}---{name}").value().key(*pod) == "default---web");
  CHECK(KeyFormat::parse("{uid}").value().key(*pod) == "u-1");
  CHECK(KeyFormat::parse("<{name}>").value().key(*pod) == "<web>");
  CHECK(KeyFormat::parse("{name}{name}").value().key(*pod) == "webweb");
}

TEST_CASE("a key format without a name or uid, or with another field, is rejected") {
  for (const std::string_view text : {"", "{ns}", "{name", "{kind}/{name}"}) {
    CAPTURE(text);
    const Result<KeyFormat> format = KeyFormat::parse(text);
    REQUIRE_FALSE(format.has_value());
    CHECK(format.error().kind == ErrorKind::usage);
  }
}

}  // namespace

}  // namespace kinf
