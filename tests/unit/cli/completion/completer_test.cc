// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/completion/completer.h"

#include <doctest/doctest.h>
#include <fmt/ranges.h>

#include "kinf/cli/flags/command_line.h"
#include "kinf/cli/flags/global_flags.h"
#include "unit/cli/completion/fake_world.h"

namespace kinf {
namespace {

/// Returns the candidates and, after a colon, the directive.
std::string completed(const std::vector<std::string>& words, CompletionWorld& world) {
  Completion completion = complete(read_typed_line(words), world);
  for (Candidate& candidate : completion.candidates) candidate.description.clear();
  std::string text = completion_text(completion);
  for (char& c : text) c = c == '\n' ? ' ' : c;
  text.pop_back();
  return text;
}

std::string completed(const std::vector<std::string>& words) {
  test::FakeWorld world;
  return completed(words, world);
}

TEST_CASE("the first word is a command, with its summary") {
  CHECK(completed({"wa"}) == "watch wait :4");
  CHECK(completed({"-n", "shop", "reco"}) == "record :4");
  CHECK(completed({"help", "de"}) == "demo :4");
  CHECK(completed({"mi"}) == "mine :4");
  CHECK(completed({"help", "mi"}) == ":4");
  test::FakeWorld world;
  CHECK(completion_text(complete(read_typed_line({"hist"}), world)) ==
        "history\tPrint the versions of objects: when, by whom, what changed\n:4\n");
}

TEST_CASE("types are those that can be watched, with short names where only these match") {
  CHECK(completed({"watch", ""}) == "pods services deployments pods.metrics.k8s.io all :4");
  CHECK(completed({"watch", "svc"}) == "svc :4");
  CHECK(completed({"watch", "po"}) == "pods pods.metrics.k8s.io :4");
  CHECK(completed({"get", "pods,s"}) == "pods,services :4");
  CHECK(completed({"get", "pods,pods"}) == "pods,pods.metrics.k8s.io :4");
}

TEST_CASE("names follow the type, each once") {
  CHECK(completed({"watch", "pods", ""}) == "api-1 web-1 :4");
  CHECK(completed({"wait", "pods", "api-1", ""}) == "web-1 :4");
  CHECK(completed({"watch", "po/w"}) == "po/web-1 :4");
  CHECK(completed({"watch", "pod/web-1", "po"}) == "pods/ pods.metrics.k8s.io/ :6");
  CHECK(completed({"watch", "pod/web-1", "pod/a"}) == "pod/api-1 :4");
  test::FakeWorld world;
  completed({"run", "pods,deploy", ""}, world);
  CHECK(world.asked == std::vector<std::string>{"pods", "deploy"});
}

TEST_CASE("names that could control a terminal or run a command are left out") {
  const auto printed = [](const std::string& name) {
    return completion_text({.candidates = {{name, "kind\u009b"}, {"web", ""}}});
  };
  CHECK(printed("a$b") == "a$b\tkind\\u009b\nweb\n:4\n");
  CHECK(printed("zażółć") == "zażółć\tkind\\u009b\nweb\n:4\n");
  for (const char* name : {"a$(touch x)", "a`touch x`", "a\nb", "a\x1b[1m", "a\u009b", "a\u202eb",
                           "a\u200bb", "a\u2028", "a\xe2\x80", "a\x9b", "a\u00adb"}) {
    CHECK(printed(name) == "web\n:4\n");
  }
}

TEST_CASE("the value of a flag is recognized in every form") {
  for (const std::vector<std::string>& words : {std::vector<std::string>{"watch", "-o", "cs"},
                                                {"watch", "--output", "cs"},
                                                {"watch", "--output=cs"},
                                                {"watch", "-o=cs"},
                                                {"watch", "-Ao=cs"},
                                                {"watch", "-Ao", "cs"}}) {
    CAPTURE(fmt::format("{}", fmt::join(words, " ")));
    CHECK(completed(words) == "csv :4");
  }
  CHECK(completed({"watch", "--color", ""}) == "auto always never :4");
  CHECK(completed({"watch", "--diff="}) == "lines yaml patch :4");
  CHECK(completed({"watch", "--diff", "sv"}) == "svc :4");  // its value is part of the word
  CHECK(completed({"watch", "-v", "4", "sv"}) == "svc :4");
  CHECK(completed({"watch", "-v", "sv"}) == "svc :4");
  CHECK(completed({"wait", "-o", "js"}) == "json jsonpath= jsonpath-as-json= jsonpath-file= :4");
  CHECK(completed({"index", "-o", "jsonl"}) == "jsonl :4");
  CHECK(completed({"watch", "-o", "jsonl"}) == ":4");
  CHECK(completed({"watch", "-o", "custom-columns="}) == "custom-columns= :6");
  CHECK(completed({"watch", "--events", "added,"}) ==
        "added,updated added,deleted added,resync :4");
}

TEST_CASE("a value attached to a short flag is completed with its flag") {
  CHECK(completed({"watch", "-nsh"}) == "-nshop :4");
  CHECK(completed({"watch", "-nshop,!k"}) == "-nshop,!kube-system :4");
  CHECK(completed({"get", "-wocs"}) == "-wocsv :4");
  CHECK(completed({"watch", "pods", "-la"}) == "-lapp= :6");
  CHECK(completed({"watch", "pods", "-lapp=w"}) == "web :4");  // after the `=`
  CHECK(completed({"watch", "-xsh"}) == ":4");
}

TEST_CASE("names of the kubeconfig and namespaces may be lists") {
  CHECK(completed({"watch", "--context", "prod,"}) == "prod,stage :4");
  for (const std::string command : {"demo", "api-resources", "record"}) {
    CHECK(completed({command, "--context", "prod,"}) == ":4");
  }
  CHECK(completed({"--cluster", ""}) == "east :4");
  CHECK(completed({"--user", ""}) == "dev :4");
  CHECK(completed({"watch", "-n", "d"}) == "default :4");
  CHECK(completed({"watch", "-n", "shop,!k"}) == "shop,!kube-system :4");
}

TEST_CASE("selectors are completed by labels and their values") {
  CHECK(completed({"watch", "pods", "-l", ""}) == "app= tier= :6");
  CHECK(completed({"watch", "pods", "-l", "app="}) == "app=api app=web :4");
  CHECK(completed({"watch", "pods", "-l", "tier==front,app!=w"}) == "tier==front,app!=web :4");
  CHECK(completed({"watch", "pods", "-l", "!t"}) == "!tier :4");
  CHECK(completed({"watch", "pods", "-L", "app,"}) == "app,tier :4");
  CHECK(completed({"watch", "-l", ""}) == ":4");  // no type yet
  CHECK(completed({"watch", "pods", "--field-selector", "status.phase="}) ==
        "status.phase=Running :4");
  CHECK(completed({"watch", "pods", "--field-selector", "spec.n"}) == "spec.nodeName= :6");
}

TEST_CASE("paths go down one level at a time") {
  CHECK(completed({"watch", "pods", "--changed", ""}) == ". :6");
  CHECK(completed({"watch", "pods", "--changed", ".s"}) == ".spec .status :6");
  CHECK(completed({"watch", "pods", "--changed", ".spec."}) ==
        ".spec.containers .spec.nodeName :4");
  CHECK(completed({"watch", "pods", "--drop", ".spec.containers["}) == ".spec.containers[*] :6");
  CHECK(completed({"watch", "pods", "--sort-by", ".spec.nodeName,.spec.containers[*].i"}) ==
        ".spec.nodeName,.spec.containers[*].image :4");
  CHECK(completed({"watch", "pods", "--ignore", "n"}) == "noise :4");
  CHECK(completed({"wait", "pods", "--for", "jsonpath=.status.p"}) == "jsonpath=.status.phase :4");
}

TEST_CASE("index keys and conditions have the values of the objects") {
  CHECK(completed({"index", "pods", "--by", "@no"}) == "@node :4");
  CHECK(completed({"index", "pods", "--by", "a"}) == "app annotation: :4");
  CHECK(completed({"index", "pods", "--by", "ann"}) == "annotation: :6");
  CHECK(completed({"index", "pods", "--by", "annotation:example.com/t"}) ==
        "annotation:example.com/team :4");
  CHECK(completed({"index", "pods", "--by", "annotation:example.com/team="}) ==
        "annotation:example.com/team=red :4");
  // A list would be meant by the comma in this value.
  CHECK(completed({"index", "pods", "--by", "annotation:example.com/ports="}) == ":4");
  CHECK(completed({"index", "pods", "--by", "app=api,"}) == "app=api,web :4");
  CHECK(completed({"index", "pods", "--by", "@node="}) == "@node=node-1 @node=node-2 :4");
  CHECK(completed({"index", "pods", "--by", ".status.phase="}) == ".status.phase=Running :4");
  CHECK(completed({"index", "--sort-by", "c"}) == "count :4");
  CHECK(completed({"wait", "pods", "--for", "con"}) == "condition= :6");
  CHECK(completed({"wait", "pods", "--for=condition="}) == "condition=Ready :4");
  CHECK(completed({"watch", "--owner", "dep"}) == "deployments/ :6");
  CHECK(completed({"watch", "--owner", "pod/w"}) == "pod/web-1 :4");
  CHECK(completed({"record", "--all-types", "--except", "pods,dep"}) == "pods,deployments :4");
}

TEST_CASE("flags are those of the command that are not given yet") {
  CHECK(completed({"index", "--cou"}) == "--count :4");
  CHECK(completed({"index", "--count", "--cou"}) == ":4");
  CHECK(completed({"index", "--by", "app", "--b"}) == "--by :4");  // may be repeated
  CHECK(completed({"record", "--wh"}) == ":4");                    // which record refuses
  CHECK(completed({"sandbox", "--kubeconfig"}) == "--kubeconfig-out :4");
  CHECK(completed({"version", "-"}) == "--help :4");
  CHECK(completed({"help", "-"}) == "--help :4");
  CHECK(completed({"--kubec"}) == "--kubeconfig :4");
  CHECK(completed({"watch", "-n"}) == "-n :4");
}

TEST_CASE("files and folders are left to the shell") {
  CHECK(completed({"watch", "--from", "inc"}) == ":0");
  CHECK(completed({"watch", "--from=inc"}) == ":0");
  CHECK(completed({"--cache-dir", ""}) == ":16");
  CHECK(completed({"watch", "--sandbox=r"}) == "rollout :0");
  CHECK(completed({"run", "pods", "--", "ec"}) == ":0");
  CHECK(completed({"sandbox", "x"}) == ":4");
  CHECK(completed({"completion", "f"}) == "fish :4");
  CHECK(completed({"demo", "reflector-"}) == "reflector-known :4");
  CHECK(completed({"check", "svc,d"}) == "svc,deployments :4");
  CHECK(completed({"api-resources", "-o", ""}) == "wide name :4");
  CHECK(completed({"api-resources", "--api-group", ""}) == "apps metrics.k8s.io :4");
  CHECK(completed({"frobnicate", "x"}) == ":4");
  CHECK(completed({}) == completed({""}));
}

TEST_CASE("what the server sends cannot end a line of the answer") {
  test::FakeWorld world;
  world.all_types.front().type.gvr.resource = "po\nx\tds";
  CHECK(completion_text(complete(read_typed_line({"watch", "po\n"}), world)) == ":4\n");
}

TEST_CASE("the global flags on the line say which server to ask") {
  const GlobalFlags flags = global_flags(
      read_typed_line({"-n", "shop", "watch", "--context=prod", "-A", "--sandbox", "--v", "x",
                       "--insecure-skip-tls-verify", "--selector", "a=b", ""}));
  CHECK(flags.config.overrides.name_space == "shop");
  CHECK(flags.config.overrides.context == "prod");
  CHECK(flags.config.overrides.insecure);
  CHECK(flags.all_namespaces);
  CHECK(flags.sandbox == "nettool");
}

}  // namespace
}  // namespace kinf
