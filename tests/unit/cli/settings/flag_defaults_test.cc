// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/settings/flag_defaults.h"

#include <doctest/doctest.h>

#include "kinf/cli/flags/index_flags.h"
#include "kinf/cli/flags/inspect_flags.h"
#include "kinf/cli/flags/run_flags.h"
#include "kinf/cli/flags/sandbox_flags.h"
#include "kinf/cli/flags/wait_flags.h"
#include "kinf/cli/flags/watch_flags.h"
#include "kinf/cli/settings/command_reader.h"
#include "kinf/cli/settings/settings.h"

namespace kinf {
namespace {

using Words = std::vector<std::string>;

/// Returns the settings of a file and of variables.
Settings settings_of(std::string_view file, const Words& variables) {
  Result<Settings> settings = parse_settings(file, "c.toml");
  if (!settings) FAIL(settings.error().message);
  for (FlagDefault& one : environment_defaults(variables)) settings->defaults.push_back(one);
  return *std::move(settings);
}

/// Returns the words that the settings add to a command line, or the error.
std::string added(const Words& arguments, std::string_view file, const Words& variables = {}) {
  const TypedLine line = read_complete_line(arguments);
  const Result<std::vector<DefaultWords>> all = default_words(line, settings_of(file, variables));
  if (!all) return all.error().message;
  std::string text;
  const auto any = [](const Words&) { return true; };
  for (const DefaultWords& one : taken_defaults(line.command_id, *all, any)) {
    for (const std::string& word : one.words) text += (text.empty() ? "" : " ") + word;
  }
  return text;
}

TEST_CASE("columns are those of a type, however it is named, and not of another group's") {
  for (const std::string type : {"deploy", "Deployment", "deployments", "deployments.apps"}) {
    const std::string file = "[columns]\n\"" + type + "\" = \"A:.a\"";
    CHECK(added({"get", "deployment.apps"}, file).contains("custom-columns=A:.a"));
    CHECK(added({"get", "deployments"}, file).contains("custom-columns=A:.a"));
    CHECK(added({"get", "deployments.example.com"}, file).empty());
  }
  CHECK(added({"get", "pods.metrics.k8s.io"}, "[columns]\npods = \"A:.a\"").empty());
  CHECK(added({"get", "Widgets.example.com"}, "[columns]\n\"widgets.example.com\" = \"A:.a\"")
            .contains("custom-columns=A:.a"));
}

TEST_CASE("a wrong value of each flag with an expression is an error that names its origin") {
  struct Case {
    std::string command;
    std::string variable;
  };
  for (const Case& one : {Case{"get", "KINF_WHERE=.a =="},
                          {"index", "KINF_WHERE=.a =="},
                          {"wait", "KINF_WHERE=.a =="},
                          {"record", "KINF_WHERE=.a =="},
                          {"history", "KINF_WHERE=.a =="},
                          {"watch", "KINF_JQ=.a |"},
                          {"watch", "KINF_UNTIL=Ready"},
                          {"get", "KINF_UNTIL=Ready"},
                          {"get", "KINF_SORT_BY={.a"},
                          {"index", "KINF_SORT_BY={.a"},
                          {"watch", "KINF_OUTPUT=jsonpath={.a"},
                          {"watch", "KINF_OUTPUT=custom-columns=A"},
                          {"watch", "KINF_SELECTOR=app in (a"},
                          {"watch", "KINF_FIELD_SELECTOR=phase"},
                          {"watch", "KINF_NAMESPACE_SELECTOR=app in (a"},
                          {"run", "KINF_NAMESPACE=a/b"},
                          {"watch", "KINF_CHANGED={.a"},
                          {"run", "KINF_CHANGED={.a"},
                          {"watch", "KINF_IGNORE=.a["},
                          {"watch", "KINF_DROP=.a["},
                          {"run", "KINF_KEEP=.a["},
                          {"index", "KINF_BY=@nope"},
                          {"index", "KINF_KEY_FORMAT=a/b/c/d"},
                          {"wait", "KINF_FOR=ready"},
                          {"wait", "KINF_FAIL_ON=condition="},
                          {"watch", "KINF_EVENTS=lost"},
                          {"watch", "KINF_TIMEZONE=Mars/Olympus"},
                          {"history", "KINF_TIMEZONE=Mars/Olympus"},
                          {"get", "KINF_AT=noon"},
                          {"watch", "KINF_SINCE=noon"},
                          {"watch", "KINF_UNTIL_TIME=noon"},
                          {"run", "KINF_BACKOFF=9s..1s"},
                          {"sandbox", "KINF_FAULT=earthquake"}}) {
    CAPTURE(one.command);
    CAPTURE(one.variable);
    const std::string name = one.variable.substr(0, one.variable.find('='));
    CHECK(added({one.command, "pods"}, "", {one.variable}).starts_with(name + ": "));
  }
}

TEST_CASE("a default that is wrong only for this command is left out") {
  CHECK(added({"api-resources"}, "", {"KINF_OUTPUT=json"}).empty());
  CHECK(added({"api-resources"}, "", {"KINF_OUTPUT=wide"}) == "--output=wide");
  CHECK(added({"api-resources"}, "", {"KINF_OUTPUT=xml"}).starts_with("KINF_OUTPUT: "));
  CHECK(added({"watch", "po"}, "", {"KINF_TIMEOUT=-1s"}).empty());
  CHECK(added({"wait", "po"}, "", {"KINF_TIMEOUT=-1s"}) == "--timeout=-1s");
  CHECK(added({"index", "po"}, "", {"KINF_SORT_BY=count"}) == "--sort-by=count");
  CHECK(added({"index", "po"}, "count = true") == "--count");
  CHECK(added({"wait", "po"}, "count = true").empty());
  CHECK(added({"api-resources"}, "[api-resources]\noutput = \"json\"").starts_with("c.toml:2: "));
}

TEST_CASE("a default yields to a rival of a higher level") {
  const Words sandbox = {"KINF_SANDBOX=nettool"};
  for (const char* flag : {"--server=http://a", "--kubeconfig=a", "--context=a", "--cluster=a",
                           "--user=a", "--token=a", "--in-cluster", "--from=a"}) {
    CAPTURE(flag);
    CHECK(added({"get", "po", flag}, "", sandbox).empty());
  }
  CHECK(added({"get", "po", "--in-cluster=false"}, "", sandbox) == "--sandbox=nettool");
  CHECK(added({"get", "po"}, "server = \"a\"", sandbox) == "--sandbox=nettool");
  CHECK(added({"get", "po"}, "sandbox = \"rollout\"", {"KINF_SERVER=a"}) == "--server=a");
  CHECK(added({"get", "po"}, "sandbox = \"rollout\"\n[get]\nfrom = \"a\"") == "--from=a");
  CHECK(added({"get", "po", "-n", "a"}, "", {"KINF_ALL_NAMESPACES=true"}).empty());
  CHECK(added({"get", "po", "-A"}, "namespace = \"a\"").empty());
  CHECK(added({"get", "po"}, "namespace = \"a\"", {"KINF_ALL_NAMESPACES=1"}) == "--all-namespaces");
  CHECK(added({"get", "po"}, "namespace = \"a\"", {"KINF_ALL_NAMESPACES=0"}) == "--namespace=a");
  CHECK(added({"get", "po"}, "context = \"a\"", {"KINF_KUBECONFIG=b"}) ==
        "--kubeconfig=b --context=a");
}

TEST_CASE("a default yields only to a rival that is in effect") {
  // --sandbox yields to --kubeconfig, so that --context does not yield to it.
  CHECK(added({"check", "--kubeconfig=a"}, "context = \"a\"\n[check]\nsandbox = true") ==
        "--context=a");
  const Settings settings = settings_of("context = \"a\"", {"KINF_SANDBOX=true"});
  const Words run = {"run", "po", "--state=s", "--", "true"};  // --state and --sandbox do not fit
  const Result<CommandLine> line = parse_with_settings(run, settings);
  REQUIRE(line.has_value());
  CHECK(std::get<RunCommand>(*line).global.config.overrides.context == "a");
}

TEST_CASE("a name that looks like a switch is a name") {
  CHECK(added({"check", "-n", "0"}, "all-namespaces = true").empty());
  CHECK(added({"check"}, "all-namespaces = true", {"KINF_NAMESPACE=false"}) == "--namespace=false");
}

TEST_CASE("the token of kinf sandbox is that of its clients, and no rival of a recording") {
  CHECK(added({"sandbox", "--tls", "--token=abc"}, "[sandbox]\nfrom = \"a\"") == "--from=a");
  CHECK(added({"sandbox"}, "[sandbox]\nfrom = \"a\"", {"KINF_TOKEN=abc"}) ==
        "--token=abc --from=a");
}

TEST_CASE("a list is for flags that take several values") {
  CHECK(added({"get", "po"}, "label-columns = [\"a\", \"b\"]") ==
        "--label-columns=a --label-columns=b");
  CHECK(added({"get", "po"}, "namespace = [\"a\", \"b\"]") == "--namespace=a,b");
  CHECK(added({"watch", "po"}, "events = [\"added\", \"deleted\"]") == "--events=added,deleted");
  CHECK(added({"get", "po"}, "output = [\"json\", \"yaml\"]") ==
        "c.toml:1: --output takes one value, not a list");
  CHECK(added({"get", "po"}, "no-headers = [true, false]") ==
        "c.toml:1: --no-headers takes one value, not a list");
  CHECK(added({"get", "po"}, "label-columns = []").empty());
}

TEST_CASE("true and false are for flags whose value is optional, too") {
  CHECK(added({"watch", "po"}, "", {"KINF_DIFF=true"}) == "--diff");
  CHECK(added({"watch", "po"}, "diff = \"yaml\"", {"KINF_DIFF=false"}).empty());
  CHECK(added({"watch", "po"}, "diff = \"yaml\"") == "--diff=yaml");
  CHECK(added({"watch", "po"}, "sandbox = true\nv = true\ntimestamps = true") ==
        "--v --timestamps --sandbox");
  CHECK(added({"watch", "po"}, "metadata = false\nv = 0") == "--v=0 --metadata=false");
  CHECK(added({"watch", "po"}, "diff = 1").starts_with("c.toml:1: invalid argument"));
}

TEST_CASE("a default that does not fit alone may fit with another one") {
  const Settings settings =
      settings_of("[watch]\nevents = \"added,resync\"\n", {"KINF_RESYNC=10s", "KINF_QUIET=1"});
  const Result<CommandLine> line = parse_with_settings({"watch", "po"}, settings);
  REQUIRE(line.has_value());
  CHECK(std::get<WatchCommand>(*line).events.has_value());
  const Settings record = settings_of("", {"KINF_TO=a.kinf", "KINF_CHUNK_SIZE=7"});
  const Result<CommandLine> recorded = parse_with_settings({"record", "po"}, record);
  REQUIRE(recorded.has_value());
  CHECK(std::get<RecordCommand>(*recorded).informer.chunk_size == 7);
}

}  // namespace
}  // namespace kinf
