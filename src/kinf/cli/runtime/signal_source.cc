// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/runtime/signal_source.h"

#include <pthread.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>

#include "kinf/base/file_descriptor.h"

#if defined(__linux__)
#include <sys/signalfd.h>
#endif

namespace kinf {
namespace {

constexpr std::array<int, 2> kSignals = {SIGINT, SIGTERM};

/// The write end of the pipe that the signal handler writes to; -1 if there is no pipe.
std::atomic<int> signal_pipe{-1};
static_assert(std::atomic<int>::is_always_lock_free);

void write_signal(int signal) {
  const int error = errno;
  const auto byte = static_cast<unsigned char>(signal);
  (void)!::write(signal_pipe, &byte, 1);
  errno = error;
}

class SignalPipe final : public SignalSource {
 public:
  SignalPipe() {
    set_non_blocking(pipe_.read_end.get());
    set_non_blocking(pipe_.write_end.get());
    signal_pipe = pipe_.write_end.get();
    struct sigaction action{};
    action.sa_handler = &write_signal;
    action.sa_flags = SA_RESTART;
    for (std::size_t i = 0; i < kSignals.size(); ++i) {
      ::sigaction(kSignals.at(i), &action, &previous_.at(i));
    }
  }
  ~SignalPipe() override {
    for (std::size_t i = 0; i < kSignals.size(); ++i) {
      ::sigaction(kSignals.at(i), &previous_.at(i), nullptr);
    }
    signal_pipe = -1;
  }
  SignalPipe(const SignalPipe&) = delete;
  SignalPipe& operator=(const SignalPipe&) = delete;

  void listen() override {
    const sigset_t set = ending_signals();
    ::pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
  }
  int descriptor() const override { return pipe_.read_end.get(); }
  int next() override {
    unsigned char signal = 0;
    return ::read(pipe_.read_end.get(), &signal, 1) == 1 ? signal : 0;
  }

 private:
  const Pipe pipe_ = Pipe::open();
  std::array<struct sigaction, kSignals.size()> previous_{};
};

#if defined(__linux__)
class SignalFd final : public SignalSource {
 public:
  void listen() override {}
  int descriptor() const override { return file_.get(); }
  int next() override {
    signalfd_siginfo info{};
    const bool complete = ::read(file_.get(), &info, sizeof info) == sizeof info;
    return complete ? static_cast<int>(info.ssi_signo) : 0;
  }

 private:
  static int open() {
    const sigset_t set = ending_signals();
    return ::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
  }

  const FileDescriptor file_{open()};
};
#endif

}  // namespace

sigset_t ending_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : kSignals) sigaddset(&set, signal);
  return set;
}

std::unique_ptr<SignalSource> make_signal_pipe() { return std::make_unique<SignalPipe>(); }

std::unique_ptr<SignalSource> make_signal_source() {
#if defined(__linux__)
  return std::make_unique<SignalFd>();
#else
  return make_signal_pipe();
#endif
}

}  // namespace kinf
