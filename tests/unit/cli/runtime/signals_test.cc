// SPDX-License-Identifier: Apache-2.0
// Sends signals to this process, while they are blocked in all of its threads.
#include "kinf/cli/runtime/signals.h"

#include <doctest/doctest.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "fakes/fake_clock.h"

namespace kinf {
namespace {

/// Prepares the signals as kinf does, and restores them at the end.
class PreparedSignals {
 public:
  PreparedSignals() {
    ::pthread_sigmask(SIG_BLOCK, nullptr, &mask_);
    ::sigaction(SIGPIPE, nullptr, &pipe_);
    ignore_write_signals();
    prepare_signals();
  }
  ~PreparedSignals() {
    ::sigaction(SIGPIPE, &pipe_, nullptr);
    ::pthread_sigmask(SIG_SETMASK, &mask_, nullptr);
  }
  PreparedSignals(const PreparedSignals&) = delete;
  PreparedSignals& operator=(const PreparedSignals&) = delete;

 private:
  sigset_t mask_{};
  struct sigaction pipe_{};
};

struct SystemSource {
  static std::unique_ptr<SignalSource> make() { return make_signal_source(); }
};
struct PortableSource {
#ifdef __SANITIZE_THREAD__
  // TSan runs a handler later, which may be after its thread has begun to wait for it.
  static std::unique_ptr<SignalSource> make() { return make_signal_source(); }
#else
  static std::unique_ptr<SignalSource> make() { return make_signal_pipe(); }
#endif
};

TEST_CASE("the signals that end a command are blocked, and SIGPIPE is ignored") {
  const PreparedSignals prepared;
  sigset_t blocked{};
  ::pthread_sigmask(SIG_BLOCK, nullptr, &blocked);
  CHECK(sigismember(&blocked, SIGINT) == 1);
  CHECK(sigismember(&blocked, SIGTERM) == 1);
  CHECK(sigismember(&blocked, SIGQUIT) == 0);
  struct sigaction action{};
  ::sigaction(SIGPIPE, nullptr, &action);
  CHECK((action.sa_handler == SIG_IGN));
}

TEST_CASE_TEMPLATE("the first signal ends the command with the code that a shell gives it", Source,
                   SystemSource, PortableSource) {
  struct Case {
    int signal;
    ExitCode code;
  };
  for (const Case& one :
       {Case{SIGINT, ExitCode::interrupted}, Case{SIGTERM, ExitCode::terminated}}) {
    const PreparedSignals prepared;
    test::FakeClock clock;
    ExitRequest exit_request;
    const auto watcher = SignalWatcher::start(exit_request, Source::make()).value();
    ::kill(::getpid(), one.signal);
    CHECK(exit_request.wait(clock));
    CHECK(exit_request.code() == one.code);
  }
}

TEST_CASE_TEMPLATE("without a signal the watcher ends with its owner and sets no exit code", Source,
                   SystemSource, PortableSource) {
  const PreparedSignals prepared;
  ExitRequest exit_request;
  {
    const auto watcher = SignalWatcher::start(exit_request, Source::make()).value();
  }
  CHECK_FALSE(exit_request.code().has_value());
}

}  // namespace
}  // namespace kinf
