// SPDX-License-Identifier: Apache-2.0
// ObjectWalk and the parser must give the same result: a line break after the opening brace sends
// the same document to the parser.
#include "kinf/api/object_walk.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "fakes/fixture.h"
#include "kinf/api/list_decoder.h"
#include "kinf/api/object_decoder.h"

namespace kinf {
namespace {

using test::fixture;

DecodeOptions pod_options(bool keep_managed_fields = false) {
  DecodeOptions options;
  options.api_version = "v1";
  options.kind = "Pod";
  options.keep_managed_fields = keep_managed_fields;
  return options;
}

/// All facts of an object, and its document without line breaks.
std::string described(const Result<ObjectPtr>& decoded) {
  if (!decoded) return decoded.error().message;
  const Object& object = **decoded;
  std::string text =
      fmt::format("{} {} {} {} {} {} {} {}", object.api_version(), object.kind(), object.key(),
                  object.uid(), object.resource_version(), object.manager(),
                  std::hash<std::string_view>()(object.writers().value()), object.deleting());
  if (object.creation_time()) {
    text += fmt::format(" {}", object.creation_time()->time_since_epoch().count());
  }
  for (std::size_t i = 0; i < object.label_count(); ++i) {
    text += fmt::format(" {}={}", object.label_at(i).first, object.label_at(i).second);
  }
  for (std::size_t i = 0; i < object.owner_count(); ++i) {
    const OwnerReference owner = object.owner_at(i);
    text += fmt::format(" {}/{}/{}/{}/{}", owner.api_version, owner.kind, owner.name, owner.uid,
                        owner.controller);
  }
  Scratch scratch;
  std::string document(object.json(scratch));
  std::erase(document, '\n');
  return text + " " + document;
}

bool is_plain(std::string_view json) {
  ObjectFacts facts;
  facts.json = json;
  FieldWriters writers;
  return ObjectWalk(json, false, {}, facts, &writers).run();
}

/// The document with a line break, so that it does not have the usual form.
std::string broken_up(std::string_view json) { return "{\n" + std::string(json.substr(1)); }

void check_same(std::string_view json) {
  CAPTURE(std::string(json));
  for (const bool keep : {false, true}) {
    ObjectDecoder decoder(pod_options(keep));
    const std::string walked = described(decoder.decode(json));
    CHECK(walked == described(decoder.decode(broken_up(json))));
  }
}

class Collector final : public ListSink {
 public:
  void item(ObjectPtr object) override {
    Scratch scratch;
    documents.emplace_back(object->json(scratch));
  }
  std::vector<std::string> documents;
};

TEST_CASE("recorded objects have the usual form, and the walk and the parser agree on them") {
  std::size_t seen = 0;
  for (const char* name : {"list/pods.json", "list/widgets.json"}) {
    Collector all;
    ListDecoder decoder(pod_options(true), all);
    REQUIRE(decoder.feed(fixture(name)));
    for (const std::string& document : all.documents) {
      CHECK(is_plain(document));
      check_same(document);
      ++seen;
    }
  }
  CHECK(seen >= 3);
}

TEST_CASE("the walk and the parser agree on documents in the usual form") {
  for (
      const char* json : {
          R"({"metadata":{"name":"a"}})",
          R"({ "metadata" : { "name" : "a" , "labels" : { } , "ownerReferences" : [ ] } })",
          R"({"metadata":{"labels":{"a":"b","ü":"ö"},"name":"a","namespace":"n"},"x":[-1.5e+3,true]})",
          R"({"kind":"Pod","metadata":{"deletionTimestamp":"2026-03-01T10:00:00Z","name":"a"}})",
          R"({"metadata":{"creationTimestamp":"2026-03-01T10:00:00Z","name":"a","uid":"u"}})",
          R"({"metadata":{"ownerReferences":[{"kind":"Job","controller":false,"uid":"1"}],"name":"a"}})",
          R"({"metadata":{"name":"a","managedFields":[{"manager":"x","time":"1"},{"manager":"y"}]}})",
          R"({"metadata":{"managedFields":[{"manager":"x","f":{"k":"\"}"}}],"name":"a"}})",
          R"({"message":"a \"quoted\" \\","metadata":{"name":"a"}})",
          R"({"spec":{"a":["}",{"b":"\\"}]},"metadata":{"name":"a"},"status":{}})",
      }) {
    CHECK(is_plain(json));
    check_same(json);
  }
}

TEST_CASE("documents in any other form are left to the parser") {
  for (const char* json : {
           R"({"metadata":{"name":"a\u0062"}})",
           R"({"metadata":{"na\u006de":"a"}})",
           R"({"metadata":{"name":"a","name":"b"}})",
           R"({"metadata":{"name":"a"},"metadata":{"name":"b"}})",
           R"({"metadata":{"name":"a","labels":{"x":"1"},"labels":{"y":"2"}}})",
           R"({"metadata":{"name":"a","labels":null,"creationTimestamp":null}})",
           R"({"metadata":{"name":"a","labels":{"x":1}}})",
           R"({"metadata":{"name":7}})",
           R"({"metadata":[]})",
           R"({"metadata":{"name":"a"}}x)",
           R"({"metadata":{"name":"a"},})",
           R"({"metadata":{"name":"a"})",
           R"({"metadata":{"name":"a)",
           "{\"metadata\":{\"name\":\"a\"},\"s\":\"\x01\"}",
           "{\"metadata\":{\"name\":\"a\"},\"s\":{\"t\":\"\x1f\"}}",
           "{\"metadata\":{\"name\":\"a\"},\"s\":\"\xff\"}",
           "{\"metadata\":{\"name\":\"a\"},\"s\":{\"t\":[\"\xc3\"]}}",
           "{\t\"metadata\":{\"name\":\"a\"}}",
       }) {
    CAPTURE(std::string(json));
    CHECK_FALSE(is_plain(json));
    check_same(json);
  }
}

TEST_CASE("an object that is held in the same state is not read to its end") {
  ObjectDecoder first(pod_options());
  const ObjectPtr stored =
      *first.decode(R"({"metadata":{"name":"a","namespace":"n","uid":"u","resourceVersion":"7"}})");
  DecodeOptions options = pod_options();
  options.held = [&](const ObjectFacts& facts) {
    const bool same = facts.name == stored->name() && facts.ns == stored->ns() &&
                      facts.uid == stored->uid() &&
                      facts.resource_version == stored->resource_version();
    return same ? stored : ObjectPtr();
  };
  ObjectDecoder decoder(options);
  const char* const same =
      R"({"metadata":{"resourceVersion":"7","uid":"u","namespace":"n","name":"a"},"spec":{"x":1}})";
  const char* const newer =
      R"({"metadata":{"resourceVersion":"8","uid":"u","namespace":"n","name":"a"}})";
  CHECK(*decoder.decode(same) == stored);
  const ObjectPtr other = *decoder.decode(newer);
  CHECK(other != stored);
  CHECK(other->resource_version() == "8");
  CHECK(*decoder.decode(same) == stored);
  decoder.forget_held();
  CHECK(*decoder.decode(same) != stored);
}

TEST_CASE("R5: an object without a namespace that is held is not read past its metadata") {
  ObjectDecoder first(pod_options());
  const ObjectPtr stored =
      *first.decode(R"({"metadata":{"name":"n1","uid":"u","resourceVersion":"7"}})");
  int asked = 0;
  DecodeOptions options = pod_options();
  options.held = [&](const ObjectFacts& facts) {
    ++asked;
    return facts.ns.empty() && facts.name == "n1" && facts.resource_version == "7" ? stored
                                                                                   : ObjectPtr();
  };
  ObjectDecoder decoder(options);
  CHECK(*decoder.decode(
            R"({"metadata":{"name":"n1","uid":"u","resourceVersion":"7"},"spec":{"x":1}})") ==
        stored);
  CHECK(*decoder.decode(
            R"({"metadata":{"labels":{"a":"b"},"resourceVersion":"7","uid":"u","name":"n1"}})") ==
        stored);
  CHECK(asked == 2);
  CHECK(*decoder.decode(R"({"metadata":{"name":"n1","uid":"u","resourceVersion":"8"}})") != stored);
  CHECK(*decoder.decode(
            R"({"metadata":{"name":"n1","uid":"u","resourceVersion":"7","namespace":"x"}})") !=
        stored);
  CHECK(asked == 4);
}

TEST_CASE("only an object in the usual form is known to be one line") {
  ObjectDecoder decoder(pod_options());
  const std::string plain = R"({"metadata":{"name":"a"}})";
  CHECK((*decoder.decode(plain))->is_one_line());
  CHECK_FALSE((*decoder.decode(broken_up(plain)))->is_one_line());
  DecodeOptions odd = pod_options();
  odd.kind = "Po\nd";
  CHECK_FALSE((*ObjectDecoder(odd).decode(plain))->is_one_line());
}

}  // namespace
}  // namespace kinf
