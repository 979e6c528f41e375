// SPDX-License-Identifier: Apache-2.0

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <random>
#include <string>
#include <vector>

#include "kinf/query/diff.h"

namespace kinf {
namespace {

/// One change a line: `PATH: OLD -> NEW`.
std::string changes(std::string_view old_json, std::string_view new_json) {
  const Result<ObjectDiff> found = diff(old_json, new_json);
  if (!found) return "error";
  std::string text;
  for (const Difference& change : found->changes) {
    text +=
        fmt::format("{}: {} -> {}\n", path_text(change.path), change.old_value, change.new_value);
  }
  return text;
}

TEST_CASE("a diff names what changed, was added and was removed, in the order of the document") {
  CHECK(changes(R"({"spec":{"a":1,"b":2,"d":{"x":true}},"status":{"phase":"Pending"}})",
                R"({"spec":{"a":1,"c":3,"d":{"x":false}},"status":{"phase":"Running"}})") ==
        ".spec.b: 2 -> \n"
        ".spec.c:  -> 3\n"
        ".spec.d.x: true -> false\n"
        ".status.phase: \"Pending\" -> \"Running\"\n");
  CHECK(changes(R"({"a":1})", R"({"a":1})").empty());
  CHECK(changes(R"({"a":1})", R"({"a":1,"b":{"c":[]}})") == ".b:  -> {\"c\":[]}\n");
  CHECK(changes(R"({"a":{"b":1}})", R"({"a":[1]})") == ".a: {\"b\":1} -> [1]\n");
  CHECK(changes(R"({"a":null})", R"({})") == ".a: null -> \n");
}

TEST_CASE("a diff does not care about blanks, the order of members and how strings are escaped") {
  CHECK(changes(R"({"a":{"b":1,"c":[1,2]}})", "{ \"a\" : {\n\t\"b\": 1, \"c\" :[ 1 , 2 ] } } ")
            .empty());
  CHECK(changes(R"({"a":1,"b":{"x":1},"c":3})", R"({"c":3,"b":{"x":2},"a":1})") ==
        ".b.x: 1 -> 2\n");
  CHECK(changes(R"({"a":"<tab>\t"})", R"({"a":"\u003ctab\u003e\u0009"})").empty());
  CHECK(changes(R"({"a":"\\n"})", R"({"a":"\n"})") == ".a: \"\\\\n\" -> \"\\n\"\n");
}

TEST_CASE("a diff keeps every digit of a number") {
  CHECK(changes(R"({"a":9007199254740993,"b":1.10})", R"({"a":9007199254740992,"b":1.1})") ==
        ".a: 9007199254740993 -> 9007199254740992\n"
        ".b: 1.10 -> 1.1\n");
  CHECK(changes(R"({"a":1,"b":2})", R"({"a":12,"b":2})") == ".a: 1 -> 12\n");
  CHECK(changes(R"({"a":12})", R"({"a":1})") == ".a: 12 -> 1\n");
}

TEST_CASE("items of a list are matched by their merge key") {
  CHECK(changes(R"({"status":{"conditions":[{"type":"A","status":"True"},
                    {"type":"Ready","status":"False"}]}})",
                R"({"status":{"conditions":[{"type":"New","status":"True"},
                    {"type":"Ready","status":"True"},{"type":"A","status":"True"}]}})") ==
        ".status.conditions[New]:  -> {\"type\":\"New\",\"status\":\"True\"}\n"
        ".status.conditions[Ready].status: \"False\" -> \"True\"\n");
  CHECK(changes(R"({"ports":[{"port":53,"protocol":"TCP","targetPort":1},
                    {"port":53,"protocol":"UDP","targetPort":1}]})",
                R"({"ports":[{"port":53,"protocol":"UDP","targetPort":2},
                    {"port":53,"protocol":"TCP","targetPort":1}]})") ==
        ".ports[53/UDP].targetPort: 1 -> 2\n");
  CHECK(changes(R"({"containers":[{"name":"c","ports":[{"containerPort":80}],
                    "env":[{"name":"A","value":"1"}],"volumeMounts":[{"name":"v","mountPath":"/a"},
                    {"name":"v","mountPath":"/b"}]}]})",
                R"({"containers":[{"name":"c","ports":[{"containerPort":80,"hostPort":8}],
                    "env":[{"name":"A","value":"2"}],
                    "volumeMounts":[{"name":"v","mountPath":"/b"}]}]})") ==
        ".containers[c].ports[80].hostPort:  -> 8\n"
        ".containers[c].env[A].value: \"1\" -> \"2\"\n"
        ".containers[c].volumeMounts[/a]: {\"name\":\"v\",\"mountPath\":\"/a\"} -> \n");
  CHECK(changes(R"({"tolerations":[{"key":"a","effect":"NoExecute","tolerationSeconds":300}]})",
                R"({"tolerations":[{"key":"a","effect":"NoSchedule"},
                    {"key":"a","effect":"NoExecute","tolerationSeconds":30}]})") ==
        ".tolerations[a:NoSchedule]:  -> {\"key\":\"a\",\"effect\":\"NoSchedule\"}\n"
        ".tolerations[a:NoExecute].tolerationSeconds: 300 -> 30\n");
  CHECK(changes(R"({"finalizers":["a","b"]})", R"({"finalizers":["b","c"]})") ==
        ".finalizers[a]: \"a\" -> \n.finalizers[c]:  -> \"c\"\n");
}

TEST_CASE("items of less known lists are matched by name") {
  for (const char* list : {"allocatedResourcesStatus", "claims", "drivers", "matchConditions",
                           "resourceClaims", "schedulingGates", "variables"}) {
    CAPTURE(list);
    CHECK(changes(fmt::format(R"({{"{}":[{{"name":"a"}},{{"name":"b","x":1}}]}})", list),
                  fmt::format(R"({{"{}":[{{"name":"b","x":2}},{{"name":"a"}}]}})", list)) ==
          fmt::format(".{}[b].x: 1 -> 2\n", list));
  }
}

TEST_CASE("items are matched by position where nothing tells them apart") {
  CHECK(changes(R"({"args":["a","b"]})", R"({"args":["a","c","d"]})") ==
        ".args[1]: \"b\" -> \"c\"\n.args[2]:  -> \"d\"\n");
  // Two of a name, one without a name, another kind of list of that name.
  CHECK(changes(R"({"env":[{"name":"A"},{"name":"A"}]})",
                R"({"env":[{"name":"A"},{"name":"B"}]})") == ".env[1].name: \"A\" -> \"B\"\n");
  CHECK(changes(R"({"env":[{"name":"A"},{}]})", R"({"env":[{"name":"B"},{}]})") ==
        ".env[0].name: \"A\" -> \"B\"\n");
  CHECK(changes(R"({"conditions":["x"]})", R"({"conditions":["y"]})") ==
        ".conditions[0]: \"x\" -> \"y\"\n");
}

TEST_CASE("a list that is only in another order has no change, but has a new order") {
  const Result<ObjectDiff> found = diff(R"({"env":[{"name":"A"},{"name":"B"},{"name":"C"}]})",
                                        R"({"env":[{"name":"C"},{"name":"A"},{"name":"B"}]})");
  REQUIRE(found);
  CHECK(found->changes.empty());
  REQUIRE(found->lists.size() == 1);
  CHECK(path_text(found->lists[0].path) == ".env");
  CHECK(found->lists[0].items[0].old_index == 2);
}

TEST_CASE("names that would be read as part of the path are escaped") {
  CHECK(changes(R"({"labels":{"app.kubernetes.io/name":"a"}})",
                R"({"labels":{"app.kubernetes.io/name":"b"}})") ==
        ".labels.app\\.kubernetes\\.io/name: \"a\" -> \"b\"\n");
  CHECK(changes(R"({"env":[{"name":"a]b"}]})", R"({"env":[]})").starts_with(".env[a\\]b]: "));
}

TEST_CASE("a damaged document is an error where it is taken apart") {
  for (const std::string_view damaged :
       {"", "{", R"({"a":)", R"({"a")", R"({"a":1,})", R"({"a":{"b":2})", R"({"a":1]})",
        R"({"a" 1})", R"({a:1})", R"({"a":1}x)", R"({"a":"b)", R"({"a":{"b":1]})"}) {
    CAPTURE(damaged);
    CHECK(changes(damaged, R"({"a":{"b":1}})") == "error");
    CHECK(changes(R"({"a":{"b":1}})", damaged) == "error");
  }
}

TEST_CASE("bytes thrown at documents make errors or differences, nothing else") {
  const std::string document =
      R"({"a":[1,{"b":"c\"d"}],"env":[{"name":"x"},{"name":"y"}],"ports":[{"port":1}],"z":null})";
  constexpr std::string_view kBytes = "{}[]\",:\\ x1\x00\xff";
  std::mt19937 random(7);
  std::size_t errors = 0;
  for (int i = 0; i < 5000; ++i) {
    std::string damaged = document;
    for (std::size_t changes = random() % 4 + 1; changes > 0; --changes) {
      const std::size_t at = random() % damaged.size();
      const char byte = kBytes[random() % kBytes.size()];
      if (random() % 3 == 0) {
        damaged.erase(at, random() % 5);
        if (damaged.empty()) damaged = "{";
      } else {
        damaged[at] = byte;
      }
    }
    // Without anything behind it that could be read by mistake.
    const std::vector<char> exact(damaged.begin(), damaged.end());
    const std::string_view text(exact.data(), exact.size());
    if (!diff(document, text)) ++errors;
    if (!diff(text, document)) ++errors;
  }
  CHECK(errors > 1000);
}

TEST_CASE("a bottomless document is compared without overflowing the stack") {
  const auto deep = [](std::string_view leaf) {
    std::string text;
    for (int i = 0; i < 20000; ++i) text += "{\"a\":";
    return text + std::string(leaf) + std::string(20000, '}');
  };
  const std::string old_json = deep("1");
  const std::string new_json = deep("2");
  const Result<ObjectDiff> found = diff(old_json, new_json);
  REQUIRE(found);
  CHECK(found->changes.size() == 1);
}

TEST_CASE("documents with too many differences on long paths are compared as a whole") {
  const auto below = [](std::size_t size, std::string_view item) {
    std::string text = "{\"" + std::string(size, 'n') + "\":[0";
    for (int i = 0; i < 1000; ++i) text.append(",").append(item);
    return text + "]}";
  };
  const std::string old_json = below(100'000, "1");
  const std::string new_json = below(100'000, "2");
  const Result<ObjectDiff> found = diff(old_json, new_json);
  REQUIRE(found);
  REQUIRE(found->changes.size() == 1);
  CHECK(found->changes[0].path.empty());
  CHECK(found->changes[0].new_value == new_json);
  CHECK(diff(below(10, "1"), below(10, "2")).value().changes.size() == 1000);
}

}  // namespace

namespace {

DiffStep member(std::string name) { return {DiffStep::Kind::member, std::move(name), 0, 0}; }
DiffStep item(std::string name, std::size_t old_index, std::size_t new_index) {
  return {DiffStep::Kind::item, std::move(name), old_index, new_index};
}

const DiffPath kReady = {member("status"), member("conditions"), item("Ready", 1, 2),
                         member("status")};

bool covers(std::string_view pattern, const DiffPath& path) {
  const Result<DiffPattern> parsed = DiffPattern::parse(pattern);
  REQUIRE_MESSAGE(parsed, pattern);
  return parsed->covers(path);
}

TEST_CASE("a pattern covers the place it names and what is below") {
  for (const char* pattern :
       {".status", ".status.conditions", ".status.conditions[Ready]", ".status.conditions[*]",
        ".status.conditions[*].status", ".status.conditions[2].status", ".status.conditions[1]",
        "['status'].conditions[\"Ready\"]", ".status.*", ".*.conditions"}) {
    CAPTURE(pattern);
    CHECK(covers(pattern, kReady));
  }
  for (const char* pattern :
       {".spec", ".status.condition", ".status.conditions[Initialized]", ".status.conditions[0]",
        ".status.conditions[*].reason", ".status.conditions[Ready].status.x"}) {
    CAPTURE(pattern);
    CHECK_FALSE(covers(pattern, kReady));
  }
}

TEST_CASE("a pattern reads back what a path is written as") {
  const DiffPath path = {member("metadata"), member("annotations"), member(R"(a.b/[c]'\*)"),
                         item("x]'y", 0, 0)};
  CHECK(path_text(path) == R"(.metadata.annotations.a\.b/\[c\]\'\\\*[x\]\'y])");
  CHECK(covers(path_text(path), path));
  CHECK_FALSE(covers(path_text(path),
                     {member("metadata"), member("annotations"), member("z"), item("x]'y", 0, 0)}));
}

TEST_CASE("a place can be below another") {
  const Result<DiffPattern> pattern = DiffPattern::parse(".status.conditions[Ready].status");
  REQUIRE(pattern);
  CHECK(pattern->is_below(std::span(kReady).first(3)));
  CHECK(pattern->is_below({}));
  CHECK_FALSE(pattern->is_below(kReady));
}

TEST_CASE("what is no path is refused") {
  for (const char* text : {"", ".", "spec", ".spec.", ".spec..x", ".spec[", ".spec[]", ".spec['a]",
                           ".spec['a'", ".spec[a]x", ".spec.*x"}) {
    CAPTURE(text);
    CHECK_FALSE(DiffPattern::parse(text));
  }
}

}  // namespace

}  // namespace kinf
