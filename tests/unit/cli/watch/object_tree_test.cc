// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/watch/object_tree.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

namespace kinf {
namespace {

/// Returns an object whose uid is its name, and that the objects `owners` own.
ObjectPtr object(std::string_view kind, std::string_view name,
                 const std::vector<std::string_view>& owners = {}) {
  ObjectFacts facts;
  facts.api_version = "v1";
  facts.kind = kind;
  facts.ns = "shop";
  facts.name = name;
  facts.uid = name;
  for (const std::string_view owner : owners)
    facts.owners.push_back({"v1", "X", owner, owner, true});
  return Object::create(facts);
}

std::string tree(const std::vector<ObjectPtr>& roots, const std::vector<ObjectPtr>& objects) {
  std::string text;
  for (const TreeRow& row : tree_rows(roots, objects)) {
    text += fmt::format("{}{}\n", row.branch, row.object->name());
  }
  return text;
}

TEST_CASE("a tree has each root, and below it what it owns by kind and name") {
  const std::vector<ObjectPtr> roots = {object("Deployment", "web"), object("Deployment", "api")};
  const std::vector<ObjectPtr> objects = {
      object("Pod", "p2", {"rs2"}),          object("Pod", "p1", {"rs2"}),
      object("ReplicaSet", "rs2", {"web"}),  object("ReplicaSet", "rs1", {"web"}),
      object("Config", "c", {"web", "rs2"}), object("Pod", "other", {"unknown"})};
  CHECK(tree(roots, objects) == "web\n├─c\n├─rs1\n└─rs2\n  ├─p1\n  └─p2\napi\n");
}

TEST_CASE("a root that another root owns appears once") {
  const std::vector<ObjectPtr> objects = {object("ReplicaSet", "rs", {"web"}),
                                          object("Pod", "p", {"rs"}), object("Pod", "alone")};
  const std::vector<ObjectPtr> roots = {objects[1], objects[0], object("Deployment", "web"),
                                        objects[2]};
  CHECK(tree(roots, objects) == "web\n└─rs\n  └─p\nalone\n");
  const std::vector<ObjectPtr> circle = {object("A", "a", {"b"}), object("B", "b", {"a"})};
  CHECK(tree(circle, circle) == "a\n└─b\n");
}

TEST_CASE("owners that form a circle, and long chains, end") {
  CHECK(tree({object("A", "a")}, {object("A", "a", {"b"}), object("B", "b", {"a"})}) == "a\n└─b\n");
  std::vector<ObjectPtr> chain;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < 1000; ++i) names.push_back(fmt::format("n{:04}", i));
  for (std::size_t i = 1; i < 1000; ++i) chain.push_back(object("A", names[i], {names[i - 1]}));
  CHECK(tree_rows({object("A", names[0])}, chain).size() == kDeepestBranch + 1);
}

TEST_CASE("the table of a tree has the cells READY and STATUS, whichever type has them") {
  ObjectFacts facts;
  facts.kind = "Pod";
  facts.name = "p";
  facts.cells = R"(["p","0/1","Error"])";
  facts.columns = std::make_shared<TableColumns>(TableColumns{
      {{"Name", "string", "name", "", 0}, {"Ready", "", "", "", 0}, {"Status", "", "", "", 0}}});
  CHECK(tree_text({{"", object("Deployment", "web")}, {"└─", Object::create(facts)}}, {},
                  Clock::Wall()) ==
        "NAME             READY   STATUS   AGE\n"
        "Deployment/web                    <unknown>\n"
        "└─Pod/p          0/1     Error    <unknown>\n");
}

}  // namespace
}  // namespace kinf
