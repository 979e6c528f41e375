// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/runtime/signals.h"

#include <poll.h>
#include <pthread.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <system_error>
#include <utility>

namespace kinf {
namespace {

ExitCode code_of(int signal) {
  return signal == SIGTERM ? ExitCode::terminated : ExitCode::interrupted;
}

}  // namespace

void ignore_write_signals() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

void prepare_signals() {
  const sigset_t set = ending_signals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
}

Result<std::unique_ptr<SignalWatcher>> SignalWatcher::start(ExitRequest& exit_request,
                                                            std::unique_ptr<SignalSource> source) {
  std::unique_ptr<SignalWatcher> watcher(new SignalWatcher(exit_request, std::move(source)));
  if (watcher->source_->descriptor() < 0 || watcher->wake_.descriptor() < 0) {
    return fail(ErrorKind::internal,
                "cannot wait for signals: " + std::generic_category().message(errno));
  }
  SignalWatcher& started = *watcher;
  started.thread_ = std::jthread([&started](const std::stop_token& stop) { started.run(stop); });
  return watcher;
}

SignalWatcher::SignalWatcher(ExitRequest& exit_request, std::unique_ptr<SignalSource> source)
    : exit_request_(exit_request), source_(std::move(source)) {}

SignalWatcher::~SignalWatcher() {
  thread_.request_stop();
  wake_.signal();
  if (thread_.joinable()) thread_.join();
}

void SignalWatcher::run(const std::stop_token& stop) {
  source_->listen();
  bool asked_before = false;
  // poll() reports POLLERR (the reader closed stdout) even though no events are requested.
  std::array<pollfd, 3> waited = {
      {{source_->descriptor(), POLLIN, 0}, {wake_.descriptor(), POLLIN, 0}, {STDOUT_FILENO, 0, 0}}};
  while (!stop.stop_requested()) {
    if (::poll(waited.data(), waited.size(), -1) <= 0) continue;
    if ((waited[2].revents & POLLERR) != 0) {
      exit_request_.set(ExitCode::broken_pipe);
      waited[2].fd = -1;
    } else if (waited[2].revents != 0) {
      waited[2].fd = -1;
    }
    const int signal = source_->next();
    if (signal == 0) continue;
    if (asked_before) ::_exit(static_cast<int>(code_of(signal)));
    asked_before = true;
    exit_request_.set(code_of(signal));
  }
}

}  // namespace kinf
