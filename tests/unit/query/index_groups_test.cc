// SPDX-License-Identifier: Apache-2.0

#include <doctest/doctest.h>

#include "kinf/base/limits.h"
#include "kinf/query/index_groups.h"
#include "unit/query/owned_pod.h"

namespace kinf {
namespace {

using test::owned_pod;

std::vector<std::string> own_values(const IndexSpec& spec, const Object& object) {
  return spec.values(object);
}

std::vector<IndexSpec> specs_of(const std::vector<std::string>& keys) {
  std::vector<IndexSpec> specs;
  for (const std::string& key : keys) specs.push_back(IndexSpec::parse(key).value());
  return specs;
}

std::vector<IndexGroup> groups_by(const std::vector<std::string>& keys,
                                  const std::vector<ObjectPtr>& objects,
                                  GroupOrder order = GroupOrder::count) {
  return group_objects(objects, specs_of(keys), own_values, order).value();
}

Result<std::vector<IndexTuple>> tuples_by(const std::vector<std::string>& keys,
                                          const ObjectPtr& object) {
  TupleLimit limit;
  return index_tuples(*object, specs_of(keys), own_values, limit);
}

/// Returns a pod with `count` values for each of `lists`.
ObjectPtr pod_with_lists(std::size_t count, const std::vector<std::string>& lists) {
  std::string json = "{";
  for (const std::string& list : lists) {
    json += (json.size() > 1 ? ",\"" : "\"") + list + "\":[";
    for (std::size_t i = 0; i < count; ++i)
      json += (i > 0 ? ",\"" : "\"") + std::to_string(i) + '"';
    json += "]";
  }
  json += "}";
  ObjectFacts facts;
  facts.ns = "default";
  facts.name = "a";
  facts.json = json;
  return Object::create(facts);
}

TEST_CASE("groups are sorted by size, then by value; those without one come last") {
  const std::vector<ObjectPtr> objects = {owned_pod("b", {{"app", "x"}}),
                                          owned_pod("a", {{"app", "x"}}), owned_pod("c", {}),
                                          owned_pod("d", {{"app", "a"}})};
  const auto groups = groups_by({"app"}, objects);
  REQUIRE(groups.size() == 3);
  CHECK(groups[0].values[0] == "x");
  CHECK(groups[0].objects[0]->name() == "a");
  CHECK(groups[1].values[0] == "a");
  CHECK_FALSE(groups[2].values[0].has_value());
}

TEST_CASE("several indices make tuples; a requested value excludes the others") {
  const std::vector<ObjectPtr> objects = {owned_pod("a", {{"app", "x"}})};
  const auto pairs = groups_by({"@owner", "app"}, objects);
  REQUIRE(pairs.size() == 2);
  CHECK(pairs[0].values[0] == "node/n1");
  CHECK(pairs[1].values[1] == "x");
  const auto one = groups_by({"@owner=node/n1", "app"}, objects);
  REQUIRE(one.size() == 1);
  CHECK(one[0].values[0] == "node/n1");
}

TEST_CASE("groups can be sorted by value only") {
  const std::vector<ObjectPtr> objects = {owned_pod("a", {{"app", "x"}}),
                                          owned_pod("b", {{"app", "x"}}),
                                          owned_pod("c", {{"app", "a"}})};
  const auto groups = groups_by({"app"}, objects, GroupOrder::value);
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
  const auto tuples = [&](const std::string& text) { return tuples_by({text}, pod).value(); };
  CHECK(tuples("app=y").empty());
  CHECK(tuples("app=x").size() == 1);
  CHECK(tuples("tier").front().front() == std::nullopt);
}

TEST_CASE("an object with several values is in several groups") {
  const auto groups = groups_by({"@owner"}, {owned_pod("a", {})});
  REQUIRE(groups.size() == 2);
  CHECK(groups[0].values[0] == "node/n1");
  CHECK(groups[1].values[0] == "replicaset.apps/web-5d");
  CHECK(groups[1].objects.size() == 1);
}

TEST_CASE("all combinations of the values are tuples, in sorted order") {
  const ObjectPtr pod = owned_pod("a", {{"app", "x"}});
  const auto tuples = tuples_by({"@owner", "tier"}, pod).value();
  REQUIRE(tuples.size() == 2);
  CHECK(tuples[0] == IndexTuple{"node/n1", std::nullopt});
  CHECK(tuples[1] == IndexTuple{"replicaset.apps/web-5d", std::nullopt});
}

TEST_CASE("the combinations of several keys are limited, the values of one key are not") {
  const ObjectPtr pod = pod_with_lists(3000, {"a", "b"});
  CHECK(tuples_by({".a[*]", ".b[*]=7"}, pod).value().size() == 3000);
  const auto product = tuples_by({".a[*]", ".b[*]"}, pod);
  REQUIRE_FALSE(product);
  CHECK(product.error().message ==
        "default/a: too many combinations of values (3000 x 3000); kinf groups by at most 1000000 "
        "values");
  const std::vector<std::string> many(200, ".a[*]");  // the number of combinations overflows
  CHECK_FALSE(tuples_by(many, pod));
  CHECK(tuples_by({".a[*]"}, pod_with_lists(limits::kCombinedValues + 1, {"a"})));
}

TEST_CASE("the combinations of all objects are limited together") {
  TupleLimit limit;
  for (int i = 0; i < 1000; ++i) CHECK(limit.add(TupleLimit::kFew, 100'000));
  CHECK(limit.add(300'000, 2));
  CHECK_FALSE(limit.add(300'000, 2));
  limit.remove(300'000, 2);
  CHECK(limit.add(500'000, 2));
  CHECK(limit.add(10'000'000, 1));
  CHECK_FALSE(limit.add(17, 2));
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
