// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/signals.h"

#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <string>
#include <system_error>
#include <utility>

namespace kinf {
namespace {

sigset_t ending_signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  return set;
}

ExitCode code_of(std::uint32_t signal) {
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

Result<std::unique_ptr<SignalWatcher>> SignalWatcher::start(ExitRequest& exit_request) {
  const sigset_t set = ending_signals();
  FileDescriptor signals(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
  FileDescriptor wake(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!signals.is_open() || !wake.is_open()) {
    return fail(ErrorKind::internal,
                "cannot wait for signals: " + std::generic_category().message(errno));
  }
  return std::unique_ptr<SignalWatcher>(
      new SignalWatcher(exit_request, std::move(signals), std::move(wake)));
}

SignalWatcher::SignalWatcher(ExitRequest& exit_request, FileDescriptor signals, FileDescriptor wake)
    : exit_request_(exit_request), signals_(std::move(signals)), wake_(std::move(wake)) {
  thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

SignalWatcher::~SignalWatcher() {
  thread_.request_stop();
  const std::uint64_t one = 1;
  (void)!::write(wake_.get(), &one, sizeof one);
  thread_.join();
}

void SignalWatcher::run(const std::stop_token& stop) {
  bool asked_before = false;
  // poll() reports POLLERR (the reader closed stdout) even though no events are requested.
  std::array<pollfd, 3> waited = {
      {{signals_.get(), POLLIN, 0}, {wake_.get(), POLLIN, 0}, {STDOUT_FILENO, 0, 0}}};
  while (!stop.stop_requested()) {
    if (::poll(waited.data(), waited.size(), -1) <= 0) continue;
    if ((waited[2].revents & POLLERR) != 0) {
      exit_request_.set(ExitCode::broken_pipe);
      waited[2].fd = -1;
    } else if (waited[2].revents != 0) {
      waited[2].fd = -1;
    }
    signalfd_siginfo info{};
    if (::read(signals_.get(), &info, sizeof info) != sizeof info) continue;
    if (asked_before) ::_exit(static_cast<int>(code_of(info.ssi_signo)));
    asked_before = true;
    exit_request_.set(code_of(info.ssi_signo));
  }
}

}  // namespace kinf
