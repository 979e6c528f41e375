// SPDX-License-Identifier: Apache-2.0
#include "kinf/api/object.h"

#include <doctest/doctest.h>

namespace kinf {
namespace {

constexpr std::string_view kDocument =
    R"({"metadata":{"name":"web-1","namespace":"default","managedFields":[{"x":1}],"labels":{"app":"web"}}})";

ObjectFacts facts_of(std::string_view json) {
  const auto view = [&](std::string_view text) {
    return json.substr(json.find(text), text.size());
  };
  ObjectFacts facts;
  facts.name = view("web-1");
  facts.ns = view("default");
  facts.labels = {{view("app"), view("web\"}}")}};
  facts.labels[0].second.remove_suffix(3);
  facts.json = json;
  return facts;
}

TEST_CASE("an object keeps its document without the cuts, and its strings are views into it") {
  const std::string document(kDocument);
  ObjectFacts facts = facts_of(document);
  const std::string cut = R"("managedFields":[{"x":1}],)";
  facts.cuts = {{document.find(cut), cut.size()}};
  facts.prefix = R"("apiVersion":"v1","kind":"Pod",)";
  facts.kind = "Pod";
  const ObjectPtr object = Object::create(facts);
  Scratch scratch;
  const std::string_view json = object->json(scratch);
  CHECK(
      json ==
      R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"web-1","namespace":"default","labels":{"app":"web"}}})");
  CHECK(object->name() == "web-1");
  CHECK(object->key() == "default/web-1");
  CHECK(object->label("app") == "web");
  CHECK_FALSE(object->label("tier").has_value());
  CHECK(object->name().data() >= json.data());
  CHECK(object->name().data() < json.data() + json.size());
}

TEST_CASE("an object in form metadata keeps no document but can print a small one") {
  const std::string document(kDocument);
  ObjectFacts facts = facts_of(document);
  facts.form = ObjectForm::metadata;
  facts.api_version = "v1";
  facts.kind = "Pod";
  facts.creation_time = std::chrono::sys_seconds(std::chrono::seconds(1795256040));
  facts.owners = {{"apps/v1", "ReplicaSet", "web", "u1", true}};
  const ObjectPtr object = Object::create(facts);
  Scratch scratch;
  CHECK(
      object->json(scratch) ==
      R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"web-1","namespace":"default",)"
      R"("creationTimestamp":"2026-11-21T10:14:00Z","labels":{"app":"web"},"ownerReferences":)"
      R"([{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web","uid":"u1","controller":true}]}})");
  CHECK(object->owner_at(0).controller);
}

TEST_CASE("references are counted") {
  ObjectPtr first = Object::create(facts_of(std::string(kDocument)));
  const ObjectPtr second = first;
  first = nullptr;
  CHECK_FALSE(first);
  CHECK(second->name() == "web-1");
}

}  // namespace
}  // namespace kinf
