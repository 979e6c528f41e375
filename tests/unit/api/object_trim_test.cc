// SPDX-License-Identifier: Apache-2.0
#include "kinf/api/object_trim.h"

#include <doctest/doctest.h>

#include "kinf/api/object_decoder.h"

namespace kinf {
namespace {

/// Splits at dots; `*` is every element of a list.
ObjectPath path(std::string_view text) {
  ObjectPath result;
  while (!text.empty()) {
    const std::string_view name = text.substr(0, text.find('.'));
    text.remove_prefix(std::min(name.size() + 1, text.size()));
    const bool is_each = name == "*";
    result.push_back({is_each ? PathStep::Kind::each_element : PathStep::Kind::member,
                      is_each ? "" : std::string(name), 0});
  }
  return result;
}

std::vector<ObjectPath> paths(const std::vector<std::string_view>& texts) {
  std::vector<ObjectPath> result;
  for (const std::string_view text : texts) result.push_back(path(text));
  return result;
}

/// The document without the bytes that are cut; `unreadable` if they cannot be found.
std::string trimmed_to(std::string_view json, const std::vector<std::string_view>& drop,
                       const std::vector<std::string_view>& keep = {}) {
  JsonCutter::Cuts cuts;
  if (!ObjectTrim(paths(drop), paths(keep)).cut(json, cuts)) return "unreadable";
  std::string result;
  std::size_t at = 0;
  for (const auto& [start, size] : cuts) {
    REQUIRE(start >= at);
    result += json.substr(at, start - at);
    at = start + size;
  }
  return result + std::string(json.substr(at));
}

TEST_CASE("fields to drop are left out with their commas, wherever they are") {
  struct Case {
    const char* json;
    std::vector<std::string_view> drop;
    const char* result;
  };
  for (const Case& each : std::vector<Case>{
           {R"({"a":1,"b":2})", {"a"}, R"({"b":2})"},
           {R"({"a":1,"b":2})", {"b"}, R"({"a":1})"},
           {R"({"a":1,"b":2})", {"a", "b"}, R"({})"},
           {R"({"a":1})", {"c", "a.x", "a.*"}, R"({"a":1})"},
           {R"({"a":{"x":"}","y":[1,{"z":2}]},"b":2})",
            {"a.x"},
            R"({"a":{"y":[1,{"z":2}]},"b":2})"},
           {R"({"a":{"x":1,"y":2}})", {"a", "a.x"}, R"({})"},
           {R"({"l":[{"e":1,"n":2},{"n":3},4]})", {"l.*.e"}, R"({"l":[{"n":2},{"n":3},4]})"},
           {R"({"l":[{"e":1},{"e":2}],"z":null})", {"l.*"}, R"({"l":[],"z":null})"},
           {R"({"l":[[{"e":1}]]})", {"l.*.*.e"}, R"({"l":[[{}]]})"},
           {"{ \"a\" : 1 ,\n \"b\" : { \"c\" : 2 } }", {"b.c"}, "{ \"a\" : 1 ,\n \"b\" : {} }"},
           {R"({"q\"q":1,"a":"\\"})", {"a"}, R"({"q\"q":1})"},
       }) {
    CHECK_MESSAGE(trimmed_to(each.json, each.drop) == each.result, each.json);
  }
}

TEST_CASE("with fields to keep, only these and the identity of the object stay") {
  const char* const pod =
      R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","labels":{"app":"x"},"uid":"u"},)"
      R"("spec":{"nodeName":"n","containers":[{"name":"c","image":"i"}]},"status":{"phase":"P"}})";
  CHECK(trimmed_to(pod, {}, {"status.phase"}) ==
        R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","uid":"u"},)"
        R"("status":{"phase":"P"}})");
  CHECK(trimmed_to(pod, {"spec.nodeName"}, {"spec"}) ==
        R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","uid":"u"},)"
        R"("spec":{"containers":[{"name":"c","image":"i"}]}})");
  CHECK(trimmed_to(pod, {}, {"spec.containers.*.image", "metadata.labels"}) ==
        R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","labels":{"app":"x"},"uid":"u"},)"
        R"("spec":{"containers":[{"image":"i"}]}})");
}

TEST_CASE("a document that cannot be read along a path is refused") {
  for (const char* json : {"", "[]", "{", R"({"a")", R"({"a":})", R"({"a":{"b" 1}})",
                           R"({"a":{"b":1]})", R"({"a":{1:2}})", R"({"a":[1 2]})", R"({"a":"x)"}) {
    CHECK_MESSAGE(trimmed_to(json, {"a.b", "a.*"}) == "unreadable", json);
  }
  // What no path leads to is not looked at.
  CHECK(trimmed_to(R"({"z":{"b" 1},"a":2})", {"a"}) == R"({"z":{"b" 1}})");
}

TEST_CASE("an object keeps its labels and manager although the document lacks them") {
  DecodeOptions options;
  options.trim = std::make_shared<const ObjectTrim>(
      paths({"metadata.labels", "metadata.managedFields"}), std::vector<ObjectPath>{});
  ObjectDecoder decoder(options);
  // The second text is not in the usual form, so that the other parser reads it.
  for (const char* blank : {"", "\n"}) {
    const std::string text =
        std::string("{") + blank +
        R"("kind":"Pod","apiVersion":"v1","metadata":{"name":"a","labels":{"app":"x"},)"
        R"("managedFields":[{"manager":"kubelet","time":"2026-11-21T10:14:02Z"}]},"status":{}})";
    const Result<ObjectPtr> object = decoder.decode(text);
    REQUIRE(object);
    Scratch scratch;
    CHECK((*object)->json(scratch) ==
          std::string("{") + blank +
              R"("kind":"Pod","apiVersion":"v1","metadata":{"name":"a"},"status":{}})");
    CHECK((*object)->label("app") == "x");
    CHECK((*object)->manager() == "kubelet");
  }
}

}  // namespace
}  // namespace kinf
