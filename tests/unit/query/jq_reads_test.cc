// SPDX-License-Identifier: Apache-2.0
#include "kinf/query/jq/jq_reads.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "fakes/fixture.h"
#include "kinf/query/jq/jq_program.h"

namespace kinf {
namespace {

/// Returns `status.phase` for a member that is read in part, `status` for one that is read whole.
std::string read_by(std::string_view program) {
  const JqReads reads = JqReads::of(program);
  if (reads.everything()) return "everything";
  std::string found;
  for (const char* name : {"metadata", "spec", "status"}) {
    const JqReads::Names* const names = reads.find(name);
    if (names == nullptr) continue;
    if (names->empty()) found += fmt::format("{} ", name);
    for (const std::string& inner : *names) found += fmt::format("{}.{} ", name, inner);
  }
  if (!found.empty()) found.pop_back();
  return found;
}

TEST_CASE("a program that only compares paths reads these paths") {
  CHECK(read_by(".status.phase == \"Failed\"") == "status.phase");
  CHECK(read_by(".status.phase != $old.status.phase") == "status.phase");
  CHECK(read_by(".metadata.labels.app == \"a\" and (.spec.nodeName | not)") ==
        "metadata.labels spec.nodeName");
  CHECK(read_by(".metadata.labels.\"app.kubernetes.io/name\"?") == "metadata.labels");
  CHECK(read_by(".metadata.annotations[\"a|b\"] == null") == "metadata.annotations");
  CHECK(read_by("(.status.restarts // 0) - ($old.status.restarts // 0) >= 1.5e3") ==
        "status.restarts");
  CHECK(read_by(".status | .phase") == "status");
  CHECK(read_by(".status, .status.phase") == "status");
  CHECK(read_by("true") == "");
  CHECK(read_by("$old == null or $old != null and .spec.a") == "spec.a");
}

TEST_CASE("the paths of the input are known with all their names") {
  const auto paths = [](std::string_view program) {
    std::string text;
    const JqReads reads = JqReads::of(program);
    for (const JqReads::Path& path : reads.paths()) {
      text += fmt::format("{}.{}", text.empty() ? "" : " ", fmt::join(path, "."));
    }
    return text;
  };
  CHECK(paths(".status.a.b == \"x\" and .spec") == ".status.a.b .spec");
  CHECK(paths("$old.status.a == .status.b") == ".status.b");
  CHECK(paths(".spec.containers[].image | .c == 1") == ".spec.containers");
  CHECK(paths("any(.status.conditions[]; .type == \"Ready\")") == ".status.conditions");
  CHECK(paths(".metadata.labels.\"a.b/c\".d == .metadata.name") ==
        ".metadata.labels .metadata.name");
  CHECK(paths(".status.a == 1 and (def f: .x; f)") == ".status.a");
}

TEST_CASE("behind a pipe only the piped value is read") {
  CHECK(read_by(".metadata.labels | has(\"tier\") and (keys | length > 2)") == "metadata.labels");
  CHECK(read_by("[.spec.containers[].image] | any(test(\"nginx|web\"))") == "spec.containers");
  CHECK(read_by("any(.status.conditions[]?; .type == \"Ready\" and .status == \"True\")") ==
        "status.conditions");
  CHECK(read_by("all(.spec.containers[] | .ports[]; . as {name: $n} | $n)") == "spec.containers");
  CHECK(read_by(".spec.a[.status.b | length]") == "spec.a status.b");
  CHECK(read_by(".spec.a | .b = 1 | {x: .b, y}") == "spec.a");
}

TEST_CASE("certainly beyond the metadata are members that PartialObjectMetadata does not have") {
  for (const char* program :
       {".spec.nodeName == \"node-1\"", ".metadata.name == \"a\" and .status.phase == \"Failed\"",
        "$old.spec.a != null", "any(.spec.containers[]; .name == \"a\")",
        ".metadata.generation - .status.observedGeneration > 0", "(.metadata.name, .status) | not",
        ".metadata.labels[.spec.a] == null", "[.data] | length > 0"}) {
    CHECK_MESSAGE(JqReads::of(program).beyond_metadata(), program);
  }
  for (const char* program :
       {".metadata.name == \"a\"", ".kind == \"Pod\" and .apiVersion == \"v1\"", ".", "..", "true",
        ".metadata.ownerReferences[0].name == \"a\"", ".metadata.ownerReferences[]?.name == \"a\"",
        ".metadata.labels[\"a\"].b", "(.metadata).labels.app", ".metadata .labels .app",
        "any(.metadata.ownerReferences[]; .kind == \"Job\")", ".metadata | .spec", "$old == null",
        "has(\"spec\")", "if .spec then true else false end"}) {
    CHECK_MESSAGE(!JqReads::of(program).beyond_metadata(), program);
  }
  JqReads both = JqReads::of(".metadata.name");
  both.merge(JqReads::of(".spec"));
  CHECK(both.beyond_metadata());
}

TEST_CASE("a program that might read more reads everything") {
  for (const char* program : {".",
                              "..",
                              ".[\"spec\"]",
                              ".\"spec\"",
                              "$old",
                              "$old == .spec",
                              ". == $old.spec",
                              "keys",
                              "to_entries | length",
                              "def f: .spec; f",
                              ".spec.a as $x | .status",
                              ".spec |= .a",
                              ".spec.a = 1",
                              ".spec.a += 1",
                              ".spec.a //= 1",
                              ".spec.a? = 1",
                              "\"\\(.spec)\"",
                              ".spec.a | \"\\($old)\"",
                              ".spec.a | . == $old.spec.a",
                              ".spec.a | {$old}",
                              "@json \"a\"",
                              "if .spec then 1 else 2 end",
                              "reduce .spec[] as $x (0; . + 1)",
                              "try .spec catch .",
                              "select(.spec.a)",
                              "any",
                              "any(.spec)",
                              "all(.spec[] == 1)",
                              "{a: .spec}",
                              "error(\"x\")",
                              ".spec[.a | 1 : .b]",
                              ".spec.a # . is more",
                              "label $out | .spec",
                              "$old == null + .spec",
                              "env | .x",
                              "limit(1; .spec.a)",
                              ".spec.a | f::g",
                              "1 as $old | $old.a"}) {
    INFO(program);
    CHECK(read_by(program) == "everything");
  }
  CHECK(read_by(std::string(100, '(') + ".spec.a" + std::string(100, ')')) == "everything");
}

TEST_CASE("several programs read what one of them reads") {
  JqReads reads = JqReads::of(".status.phase and .spec");
  reads.merge(JqReads::of(".status.podIP and .spec.a and .metadata.b"));
  CHECK(reads.find("status")->size() == 2);
  CHECK(reads.find("spec")->empty());
  CHECK(reads.find("metadata")->contains("b"));
  CHECK(reads.find("other") == nullptr);
  reads.merge(JqReads());
  CHECK(reads.everything());
}

/// Returns the results of a program, and the error at their end.
std::string results(JqProgram& program, const JqValue& object, const JqValue* old) {
  std::string text;
  const Result<void> done = program.run(object, old, {}, [&](const JqValue& result) {
    text += result.text() + '\n';
    return true;
  });
  return done ? text : text + done.error().message;
}

/// Builds programs from parts. Most of them compile.
class Programs {
 public:
  explicit Programs(std::size_t seed) : random_(seed) {}

  std::string next(int depth = 0) {
    static const std::vector<std::string> kForms = {"P",
                                                    "P",
                                                    "P == L",
                                                    "P != P",
                                                    "E and E",
                                                    "E or (E)",
                                                    "(E)",
                                                    "[E]",
                                                    "P | F",
                                                    "P | E",
                                                    "E | F",
                                                    "E, E",
                                                    "P // L",
                                                    "any(E; E)",
                                                    "all(P[]?; E)",
                                                    "P[E]?",
                                                    "(E | F)",
                                                    "-P",
                                                    "P + P",
                                                    "$old == null",
                                                    "$old != null",
                                                    "P as $x | E",
                                                    "E |= E",
                                                    "P[E:E]",
                                                    "\"\\(E)\"",
                                                    "F",
                                                    "if E then E else E end",
                                                    "{a: E}",
                                                    "select(E) | E",
                                                    "E == $old",
                                                    "try E catch E",
                                                    "[E | E] | F",
                                                    "E;E",
                                                    "P = E",
                                                    "E // E"};
    const std::string form = depth > 3 ? "P" : pick(kForms);
    std::string text;
    for (const char c : form) {
      if (c == 'P')
        text += path();
      else if (c == 'E')
        text += next(depth + 1);
      else if (c == 'L')
        text += pick({"null", "\"Running\"", "1", "true", "{}", "[]", "-1.5"});
      else if (c == 'F')
        text += pick({"not", "length", "keys", "type", "tojson", "..", ".[]?", "."});
      else
        text += c;
    }
    return text;
  }

 private:
  std::string pick(const std::vector<std::string>& choices) {
    return choices[random_() % choices.size()];
  }
  std::string path() {
    return pick({"", "", "", "$old", ". | "}) +
           pick({".status.phase", ".status", ".spec.nodeName", ".metadata.labels", ".metadata",
                 ".metadata.labels.app", ".spec.containers[0].name", ".spec.containers[]",
                 ".status.conditions[]?.type", ".kind", ".missing.a", ".metadata.name.x?",
                 ".metadata.labels.\"app\"", ".[\"kind\"]", ".spec.containers[].image"});
  }

  std::mt19937_64 random_;
};

TEST_CASE("a program has the same results for the whole document and for the parts that it reads") {
  const nlohmann::json pods = nlohmann::json::parse(test::fixture("list/pods.json")).at("items");
  const std::string texts[] = {pods[0].dump(), pods[1].dump()};
  Programs programs(13);
  for (int compiled = 0; compiled < 100;) {
    const std::string text = programs.next();
    if (JqReads::of(text).everything()) continue;
    std::string reported;
    const auto program = JqProgram::compile(text, reported);
    REQUIRE(program);
    if (!*program) continue;
    const JqReads reads = JqReads::of(text);
    ++compiled;
    INFO(text);
    const Result<JqValue> whole = JqValue::parse(texts[0]);
    const Result<JqValue> whole_old = JqValue::parse(texts[1]);
    const Result<JqValue> part = JqValue::parse(texts[0], reads);
    const Result<JqValue> part_old = JqValue::parse(texts[1], reads);
    REQUIRE((whole && whole_old && part && part_old));
    CHECK(results(**program, *part, &*part_old) == results(**program, *whole, &*whole_old));
    CHECK(results(**program, *part, nullptr) == results(**program, *whole, nullptr));
  }
}

}  // namespace
}  // namespace kinf
