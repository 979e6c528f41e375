// SPDX-License-Identifier: Apache-2.0
// ConnectionThreads: a thread pool that starts a thread if none is idle, up to a maximum. Further
// tasks wait in a queue.
#pragma once

#include <deque>
#include <functional>
#include <system_error>
#include <thread>
#include <vector>

#include "kinf/base/sync.h"

namespace kinf::sandbox {

/// Threads: call enqueue() and shutdown() from one thread.
class ConnectionThreads {
 public:
  explicit ConnectionThreads(std::size_t cap) : cap_(cap) {}

  /// Runs `task` on an idle or a new thread. Never blocks. If no further thread can be started, the
  /// task waits until a thread is idle. Returns false and does not run it if there is no thread.
  bool enqueue(std::function<void()> task) {
    MutexLock lock(mu_);
    tasks_.push_back(std::move(task));
    if (idle_ < tasks_.size() && threads_.size() < cap_) {
      try {
        threads_.emplace_back([this] { work(); });
      } catch (const std::system_error&) {
        if (threads_.empty()) {
          tasks_.pop_back();
          return false;
        }
      }
    }
    ready_.notify_one();
    return true;
  }

  /// Runs the waiting tasks, then joins all threads. Idempotent.
  void shutdown() {
    {
      MutexLock lock(mu_);
      closed_ = true;
      ready_.notify_all();
    }
    // enqueue() adds no thread now, because only this thread calls it.
    for (std::jthread& thread : threads_) thread.join();
    threads_.clear();
  }

 private:
  void work() {
    MutexLock lock(mu_);
    for (;;) {
      ++idle_;
      while (tasks_.empty() && !closed_) ready_.wait(mu_);
      --idle_;
      if (tasks_.empty()) return;
      const std::function<void()> task = std::move(tasks_.front());
      tasks_.pop_front();
      mu_.unlock();
      task();
      mu_.lock();
    }
  }

  const std::size_t cap_;
  Mutex mu_;
  CondVar ready_;
  std::deque<std::function<void()>> tasks_ KINF_GUARDED_BY(mu_);
  std::size_t idle_ KINF_GUARDED_BY(mu_) = 0;
  bool closed_ KINF_GUARDED_BY(mu_) = false;
  std::vector<std::jthread> threads_;
};

}  // namespace kinf::sandbox
