// SPDX-License-Identifier: Apache-2.0
// Programs that are truly started: what they read, how they end, and what is left of them.
#include "kinf/process/child_process.h"

#include <doctest/doctest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "fakes/temp_folder.h"

namespace kinf {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

ChildCommand shell(const std::string& script) {
  ChildCommand command;
  command.path = "/bin/sh";
  command.arguments = {"-c", script};
  command.environment = {"PATH=/usr/bin:/bin"};
  return command;
}

Result<ChildExit> run(const ChildCommand& command, Clock::Duration limit = seconds(30)) {
  RealClock clock;
  return run_child(command, clock, clock.now() + limit, {});
}

/// A zombie that nobody has waited for does not count.
bool is_alive(pid_t pid) {
  std::string number;
  std::string name;
  std::string state;
  std::ifstream("/proc/" + std::to_string(pid) + "/stat") >> number >> name >> state;
  return !state.empty() && state != "Z";
}

/// A number that a script has written, once it is there.
pid_t awaited_number(const std::string& path) {
  RealClock clock;
  pid_t number = 0;
  for (int i = 0; i < 2000 && number == 0; ++i) {
    std::ifstream(path) >> number;
    sleep_until(clock, clock.now() + milliseconds(5), {});
  }
  return number;
}

bool ends_soon(pid_t pid) {
  RealClock clock;
  for (int i = 0; i < 2000 && is_alive(pid); ++i) {
    sleep_until(clock, clock.now() + milliseconds(5), {});
  }
  return !is_alive(pid);
}

TEST_CASE("a program reads what it is given, and nothing where it is given nothing") {
  ChildCommand command = shell("cat");
  CHECK(run(command)->output.empty());
  command.input = std::string(300'000, 'x') + "end";
  CHECK(run(command)->output == command.input);
}

TEST_CASE("a program that reads nothing of much input ends all the same") {
  ChildCommand command = shell("exit 3");
  command.input = std::string(1'000'000, 'x');
  CHECK(run(command)->code == 3);
}

TEST_CASE("how a program ended is told") {
  CHECK(run(shell("exit 7"))->code == 7);
  CHECK(run(shell("kill -9 $$"))->signal == SIGKILL);
  ChildCommand nobody;
  nobody.path = "/nonexistent/program";
  CHECK(run(nobody).error().kind == ErrorKind::not_found);
  nobody.path = "/";
  CHECK(run(nobody).error().kind == ErrorKind::usage);
}

TEST_CASE("a program starts with the signals of a fresh one") {
  // Ignored signals and blocked ones would be inherited.
  const auto status = run(shell("grep -E '^Sig(Blk|Ign)' /proc/self/status"));
  CHECK(status->output == "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n");
}

TEST_CASE("no descriptor of ours gets into a program") {
  CHECK(run(shell("ls /proc/self/fd | wc -l"))->output == "4\n");  // three, and the folder itself
}

TEST_CASE("a program that takes too long is ended, by force if need be") {
  const auto polite = run(shell("sleep 1000"), milliseconds(50));
  CHECK(polite.error().kind == ErrorKind::unavailable);
  ChildCommand deaf = shell("trap '' TERM; sleep 1000 & wait; sleep 1000");
  deaf.patience = milliseconds(100);
  CHECK(run(deaf, milliseconds(50)).error().kind == ErrorKind::unavailable);
}

TEST_CASE("with a guard nothing that a program left in its group stays") {
  const test::TempFolder folder;
  auto guard = ProcessGuard::start();
  REQUIRE(guard.has_value());
  ChildCommand command = shell("sleep 1000 >/dev/null 2>&1 & echo $! > " + folder.path("pid"));
  command.guard = guard->get();
  CHECK(run(command)->code == 0);
  CHECK(ends_soon(awaited_number(folder.path("pid"))));
}

TEST_CASE("a guard kills the groups it watches when its owner is killed") {
  const test::TempFolder folder;
  const pid_t owner = ::fork();
  if (owner == 0) {
    auto guard = ProcessGuard::start();
    ChildCommand command = shell("sleep 1000 & echo $! > " + folder.path("child") + "; wait");
    if (guard) command.guard = guard->get();
    (void)run(command);
    ::_exit(0);
  }
  const pid_t grandchild = awaited_number(folder.path("child"));
  REQUIRE(grandchild > 0);
  CHECK(is_alive(grandchild));
  ::kill(owner, SIGKILL);
  ::waitpid(owner, nullptr, 0);
  CHECK(ends_soon(grandchild));
}

}  // namespace
}  // namespace kinf
