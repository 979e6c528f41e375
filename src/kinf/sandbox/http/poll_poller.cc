// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/http/poll_poller.h"

#include <algorithm>

#include "kinf/base/file_descriptor.h"

namespace kinf::sandbox {
namespace {

Clock::Duration time_until(Clock::Mono time) {
  constexpr Clock::Duration kLongest = std::chrono::hours(1);
  if (time == Clock::kNever) return kLongest;
  return std::clamp(time - RealClock().now(), Clock::Duration(0), kLongest);
}

}  // namespace

std::unique_ptr<Poller> PollPoller::open() {
  std::unique_ptr<PollPoller> poller(new PollPoller());
  if (poller->interrupt_.descriptor() < 0) return nullptr;
  return poller;
}

bool PollPoller::add(int descriptor, std::uint64_t id) {
  arm(descriptor, id, 0);
  return true;
}

void PollPoller::arm(int descriptor, std::uint64_t id, std::uint32_t events) {
  MutexLock lock(mu_);
  armed_[id] = {descriptor, static_cast<short>(events)};
  interrupt();
}

void PollPoller::remove(std::uint64_t id) {
  MutexLock lock(mu_);
  armed_.erase(id);
}

void PollPoller::set_timer(Clock::Mono until) {
  MutexLock lock(mu_);
  timer_ = until;
  interrupt();
}

void PollPoller::summon() {
  MutexLock lock(mu_);
  ready_.push_back({Cause::summons});
  changed_.notify_one();
  interrupt();
}

void PollPoller::interrupt() {
  if (polling_) interrupt_.signal();
}

std::optional<Poller::Event> PollPoller::wait() {
  MutexLock lock(mu_);
  while (ready_.empty()) {
    if (polling_) {
      changed_.wait(mu_);
    } else {
      poll_once();
    }
  }
  const Event event = ready_.front();
  ready_.pop_front();
  // This thread leaves: another one takes the next event, or polls.
  changed_.notify_one();
  return event;
}

void PollPoller::poll_once() {
  polling_ = true;
  prepare();
  const Clock::Duration timeout = time_until(timer_);
  mu_.unlock();
  const int count = poll_for(waited_, timeout);
  interrupt_.clear();
  mu_.lock();
  polling_ = false;
  if (count > 0) collect();
  if (timer_ <= RealClock().now()) {
    timer_ = Clock::kNever;
    ready_.push_back({Cause::timer});
  }
}

void PollPoller::prepare() {
  waited_.assign(1, {interrupt_.descriptor(), POLLIN, 0});
  ids_.clear();
  for (const auto& [id, armed] : armed_) {
    waited_.push_back({armed.descriptor, armed.events, 0});
    ids_.push_back(id);
  }
}

/// Reports each socket once, unless it was removed while poll() ran.
void PollPoller::collect() {
  for (std::size_t i = 0; i < ids_.size(); ++i) {
    const auto events = static_cast<unsigned short>(waited_[i + 1].revents);
    if (events != 0 && armed_.erase(ids_[i]) != 0) {
      ready_.push_back({Cause::socket, ids_[i], events});
    }
  }
}

}  // namespace kinf::sandbox
