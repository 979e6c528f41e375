// SPDX-License-Identifier: Apache-2.0
// Starts real programs: what they read, how they end, and which processes they leave behind.
#include "kinf/process/child_process.h"

#include <doctest/doctest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "fakes/temp_folder.h"
#include "kinf/process/process_guard.h"

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

/// Whether the process exists and is not a zombie.
bool is_alive(pid_t pid) {
  std::string number;
  std::string name;
  std::string state;
  std::ifstream("/proc/" + std::to_string(pid) + "/stat") >> number >> name >> state;
  return !state.empty() && state != "Z";
}

/// Waits until a script has written a number, and returns it.
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

TEST_CASE("a program reads its input, and nothing without one") {
  ChildCommand command = shell("cat");
  CHECK(run(command)->output.empty());
  command.input = std::string(300'000, 'x') + "end";
  CHECK(run(command)->output == command.input);
}

TEST_CASE("a program that does not read a large input can end") {
  ChildCommand command = shell("exit 3");
  command.input = std::string(1'000'000, 'x');
  CHECK(run(command)->code == 3);
}

TEST_CASE("exit codes, signals and failures to start are reported") {
  CHECK(run(shell("exit 7"))->code == 7);
  CHECK(run(shell("kill -9 $$"))->signal == SIGKILL);
  ChildCommand missing;
  missing.path = "/nonexistent/program";
  CHECK(run(missing).error().kind == ErrorKind::not_found);
  missing.path = "/";
  CHECK(run(missing).error().kind == ErrorKind::usage);
}

TEST_CASE("a program starts with default signals") {
  // Ignored signals and blocked ones would be inherited.
  const auto status = run(shell("grep -E '^Sig(Blk|Ign)' /proc/self/status"));
  CHECK(status->output == "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n");
}

TEST_CASE("a program inherits no descriptors") {
  CHECK(run(shell("ls /proc/self/fd | wc -l"))->output == "4\n");  // three, and the folder itself
}

TEST_CASE("a program is ended at its deadline, with SIGKILL if it ignores SIGTERM") {
  const auto polite = run(shell("sleep 1000"), milliseconds(50));
  CHECK(polite.error().kind == ErrorKind::unavailable);
  ChildCommand deaf = shell("trap '' TERM; sleep 1000 & wait; sleep 1000");
  deaf.patience = milliseconds(100);
  CHECK(run(deaf, milliseconds(50)).error().kind == ErrorKind::unavailable);
}

TEST_CASE("a foreground program inherits descriptors, and its exit code is reported") {
  const test::TempFolder folder;
  ChildCommand command = shell("ls /proc/self/fd | wc -l > " + folder.path("count") + "; exit 5");
  command.foreground = true;
  const Pipe inherited{FileDescriptor(::dup(0)), FileDescriptor(::dup(0))};
  auto child = ChildProcess::start(command);
  REQUIRE(child.has_value());
  (*child)->wait_for_end();
  CHECK((*child)->has_ended());
  CHECK((*child)->exit().code == 5);
  int count = 0;
  std::ifstream(folder.path("count")) >> count;
  CHECK(count >= 6);  // the three streams, the two above, and the folder itself
}

TEST_CASE("with a guard, processes that a program left in its group are killed") {
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

/// Returns a command that starts a process in a session of its own, which writes its id to the file
/// `pid`, and ends then.
ChildCommand leaving_a_process(const test::TempFolder& folder, ProcessGuard& guard) {
  const std::string file = folder.path("pid");
  ChildCommand command =
      shell("setsid sh -c 'echo $$ > " + file + "; while :; do sleep 1; done' >/dev/null 2>&1 & " +
            "until [ -s " + file + " ]; do sleep 0.01; done");
  command.guard = &guard;
  return command;
}

/// Starts a process that runs `script` under a guard, and returns its id.
pid_t start_owner(const std::string& script) {
  const pid_t owner = ::fork();
  if (owner == 0) {
    auto guard = ProcessGuard::start();
    ChildCommand command = shell(script);
    if (guard) command.guard = guard->get();
    (void)run(command);
    ::_exit(0);
  }
  return owner;
}

TEST_CASE("A17: no descendant of a program outlives a killed owner") {
  const std::string forever = "while :; do sleep 1; done";
  for (const std::string& escape :
       {"setsid sh -c 'echo $$ > $OUT; " + forever + "' &",
        "(trap '' HUP TERM INT; exec setsid sh -c 'echo $$ > $OUT; " + forever + "') &",
        "setsid -f setsid -f sh -c 'echo $$ > $OUT; " + forever + "'; ",
        std::string("setsid sh -c 'echo $$ > $OUT; kill -STOP $$' &")}) {
    CAPTURE(escape);
    const test::TempFolder folder;
    const pid_t owner =
        start_owner("OUT=" + folder.path("pid") + "; export OUT; " + escape + " sleep 1000");
    const pid_t escaped = awaited_number(folder.path("pid"));
    REQUIRE(escaped > 0);
    ::kill(owner, SIGKILL);
    ::waitpid(owner, nullptr, 0);
    CHECK(ends_soon(escaped));
  }
}

TEST_CASE("A17: a guard also ends what has left its group when its owner ends") {
  const test::TempFolder folder;
  auto guard = ProcessGuard::start();
  REQUIRE(guard.has_value());
  CHECK(run(leaving_a_process(folder, **guard))->code == 0);
  const pid_t escaped = awaited_number(folder.path("pid"));
  CHECK(is_alive(escaped));
  guard->reset();
  CHECK_FALSE(is_alive(escaped));
}

/// Returns the guard that a process has started, 0 if it has not set its name yet.
pid_t find_guard(pid_t owner) {
  const std::string tasks = "/proc/" + std::to_string(owner) + "/task";
  for (const auto& entry : std::filesystem::directory_iterator(tasks)) {
    std::ifstream children(entry.path() / "children");
    for (pid_t child = 0; children >> child;) {
      std::string name;
      std::ifstream("/proc/" + std::to_string(child) + "/comm") >> name;
      if (name == "kinf-guard") return child;
    }
  }
  return 0;
}

TEST_CASE("A17: if the guard was killed or stopped, its owner ends the processes") {
  for (const int signal : {SIGKILL, SIGSTOP}) {
    const test::TempFolder folder;
    auto guard = ProcessGuard::start();
    REQUIRE(guard.has_value());
    CHECK(run(leaving_a_process(folder, **guard))->code == 0);
    const pid_t escaped = awaited_number(folder.path("pid"));
    pid_t helper = find_guard(::getpid());
    while (helper == 0) helper = find_guard(::getpid());
    ::kill(helper, signal);
    guard->reset();
    CHECK_FALSE(is_alive(escaped));
  }
}

TEST_CASE("A37: a guard that was killed is replaced, and the next one knows the processes") {
  const test::TempFolder folder;
  const std::string file = folder.path("pid");
  const pid_t owner =
      start_owner("setsid sh -c 'echo $$ > " + file + "; while :; do sleep 1; done' & sleep 1000");
  const pid_t escaped = awaited_number(file);
  REQUIRE(escaped > 0);
  pid_t helper = find_guard(owner);
  while (helper == 0) helper = find_guard(owner);
  ::kill(helper, SIGKILL);
  RealClock clock;
  pid_t next = helper;
  for (int i = 0; i < 2000 && (next == 0 || next == helper); ++i) {
    sleep_until(clock, clock.now() + milliseconds(5), {});
    next = find_guard(owner);
  }
  CHECK(next != helper);
  CHECK(next != 0);
  ::kill(owner, SIGKILL);
  ::waitpid(owner, nullptr, 0);
  CHECK(ends_soon(escaped));
}

TEST_CASE("A37: a stopped program handles SIGTERM") {
  const test::TempFolder folder;
  const auto child =
      ChildProcess::start(shell("echo $$ > " + folder.path("pid") + "; kill -STOP $$; sleep 1000"));
  REQUIRE(child.has_value());
  const std::string stat = "/proc/" + std::to_string(awaited_number(folder.path("pid"))) + "/stat";
  for (std::string state; state != "T";) {
    std::string skipped;
    std::ifstream(stat) >> skipped >> skipped >> state;
  }
  (*child)->terminate(seconds(100));
  CHECK((*child)->exit().signal == SIGTERM);
}

TEST_CASE("A37: a foreground program that ignores signals does not outlive a killed owner") {
  const test::TempFolder folder;
  const pid_t owner = ::fork();
  if (owner == 0) {
    ChildCommand command = shell("trap '' HUP TERM INT; echo $$ > " + folder.path("pid") +
                                 "; while :; do sleep 1; done");
    command.foreground = true;
    if (auto child = ChildProcess::start(command)) (*child)->wait_for_end();
    ::_exit(0);
  }
  const pid_t program = awaited_number(folder.path("pid"));
  REQUIRE(program > 0);
  ::kill(owner, SIGKILL);
  ::waitpid(owner, nullptr, 0);
  CHECK(ends_soon(program));
}

TEST_CASE("the marks of an outer guard are kept") {
  std::vector<std::string> environment = {"A=1"};
  add_mark(environment, "outer");
  add_mark(environment, "inner");
  CHECK(environment.back() == "_KINF_GUARD=outer:inner");
}

}  // namespace
}  // namespace kinf
