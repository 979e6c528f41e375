// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/http/epoll_poller.h"

#if defined(__linux__)

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>

#include <chrono>
#include <limits>

namespace kinf::sandbox {
namespace {

constexpr std::uint64_t kSummonsId = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t kTimerId = kSummonsId - 1;

/// Returns the time for timerfd_settime(). The steady clock is CLOCK_MONOTONIC.
itimerspec at(Clock::Mono time) {
  const auto since = time.time_since_epoch();
  const auto whole = std::chrono::floor<std::chrono::seconds>(since);
  itimerspec result{};
  result.it_value.tv_sec = whole.count();
  result.it_value.tv_nsec = (since - whole).count();
  return result;
}

}  // namespace

EpollPoller::EpollPoller()
    : epoll_(::epoll_create1(EPOLL_CLOEXEC)),
      summons_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      timer_(::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK)) {}

std::unique_ptr<Poller> EpollPoller::open() {
  std::unique_ptr<EpollPoller> poller(new EpollPoller());
  if (!poller->epoll_.is_open() || !poller->summons_.is_open() || !poller->timer_.is_open()) {
    return nullptr;
  }
  // With EPOLLET, each write and each expiry wakes one thread, and nothing needs to be read.
  constexpr std::uint32_t kEachTime = EPOLLIN | EPOLLET;
  if (poller->control(EPOLL_CTL_ADD, poller->summons_.get(), kEachTime, kSummonsId) != 0 ||
      poller->control(EPOLL_CTL_ADD, poller->timer_.get(), kEachTime, kTimerId) != 0) {
    return nullptr;
  }
  return poller;
}

int EpollPoller::control(int operation, int descriptor, std::uint32_t events,
                         std::uint64_t id) const {
  epoll_event event{};
  event.events = events;
  event.data.u64 = id;
  return ::epoll_ctl(epoll_.get(), operation, descriptor, &event);
}

bool EpollPoller::add(int descriptor, std::uint64_t id) {
  return control(EPOLL_CTL_ADD, descriptor, EPOLLONESHOT, id) == 0;
}

void EpollPoller::arm(int descriptor, std::uint64_t id, std::uint32_t events) {
  control(EPOLL_CTL_MOD, descriptor, events | EPOLLONESHOT, id);
}

void EpollPoller::remove(std::uint64_t /*id*/) {}  // close() removes it

void EpollPoller::set_timer(Clock::Mono until) {
  const itimerspec time = at(until);
  ::timerfd_settime(timer_.get(), TFD_TIMER_ABSTIME, &time, nullptr);
}

void EpollPoller::summon() { ::eventfd_write(summons_.get(), 1); }

std::optional<Poller::Event> EpollPoller::wait() {
  epoll_event event{};
  if (::epoll_wait(epoll_.get(), &event, 1, -1) != 1) return std::nullopt;
  if (event.data.u64 == kSummonsId) return Event{Cause::summons};
  if (event.data.u64 == kTimerId) return Event{Cause::timer};
  return Event{Cause::socket, event.data.u64, event.events};
}

}  // namespace kinf::sandbox

#endif
