// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/controllers/container_program.h"

#include <doctest/doctest.h>

using namespace kinf::sandbox;

namespace {

/// The exit code and the seconds that it runs, or "runs".
std::string outcome(const Json& command, const Json& pod = Json::object(), bool is_init = false) {
  const ContainerProgram program = program_of(pod, {{"command", command}}, is_init);
  if (!program.runs) return "runs";
  return std::to_string(program.exit_code) + " after " +
         std::to_string(static_cast<int>(program.runs->count()));
}

Json script(const char* text) { return {"sh", "-c", text}; }

}  // namespace

TEST_CASE("commands that the sandbox knows end as they would") {
  CHECK(outcome({"true"}) == "0 after 1");
  CHECK(outcome({"/bin/false"}) == "1 after 1");
  CHECK(outcome({"sleep", "30"}) == "0 after 30");
  CHECK(outcome({"sleep", "2m"}) == "0 after 120");
  CHECK(outcome({"sleep", "infinity"}) == "runs");
  CHECK(outcome({"exit", "3"}) == "3 after 1");
}

TEST_CASE("shell scripts of such commands end as they would") {
  CHECK(outcome(script("exit 7")) == "7 after 1");
  CHECK(outcome(script("echo hello; sleep 5; exit 2")) == "2 after 5");
  CHECK(outcome(script("sleep 3 && false")) == "1 after 3");
  CHECK(outcome(script("false && sleep 100")) == "1 after 1");
  CHECK(outcome(script("false || exit 9")) == "9 after 1");
  CHECK(outcome(script("echo 'one; exit 4'")) == "0 after 1");
  CHECK(outcome(script("while true; do date; sleep 1; done")) == "runs");
  CHECK(outcome(script("date | wc")) == "runs");
  CHECK(outcome({"sh"}) == "runs");
}

TEST_CASE("other commands run forever, except in Jobs and init containers") {
  CHECK(outcome({"nginx"}) == "runs");
  CHECK(outcome(Json()) == "runs");
  CHECK(outcome({"migrate"}, Json::object(), true) == "0 after 1");
  const Json owners = {
      {"metadata", {{"ownerReferences", {{{"kind", "Job"}, {"controller", true}}}}}}};
  CHECK(outcome({"perl", "-e", "print"}, owners) == "0 after 1");
}

TEST_CASE("an annotation decides over the command") {
  const auto pod = [](const char* value) -> Json {
    return {{"metadata", {{"annotations", {{kExitAnnotation, value}}}}}};
  };
  CHECK(outcome({"nginx"}, pod("2")) == "2 after 1");
  CHECK(outcome({"false"}, pod("0 after 90s")) == "0 after 90");
  CHECK(outcome({"false"}, pod("soon")) == "1 after 1");
  CHECK(outcome({"true"}, pod("1 after soon")) == "0 after 1");
}
