// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/runtime/exit_request.h"

namespace kinf {

void ExitRequest::set(ExitCode code) {
  const bool is_signal = code == ExitCode::interrupted || code == ExitCode::terminated;
  {
    MutexLock lock(mu_);
    if (code_ && !(is_signal && *code_ == ExitCode::ok)) return;
    code_ = code;
    changed_.notify_all();
  }
  if (is_signal || code == ExitCode::timed_out) abort_.request_stop();
  stop_.request_stop();
}

std::optional<ExitCode> ExitRequest::code() const {
  MutexLock lock(mu_);
  return code_;
}

void ExitRequest::notify() {
  MutexLock lock(mu_);
  notified_ = true;
  changed_.notify_all();
}

bool ExitRequest::wait(Clock& clock, Clock::Mono deadline) {
  MutexLock lock(mu_);
  while (!code_ && !notified_ && clock.now() < deadline) {
    clock.wait_until(changed_, mu_, deadline, {});
  }
  const bool happened = code_ || notified_;
  notified_ = false;
  return happened;
}

ExitTimer::ExitTimer(ExitRequest& exit_request, Clock& clock, Clock::Mono deadline, ExitCode code) {
  if (deadline == Clock::kNever) return;
  thread_ = std::jthread([&exit_request, &clock, deadline, code](const std::stop_token& stop) {
    if (sleep_until(clock, deadline, stop)) exit_request.set(code);
  });
}

}  // namespace kinf
