// SPDX-License-Identifier: Apache-2.0
#include "kinf/query/object_query.h"

#include <doctest/doctest.h>

namespace kinf {
namespace {

using Values = std::vector<std::string>;

ObjectPtr pod_with_images() {
  ObjectFacts facts;
  facts.ns = "default";
  facts.name = "web";
  facts.labels = {{"app", "shop"}};
  facts.json =
      R"({"metadata":{"name":"web","labels":{"app":"shop"}},)"
      R"("spec":{"nodeName":"n1","containers":[{"image":"a:1"},{"image":"b:2"}],"none":null}})";
  return Object::create(facts);
}

TEST_CASE("values reads a path with and without braces and dot") {
  const ObjectPtr pod = pod_with_images();
  CHECK(values(*pod, ".spec.containers[*].image").value() == Values{"a:1", "b:2"});
  CHECK(values(*pod, "{.spec.nodeName}").value() == Values{"n1"});
  CHECK(values(*pod, "spec.nodeName").value() == Values{"n1"});
  CHECK(values(*pod, ".spec.containers[?(@.image==\"b:2\")]").value() ==
        Values{R"({"image":"b:2"})"});
}

TEST_CASE("values omits nulls and missing fields, and refuses a wrong path") {
  const ObjectPtr pod = pod_with_images();
  CHECK(values(*pod, ".spec.none").value().empty());
  CHECK(values(*pod, ".status.phase").value().empty());
  const auto wrong = values(*pod, ".spec.containers[");
  REQUIRE_FALSE(wrong.has_value());
  CHECK(wrong.error().kind == ErrorKind::usage);
}

TEST_CASE("index_function takes the keys of `kinf index --by`") {
  const ObjectPtr pod = pod_with_images();
  const auto values_of = [&](std::string_view key) {
    return index_function(key).value()(*pod).value();
  };
  CHECK(values_of(".spec.nodeName") == Values{"n1"});
  CHECK(values_of("@node") == Values{"n1"});
  CHECK(values_of("app") == Values{"shop"});
  CHECK(values_of("@image") == Values{"a:1", "b:2"});
}

TEST_CASE("index_function refuses what is not the key of one index") {
  for (const char* key : {"@root", "app=shop", "@nothing"}) {
    const auto function = index_function(key);
    REQUIRE_FALSE(function.has_value());
    CHECK(function.error().kind == ErrorKind::usage);
  }
}

}  // namespace
}  // namespace kinf
