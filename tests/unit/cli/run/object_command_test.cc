// SPDX-License-Identifier: Apache-2.0
// Starts real programs, which write what they were given to a file.
#include "kinf/cli/run/object_command.h"

#include <doctest/doctest.h>

#include "fakes/change_builder.h"
#include "fakes/fake_clock.h"
#include "fakes/object_builder.h"
#include "fakes/temp_folder.h"
#include "kinf/base/log.h"
#include "unit/print/sample_objects.h"

namespace kinf {
namespace {

RunItem item_for(const ResourceType& type, const std::string& name, int retry = 0) {
  test::ObjectSpec spec;
  spec.ns = "shop";
  spec.name = name;
  spec.rv = "41";
  spec.uid = "uid-" + name;
  return {{&type, "shop/" + name}, test::make_added(test::make_object(spec)), retry};
}

/// The program is a shell script whose $OUT is a file.
struct CommandRig {
  Result<std::unique_ptr<ObjectCommand>> create(const std::string& script) {
    options.command = {"sh", "-c", script};
    options.environment.push_back("PATH=/usr/bin:/bin");
    options.environment.push_back("OUT=" + folder.path("out"));
    return ObjectCommand::create(options, clock);
  }
  /// Returns what the script wrote to $OUT, or why it failed.
  std::string run(const std::string& script, const std::vector<RunItem>& items) {
    const auto command = create(script);
    if (!command) FAIL(command.error().message);
    const std::optional<std::string> failure = (*command)->run(items, {});
    return failure ? "failed: " + *failure : folder.read("out");
  }

  test::FakeClock clock;
  test::TempFolder folder;
  ObjectCommandOptions options;
};

TEST_CASE("the variables of a program say what its event is about") {
  struct Case {
    const char* variable;
    const char* value;
  };
  CommandRig rig;
  rig.options.cluster = "prod";
  const std::string all =
      rig.run("env | grep ^KINF_ >\"$OUT\"", {item_for(test::kDeployments, "web", 2)});
  for (const Case& one :
       {Case{"TYPE", "ADDED"}, Case{"SOURCE", "watch"}, Case{"RESOURCE", "deployments.apps"},
        Case{"KIND", "Deployment"}, Case{"NAMESPACE", "shop"}, Case{"NAME", "web"},
        Case{"KEY", "shop/web"}, Case{"UID", "uid-web"}, Case{"RESOURCE_VERSION", "41"},
        Case{"RETRY", "2"}, Case{"CLUSTER", "prod"}}) {
    CAPTURE(one.variable);
    CHECK(("\n" + all).find(std::string("\nKINF_") + one.variable + "=" + one.value + "\n") !=
          std::string::npos);
  }
  CHECK(all.find("KINF_COUNT") == std::string::npos);
}

TEST_CASE("a batch has variables for what its objects share, and the worst retry") {
  CommandRig rig;
  rig.options.as_batch = true;
  const std::string script = "env | grep ^KINF_ | sort >\"$OUT\"";
  CHECK(rig.run(script, {item_for(test::kPods, "a", 1), item_for(test::kPods, "b", 3)}) ==
        "KINF_CLUSTER=\nKINF_COUNT=2\nKINF_KIND=Pod\nKINF_RESOURCE=pods\nKINF_RETRY=3\n");
  CHECK(rig.run(script, {item_for(test::kPods, "a"), item_for(test::kServices, "a")}) ==
        "KINF_CLUSTER=\nKINF_COUNT=2\nKINF_RETRY=0\n");
}

TEST_CASE("variables of an outer kinf run are not passed on, others are") {
  CommandRig rig;
  rig.options.environment = {"KINF_COUNT=9", "KINF_NAME=outer", "KINF_OTHER=kept"};
  CHECK(rig.run("echo \"$KINF_NAME ${KINF_COUNT-none} $KINF_OTHER\" >\"$OUT\"",
                {item_for(test::kPods, "web")}) == "web none kept\n");
}

TEST_CASE("the program reads the event as one line of JSON") {
  CommandRig rig;
  RunItem item = item_for(test::kPods, "web");
  const std::string event = rig.run("cat >\"$OUT\"", {item});
  CHECK(event.starts_with(R"({"type":"ADDED","object":{)"));
  CHECK(event.find(R"("key":"shop/web")") != std::string::npos);
  CHECK(event.find(R"("old":)") == std::string::npos);
  CHECK(event.find('\n') == event.size() - 1);
  item.change = test::make_updated(item.change.object, item.change.object);
  const std::string update = rig.run("cat >\"$OUT\"", {item});
  CHECK(update.starts_with(R"({"type":"MODIFIED")"));
  CHECK(update.find(R"("old":{)") != std::string::npos);
}

TEST_CASE("the program of a batch reads one JSON array") {
  CommandRig rig;
  rig.options.as_batch = true;
  const std::string one = rig.run("cat >\"$OUT\"", {item_for(test::kPods, "a")});
  CHECK(one.starts_with(R"([{"type":"ADDED")"));
  CHECK(one.ends_with("}]\n"));
  const std::string two =
      rig.run("cat >\"$OUT\"", {item_for(test::kPods, "a"), item_for(test::kPods, "b")});
  CHECK(two.find("},\n{\"type\"") != std::string::npos);
  CHECK(two.ends_with("}]\n"));
}

TEST_CASE("a program that does not succeed says why") {
  const std::vector<RunItem> items = {item_for(test::kPods, "web")};
  CHECK(CommandRig().run("exit 4", items) == "failed: exit status 4");
  CHECK(CommandRig().run("kill -KILL $$", items) == "failed: killed by signal 9");
}

TEST_CASE("a program that does not read its input does not fail for that") {
  CommandRig rig;
  CHECK(rig.run("exec <&-; echo done >\"$OUT\"", {item_for(test::kPods, "web")}) == "done\n");
}

TEST_CASE("stop ends a program that runs") {
  CommandRig rig;
  const auto command = rig.create("exec sleep 100");
  REQUIRE(command.has_value());
  std::stop_source stop;
  stop.request_stop();
  CHECK((*command)->run({item_for(test::kPods, "web")}, stop.get_token()).has_value());
}

TEST_CASE("a program that takes longer than its time limit is ended") {
  CommandRig rig;
  rig.options.timeout = std::chrono::seconds(0);
  const std::string text = rig.run("exec sleep 100", {item_for(test::kPods, "web")});
  CHECK(text.starts_with("failed: timed out after 0"));
}

TEST_CASE("a program that does not exist is a usage error with its name") {
  CommandRig rig;
  rig.options.command = {"no-such-program"};
  rig.options.environment = {"PATH=" + rig.folder.path()};
  const auto command = ObjectCommand::create(rig.options, rig.clock);
  REQUIRE_FALSE(command.has_value());
  CHECK(command.error().kind == ErrorKind::usage);
  CHECK(command.error().message == "no-such-program: no such program in PATH");
}

TEST_CASE("the program does not get an object that is not valid JSON") {
  RunItem damaged = item_for(test::kPods, "damaged");
  ObjectFacts facts;
  facts.name = "damaged";
  facts.json = R"({"spec":007})";
  damaged.change.object = Object::create(facts);
  RunItem changed = item_for(test::kPods, "a");
  changed.change.old = damaged.change.object;
  CommandRig rig;
  const std::string script = "jq -c '[.[]? | [.key, .old]]' >\"$OUT\"";
  CHECK(rig.run(script, {damaged}).starts_with("failed: the server sent invalid JSON"));
  rig.options.as_batch = true;
  std::vector<std::string> lines;
  log::set_sink([&](std::string_view line) { lines.emplace_back(line); });
  CHECK(rig.run(script, {changed, damaged, item_for(test::kPods, "b")}) ==
        "[[\"shop/a\",null],[\"shop/b\",null]]\n");
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].find("not in the batch: the server sent invalid JSON") != std::string::npos);
  CHECK(rig.run(script, {damaged, damaged}).starts_with("failed: the server sent invalid JSON"));
  CHECK(lines.size() == 1);
  log::set_sink({});
}

}  // namespace
}  // namespace kinf
