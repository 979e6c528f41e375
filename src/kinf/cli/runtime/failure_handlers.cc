// SPDX-License-Identifier: Apache-2.0
// The handlers allocate nothing, because no memory may be left.
#include "kinf/cli/runtime/failure_handlers.h"

#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <new>
#include <string_view>
#include <system_error>

#include "kinf/cli/runtime/exit_code.h"

namespace kinf {
namespace {

constexpr std::string_view kNoMemory =
    "error: out of memory\n"
    "hint: raise the limit (ulimit -v), or select fewer objects, for example with -n or -l\n";
constexpr std::string_view kNoThread =
    "error: cannot start a thread: the system has no more threads or no memory for them\n"
    "hint: raise the limits (ulimit -u, ulimit -v)\n";

std::terminate_handler default_terminate = nullptr;

[[noreturn]] void end_with(std::string_view message) {
  (void)!::write(STDERR_FILENO, message.data(), message.size());
  ::_exit(static_cast<int>(ExitCode::other_error));
}

[[noreturn]] void on_no_memory() { end_with(kNoMemory); }

/// Called for an uncaught exception. Ends the process with a message if no memory or no thread is
/// left. Any other exception is a bug, and the default handler aborts.
[[noreturn]] void on_terminate() {
  try {
    if (std::current_exception() != nullptr) throw;
  } catch (const std::bad_alloc&) {
    on_no_memory();
  } catch (const std::system_error& error) {
    if (error.code() == std::errc::resource_unavailable_try_again) end_with(kNoThread);
  } catch (...) {  // NOLINT(bugprone-empty-catch): the default handler prints it
  }
  if (default_terminate != nullptr) default_terminate();
  std::abort();
}

}  // namespace

void install_failure_handlers() {
  std::set_new_handler(on_no_memory);
  default_terminate = std::set_terminate(on_terminate);
}

}  // namespace kinf
