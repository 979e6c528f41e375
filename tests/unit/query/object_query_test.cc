// SPDX-License-Identifier: Apache-2.0
#include "kinf/query/object_query.h"

#include <doctest/doctest.h>

#include "kinf/base/hints.h"
#include "kinf/client/type_names.h"

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

TEST_CASE("a compiled path finds in many objects what values() finds in one") {
  const ObjectPtr pod = pod_with_images();
  for (const char* text :
       {".spec.containers[*].image", "{.spec.containers[1]}", "spec", ".spec.containers[0].image",
        ".spec.containers[9].image", ".spec.nodeName[*]", "{.spec.none}",
        ".spec.containers[-1:].image", ".spec.containers[?(@.image==\"b:2\")].image"}) {
    CAPTURE(text);
    const Path path = Path::parse(text).value();
    CHECK(path.values(*pod) == values(*pod, text).value());
  }
  const Path images = Path::parse("spec.containers[*].image").value();
  CHECK(images.values(*pod) == Values{"a:1", "b:2"});
  CHECK(Path::parse(".spec.nodeName").value().values(*pod) == Values{"n1"});
  CHECK(Path::parse(".spec.containers[-1:].image").value().values(*pod) == Values{"b:2"});
  const auto wrong = Path::parse(".spec.containers[");
  REQUIRE_FALSE(wrong);
  CHECK(wrong.error().kind == ErrorKind::usage);
  ObjectFacts damaged;
  damaged.name = "x";
  damaged.json = R"({"spec":)";
  CHECK(images.values(*Object::create(damaged)).empty());
}

TEST_CASE("in a program of the library, no error names a flag or command of kinf") {
  hints_name_flags = false;
  const Error wrong_index = index_function("@nothing").error();
  const Error unknown = unknown_type("podz", {});
  hints_name_flags = true;
  CHECK(wrong_index.message == "the key of an index: @nothing: unknown index");
  CHECK(wrong_index.hint.starts_with("KEY is a label, annotation:KEY, a path"));
  CHECK(unknown.hint == "Discovery::all() returns all types");
  CHECK(index_function("@nothing").error().message == "--by @nothing: unknown index");
}

}  // namespace
}  // namespace kinf
