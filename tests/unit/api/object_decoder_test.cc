// SPDX-License-Identifier: Apache-2.0
#include "kinf/api/object_decoder.h"

#include <doctest/doctest.h>

#include "kinf/api/object_trim.h"

namespace kinf {
namespace {

DecodeOptions pods() {
  DecodeOptions options;
  options.api_version = "v1";
  options.kind = "Pod";
  return options;
}

std::string text_of(const Result<ObjectPtr>& object) {
  REQUIRE_MESSAGE(object, (object ? "" : object.error().message));
  Scratch scratch;
  return std::string((*object)->json(scratch));
}

TEST_CASE("facts are read from the metadata at any place in the document") {
  ObjectDecoder decoder(pods());
  const auto decoded = decoder.decode(R"( {"spec":{"a":[1,{"}":"]"}]},"metadata" : {
    "name":"web-1","namespace":"shop","uid":"u1","resourceVersion":"12",
    "creationTimestamp":"2026-11-21T10:14:00Z","deletionTimestamp":"2026-11-21T11:00:00Z",
    "labels":{"app":"web","tier":""},"annotations":{"x":"y"},
    "ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web","uid":"u0",
    "controller":true,"blockOwnerDeletion":true},{"kind":"Node","name":"n","controller":null}]
    },"apiVersion":"v2","kind":"Pad"} )");
  REQUIRE(decoded);
  const Object& object = **decoded;
  CHECK(object.api_version() == "v2");
  CHECK(object.kind() == "Pad");
  CHECK(object.key() == "shop/web-1");
  CHECK(object.uid() == "u1");
  CHECK(object.resource_version() == "12");
  CHECK(object.deleting());
  CHECK(object.creation_time() == std::chrono::sys_seconds(std::chrono::seconds(1795256040)));
  CHECK(object.label_count() == 2);
  CHECK(object.label("app") == "web");
  CHECK(object.label("tier") == "");
  REQUIRE(object.owner_count() == 2);
  CHECK(object.owner_at(0).uid == "u0");
  CHECK(object.owner_at(0).controller);
  CHECK_FALSE(object.owner_at(1).controller);
}

TEST_CASE("a missing type is added to the document") {
  ObjectDecoder decoder(pods());
  CHECK(text_of(decoder.decode(R"({"metadata":{"name":"a"}})")) ==
        R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"}})");
  CHECK(text_of(decoder.decode(R"({"kind":"Pad","metadata":{"name":"a"}})")) ==
        R"({"apiVersion":"v1","kind":"Pad","metadata":{"name":"a"}})");
  ObjectDecoder plain{DecodeOptions{}};
  CHECK(text_of(plain.decode(R"({"metadata":{"name":"a"}})")) == R"({"metadata":{"name":"a"}})");
}

TEST_CASE("a PartialObjectMetadata gets the type of its object") {
  ObjectDecoder decoder(pods());
  const auto object = decoder.decode(
      R"({"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":{"name":"a"}})");
  REQUIRE(object);
  CHECK((*object)->kind() == "Pod");
  CHECK((*object)->api_version() == "v1");
}

TEST_CASE("managed fields are cut out with their comma") {
  const struct {
    const char* document;
    const char* kept;
  } cases[] = {
      {R"({"metadata":{"managedFields":[],"name":"a"}})", R"({"metadata":{"name":"a"}})"},
      {R"({"metadata":{"name":"a","managedFields":[{"time":"1"}]}})",
       R"({"metadata":{"name":"a"}})"},
      {R"({"metadata":{"name":"a" , "managedFields" : null }})", R"({"metadata":{"name":"a" }})"},
      {R"({"metadata":{"name":"a", "managedFields": [] , "uid":"u"}})",
       R"({"metadata":{"name":"a",  "uid":"u"}})"},
      {R"({"metadata":{"name":"a","managedFields":[],"managedFields":[ ] } })",
       R"({"metadata":{"name":"a"} })"},
      {R"({"metadata":{"managedFields":[],"managedFields":[]},"metadata":{"name":"a"}})",
       R"({"metadata":{},"metadata":{"name":"a"}})"},
      {R"({"metadata":{"managedFields":[]},"metadata":{"name":"a","x":{"managedFields":1}}})",
       R"({"metadata":{},"metadata":{"name":"a","x":{"managedFields":1}}})"},
  };
  ObjectDecoder decoder{DecodeOptions{}};
  for (const auto& one : cases) {
    CAPTURE(one.document);
    const auto object = decoder.decode(one.document);
    CHECK(text_of(object) == one.kept);
    CHECK((*object)->name() == "a");
  }
}

TEST_CASE("the manager of the newest change is found, with and without managed fields") {
  constexpr std::string_view kDocument =
      R"({"metadata":{"name":"a","managedFields":[)"
      R"({"manager":"kubectl","time":"2026-11-21T01:00:00Z","fieldsV1":{"f:a":{".":{}}}},)"
      R"({"manager":"kubelet","time":"2026-11-21T03:00:00Z"},)"
      R"({"manager":"old","time":"2026-11-21T02:00:00Z"},{"manager":"none"}]}})";
  ObjectDecoder cutting{DecodeOptions{}};
  CHECK((*cutting.decode(kDocument))->manager() == "kubelet");
  DecodeOptions options;
  options.keep_managed_fields = true;
  ObjectDecoder keeping(options);
  const auto kept = keeping.decode(kDocument);
  CHECK((*kept)->manager() == "kubelet");
  CHECK(text_of(kept) == kDocument);
}

TEST_CASE("strings are unescaped, the document keeps its bytes") {
  ObjectDecoder decoder{DecodeOptions{}};
  constexpr std::string_view kDocument =
      R"({"metadata":{"n\u0061me":"w\u00e9b\n","uid":"a\\","labels":{"\"k\"":"v\"","b":"\u005c\u005c"}}})";
  const auto object = decoder.decode(kDocument);
  CHECK(text_of(object) == kDocument);
  CHECK((*object)->name() ==
        "w\xc3\xa9"
        "b\n");
  CHECK((*object)->uid() == "a\\");
  CHECK((*object)->label("\"k\"") == "v\"");
  CHECK((*object)->label("b") == "\\\\");
}

TEST_CASE("form metadata keeps the facts but not the document") {
  DecodeOptions options = pods();
  options.form = ObjectForm::metadata;
  ObjectDecoder decoder(options);
  const auto object = decoder.decode(
      R"({"metadata":{"name":"a","labels":{"k":"v"},"managedFields":[]},"spec":{"x":1}})");
  CHECK(text_of(object) ==
        R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","labels":{"k":"v"}}})");
}

TEST_CASE("whether an object is selected is decided before parts of it are left out") {
  const std::string json = R"({"metadata":{"name":"a"},"spec":{"x":1}})";
  DecodeOptions options = pods();
  std::string seen;
  options.selects = [&](const Object& whole) {
    Scratch scratch;
    seen = whole.json(scratch);
    return seen.find("\"x\":1") != std::string::npos;
  };
  SUBCASE("by a form") { options.form = ObjectForm::metadata; }
  SUBCASE("by a trim") {
    const ObjectPath spec = {{PathStep::Kind::member, "spec", 0}};
    options.trim = std::make_shared<const ObjectTrim>(std::vector<ObjectPath>{spec},
                                                      std::vector<ObjectPath>());
  }
  ObjectDecoder decoder(options);
  const auto decoded = decoder.decode(json);
  REQUIRE(decoded);
  CHECK((*decoded)->selected());
  CHECK(seen == R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"},"spec":{"x":1}})");
  CHECK(text_of(decoded) == R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"}})");
  const auto other = decoder.decode(R"({"metadata":{"name":"b"},"spec":{"x":2}})");
  REQUIRE(other);
  CHECK_FALSE((*other)->selected());
}

TEST_CASE("a damaged object is an error that names it as far as known") {
  const struct {
    const char* document;
    const char* message;
  } cases[] = {
      {"", "Pod: not a JSON object"},
      {"[]", "Pod: not a JSON object"},
      {"null", "Pod: not a JSON object"},
      {R"({"metadata":{"namespace":"shop"}})", "Pod: has no metadata.name"},
      {R"({"metadata":{"name":null,"uid":"u7"}})", "Pod with uid u7: has no metadata.name"},
      {R"({"metadata":null})", "Pod: has no metadata.name"},
  };
  ObjectDecoder decoder(pods());
  for (const auto& one : cases) {
    CAPTURE(one.document);
    const auto object = decoder.decode(one.document);
    REQUIRE_FALSE(object);
    CHECK(object.error().kind == ErrorKind::protocol);
    CHECK(object.error().message == one.message);
  }
  const auto labels =
      decoder.decode(R"({"metadata":{"namespace":"shop","name":"a","labels":{"k":7}}})");
  REQUIRE_FALSE(labels);
  CHECK(labels.error().message.starts_with("Pod shop/a: cannot read metadata.labels: "));
  for (const char* document :
       {R"({"metadata":{"name":"a"})", R"({"metadata":{"name":"a}})", R"({"metadata":"a"})",
        R"({"metadata":{"name":["a"]}})", R"({"metadata":{"name":"a" "uid":"b"}})",
        R"({"metadata":{"name":"a"}}{})", R"({"metadata":{"name":"\x"}})",
        "{\"metadata\":{\"name\":\"a\xff\"}}", R"({"metadata":{"name":"a","managedFields":{}}})"}) {
    CAPTURE(document);
    CHECK_FALSE(decoder.decode(document));
  }
}

TEST_CASE("a decoder works after an error, and refuses objects that are too large") {
  DecodeOptions options;
  options.max_bytes = 100;
  ObjectDecoder decoder(options);
  CHECK_FALSE(decoder.decode("{"));
  CHECK(decoder.decode(R"({"metadata":{"name":"a"}})"));
  const std::string large = R"({"metadata":{"name":")" + std::string(100, 'x') + R"("}})";
  CHECK(decoder.decode(large).error().message == "object: larger than 100 bytes");
}

}  // namespace
}  // namespace kinf
