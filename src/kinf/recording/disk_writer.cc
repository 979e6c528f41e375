// SPDX-License-Identifier: Apache-2.0
#include "kinf/recording/disk_writer.h"

#include <utility>

namespace kinf {

void DiskWriter::start() {
  if (has_started()) return;
  thread_ = std::jthread([this] { run(); });
}

bool DiskWriter::finish() {
  {
    MutexLock lock(mu_);
    is_ending_ = true;
    changed_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
  return !has_failed();
}

bool DiskWriter::has_failed() const {
  MutexLock lock(mu_);
  return has_failed_;
}

EventHandler& DiskWriter::keep(std::unique_ptr<EventHandler> handler) {
  handlers_.push_back(std::move(handler));
  return *handlers_.back();
}

bool DiskWriter::write_taken() {
  const Result<void> done = write();
  {
    MutexLock lock(mu_);
    if (done) return true;
    has_failed_ = true;
    drop_waiting();
    changed_.notify_all();
  }
  failed_(done.error());
  return false;
}

void DiskWriter::run() {
  for (bool goes_on = true; goes_on;) {
    {
      MutexLock lock(mu_);
      while (!is_due()) clock_.wait_until(changed_, mu_, due(), {});
      goes_on = !is_ending_;
      if (!take()) continue;
    }
    goes_on = write_taken() && goes_on;
  }
}

Clock::Mono DiskWriter::step() {
  bool goes_on = true;
  bool has_work = false;
  {
    MutexLock lock(mu_);
    if (has_failed_) return Clock::kNever;
    if (!is_due()) return due();
    goes_on = !is_ending_;
    has_work = take();
  }
  if (has_work) goes_on = write_taken() && goes_on;
  MutexLock lock(mu_);
  return goes_on ? due() : Clock::kNever;
}

}  // namespace kinf
