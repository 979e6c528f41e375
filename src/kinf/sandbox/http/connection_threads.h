// SPDX-License-Identifier: Apache-2.0
// ConnectionThreads: a thread pool that starts a thread when none is idle, up to a cap. Tasks
// beyond the cap wait.
#pragma once

#include <deque>
#include <functional>
#include <system_error>
#include <thread>
#include <vector>

#include "kinf/base/sync.h"

namespace kinf::sandbox {

/// Threads: enqueue() and shutdown() from one thread.
class ConnectionThreads {
 public:
  explicit ConnectionThreads(std::size_t cap) : cap_(cap) {}

  /// Runs `task` on an idle or a new thread. Never blocks. If no thread can be started, the task
  /// waits for a busy one.
  void enqueue(std::function<void()> task) {
    MutexLock lock(mu_);
    tasks_.push_back(std::move(task));
    if (idle_ < tasks_.size() && threads_.size() < cap_) {
      try {
        threads_.emplace_back([this] { work(); });
      } catch (const std::system_error&) {
      }
    }
    ready_.notify_one();
  }

  /// Runs the tasks that wait, then joins all threads. Idempotent.
  void shutdown() {
    {
      MutexLock lock(mu_);
      closed_ = true;
      ready_.notify_all();
    }
    // No thread is added any more: the only caller of enqueue() is here.
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
