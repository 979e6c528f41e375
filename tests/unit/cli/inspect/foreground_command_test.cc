// SPDX-License-Identifier: Apache-2.0
// Starts real programs. Waits for them on a clock that stands still, so nothing here times out.
#include "kinf/cli/inspect/foreground_command.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include "fakes/fake_clock.h"
#include "fakes/temp_folder.h"

namespace kinf {
namespace {

const std::vector<std::string> kEnvironment = {"PATH=/usr/bin:/bin", "GREETING=hello"};

constexpr std::chrono::seconds kPatience{5};

std::vector<std::string> shell(const std::string& script) { return {"sh", "-c", script}; }

/// Returns the exit code that the program asks kinf to end with.
ExitCode code_after(const std::string& script) {
  test::FakeClock clock;
  ExitRequest exit_request;
  const auto command = ForegroundCommand::start(shell(script), kEnvironment, exit_request);
  if (!command) FAIL(command.error().message);
  exit_request.wait(clock);
  return exit_request.code().value();
}

TEST_CASE("the exit status of the program becomes that of kinf") {
  CHECK(code_after("exit 0") == ExitCode::ok);
  CHECK(static_cast<int>(code_after("exit 7")) == 7);
}

TEST_CASE("a program that a signal ends gives 128 and the signal, as in a shell") {
  CHECK(static_cast<int>(code_after("kill -KILL $$")) == 128 + 9);
  CHECK(static_cast<int>(code_after("kill -TERM $$")) == 128 + 15);
}

TEST_CASE("the program is found in the PATH it is given, and gets only that environment") {
  const test::TempFolder folder;
  folder.write_script("greet", "echo \"$GREETING $1 ${HOME-nothing}\" >\"$2\"");
  test::FakeClock clock;
  ExitRequest exit_request;
  {
    const auto command =
        ForegroundCommand::start({"greet", "you", folder.path("out")},
                                 {"PATH=" + folder.path(), "GREETING=hello"}, exit_request);
    REQUIRE(command.has_value());
  }
  CHECK(exit_request.code() == ExitCode::ok);
  CHECK(folder.read("out") == "hello you nothing\n");
}

TEST_CASE("a program that does not exist or cannot be run is a usage error with its name") {
  const test::TempFolder folder;
  const std::string text = folder.write("text", "no program");
  for (const std::string& name : {std::string("no-such-program"), text}) {
    ExitRequest exit_request;
    const auto command = ForegroundCommand::start({name}, kEnvironment, exit_request);
    REQUIRE_FALSE(command.has_value());
    CHECK(command.error().kind == ErrorKind::usage);
    CHECK(command.error().message.starts_with(name + ": "));
    CHECK_FALSE(exit_request.code().has_value());
  }
}

TEST_CASE("a program can be asked to end, also after it has ended") {
  const test::TempFolder folder;
  const std::string ready = folder.path("ready");
  REQUIRE(::mkfifo(ready.c_str(), 0600) == 0);
  test::FakeClock clock;
  ExitRequest exit_request;
  const auto command = ForegroundCommand::start(
      shell("trap 'exit 3' TERM; echo >" + ready + "; while :; do sleep 0.01; done"), kEnvironment,
      exit_request);
  REQUIRE(command.has_value());
  CHECK(folder.read("ready") == "\n");  // blocks until the trap is set
  CHECK_FALSE(exit_request.code().has_value());
  (*command)->terminate(clock, kPatience);
  exit_request.wait(clock);
  CHECK(static_cast<int>(exit_request.code().value()) == 3);
  (*command)->terminate(clock, kPatience);
}

TEST_CASE("A18: a stopped program is continued, so that it can end") {
  const test::TempFolder folder;
  const std::string ready = folder.path("ready");
  REQUIRE(::mkfifo(ready.c_str(), 0600) == 0);
  test::FakeClock clock;
  ExitRequest exit_request;
  const auto command = ForegroundCommand::start(
      shell("trap 'exit 3' TERM; echo >" + ready + "; kill -STOP $$; while :; do sleep 0.01; done"),
      kEnvironment, exit_request);
  REQUIRE(command.has_value());
  CHECK(folder.read("ready") == "\n");
  (*command)->terminate(clock, kPatience);
  exit_request.wait(clock);
  CHECK(static_cast<int>(exit_request.code().value()) == 3);
}

TEST_CASE("A18: a program that ignores SIGTERM is killed after the patience") {
  const test::TempFolder folder;
  const std::string ready = folder.path("ready");
  REQUIRE(::mkfifo(ready.c_str(), 0600) == 0);
  test::FakeClock clock;
  ExitRequest exit_request;
  const auto command = ForegroundCommand::start(
      shell("trap '' TERM; echo >" + ready + "; while :; do sleep 0.01; done"), kEnvironment,
      exit_request);
  REQUIRE(command.has_value());
  CHECK(folder.read("ready") == "\n");
  const std::jthread passing([&clock](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      clock.advance(kPatience);
      std::this_thread::yield();
    }
  });
  (*command)->terminate(clock, kPatience);
  exit_request.wait(clock);
  CHECK(static_cast<int>(exit_request.code().value()) == 128 + 9);
}

TEST_CASE("an exit code that was set before the program ended stays") {
  ExitRequest exit_request;
  exit_request.set(ExitCode::interrupted);
  {
    const auto command = ForegroundCommand::start(shell("exit 9"), kEnvironment, exit_request);
  }
  CHECK(exit_request.code() == ExitCode::interrupted);
}

}  // namespace
}  // namespace kinf
