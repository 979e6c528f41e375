// SPDX-License-Identifier: Apache-2.0
// ConnectionThreads: threads for connections, made when none is idle, up to a cap; connections
// beyond it wait. Only http_server.cc sees this header, since it includes the library.
#pragma once

#include <httplib.h>

#include <deque>
#include <functional>
#include <thread>
#include <vector>

#include "kinf/base/sync.h"

namespace kinf::sandbox {

/// Threads: enqueue() and shutdown() from the listener's.
class ConnectionThreads final : public httplib::TaskQueue {
 public:
  explicit ConnectionThreads(std::size_t cap) : cap_(cap) {}

  void enqueue(std::function<void()> task) override {
    MutexLock lock(mu_);
    tasks_.push_back(std::move(task));
    if (idle_ < tasks_.size() && threads_.size() < cap_) {
      threads_.emplace_back([this] { work(); });
    }
    ready_.notify_one();
  }

  /// Does what is waiting, then joins all threads.
  void shutdown() override {
    {
      MutexLock lock(mu_);
      closed_ = true;
      ready_.notify_all();
    }
    // No thread is added any more: the only caller of enqueue() is here.
    for (std::jthread& thread : threads_) thread.join();
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
