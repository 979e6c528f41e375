// SPDX-License-Identifier: Apache-2.0
#include "storm/lock_watch.h"

#include <pthread.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>

// The names of `ld --wrap`: calls of X go to __wrap_X, and __real_X is the system's X.
extern "C" {
int real_rdlock(pthread_rwlock_t* lock) __asm__("__real_pthread_rwlock_rdlock");
int real_wrlock(pthread_rwlock_t* lock) __asm__("__real_pthread_rwlock_wrlock");
int real_unlock(pthread_rwlock_t* lock) __asm__("__real_pthread_rwlock_unlock");
int watched_rdlock(pthread_rwlock_t* lock) __asm__("__wrap_pthread_rwlock_rdlock");
int watched_wrlock(pthread_rwlock_t* lock) __asm__("__wrap_pthread_rwlock_wrlock");
int watched_unlock(pthread_rwlock_t* lock) __asm__("__wrap_pthread_rwlock_unlock");
}

namespace kinf::test {
namespace {

using Nanoseconds = std::int64_t;

std::atomic<std::uint64_t> reads{0};
std::atomic<std::uint64_t> writes{0};
std::atomic<std::uint64_t> not_judged{0};
std::atomic<Nanoseconds> longest_hold{0};
std::atomic<Nanoseconds> longest_wait{0};
std::atomic<Nanoseconds> last_read_end{0};
std::atomic<Nanoseconds> last_write_end{0};

/// For the lock that this thread holds.
thread_local bool is_writer = false;
thread_local Nanoseconds held_since = 0;

Nanoseconds now() {
  return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void raise_to(std::atomic<Nanoseconds>& highest, Nanoseconds value) {
  Nanoseconds seen = highest.load();
  while (seen < value && !highest.compare_exchange_weak(seen, value)) {
  }
}

long preemptions() {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_nivcsw;
}

}  // namespace

LockReport lock_report() {
  return {reads, writes, std::chrono::nanoseconds(longest_hold),
          std::chrono::nanoseconds(longest_wait), not_judged};
}

}  // namespace kinf::test

using namespace kinf::test;

int watched_rdlock(pthread_rwlock_t* lock) {
  const Nanoseconds asked = now();
  const int result = real_rdlock(lock);
  // The earliest time at which it may have got the lock, not when this thread runs next.
  held_since = std::max(asked, last_write_end.load());
  is_writer = false;
  return result;
}

int watched_wrlock(pthread_rwlock_t* lock) {
  const long preempted = preemptions();
  const Nanoseconds asked = now();
  const int result = real_wrlock(lock);
  const Nanoseconds free_since = last_read_end;
  is_writer = true;
  ++writes;
  if (preemptions() != preempted) {
    ++not_judged;
  } else {
    raise_to(longest_wait, free_since - asked);
  }
  return result;
}

int watched_unlock(pthread_rwlock_t* lock) {
  const Nanoseconds end = now();
  if (is_writer) {
    last_write_end = end;
  } else {
    ++reads;
    raise_to(longest_hold, end - held_since);
    raise_to(last_read_end, end);
  }
  return real_unlock(lock);
}
