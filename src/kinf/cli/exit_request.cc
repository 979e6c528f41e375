// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/ending.h"

namespace kinf {

void Ending::end(ExitCode code) {
  {
    MutexLock lock(mu_);
    if (code_) return;
    code_ = code;
    changed_.notify_all();
  }
  if (on_end_) on_end_();
}

std::optional<ExitCode> Ending::code() const {
  MutexLock lock(mu_);
  return code_;
}

void Ending::nudge() {
  MutexLock lock(mu_);
  nudged_ = true;
  changed_.notify_all();
}

bool Ending::wait(Clock& clock, Clock::Mono deadline) {
  MutexLock lock(mu_);
  while (!code_ && !nudged_ && clock.now() < deadline) {
    clock.wait_until(changed_, mu_, deadline, {});
  }
  const bool happened = code_ || nudged_;
  nudged_ = false;
  return happened;
}

}  // namespace kinf
