// SPDX-License-Identifier: Apache-2.0
// Reactor: runs tasks that wait for a socket, a time or a call of wake(), on a few threads. A task
// that waits has no thread: the idle threads wait for all tasks, and the system wakes one of them
// when something happens.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include "kinf/base/clock.h"
#include "kinf/base/error.h"
#include "kinf/base/sync.h"
#include "kinf/sandbox/http/poller.h"

namespace kinf::sandbox {

/// Threads: call start() and stop() from one thread. add() may be called from any thread.
class Reactor {
 public:
  /// What a task waits for.
  struct Wait {
    std::uint32_t events = 0;           ///< poll() events of its descriptor
    Clock::Mono until = Clock::kNever;  ///< by RealClock; Clock::Mono::min(): it is run again soon
  };

  /// Has one descriptor. It runs on one thread at a time.
  class Task {
   public:
    virtual ~Task() = default;
    /// Returns the descriptor to wait for, which stays open as long as the task exists.
    virtual int descriptor() const = 0;
    /// Does what is possible without waiting. `events` are the poll() events since the last run.
    /// Returns what to wait for, or nullopt if the task is done: then it is destroyed.
    virtual std::optional<Wait> run(std::uint32_t events) = 0;
    /// The reactor stops, and no thread runs. Called before the task is destroyed.
    virtual void stop() = 0;

   protected:
    /// Makes the task run soon, once more if it is running. May be called from any thread.
    void wake() { reactor_->wake(id_); }

   private:
    friend class Reactor;
    Reactor* reactor_ = nullptr;
    std::uint64_t id_ = 0;
  };

  /// Runs tasks on at most `most_threads` threads, which are started when they are needed.
  /// `poller`: if null, make_poller() makes one.
  explicit Reactor(std::size_t most_threads, std::unique_ptr<Poller> poller = nullptr)
      : most_threads_(most_threads), poller_(std::move(poller)) {}
  ~Reactor() { stop(); }
  Reactor(const Reactor&) = delete;
  Reactor& operator=(const Reactor&) = delete;

  /// Fails with an internal error if the system refuses a descriptor or a thread.
  Result<> start();
  /// Runs the task for the first time, without waiting for it. Destroys it if its descriptor cannot
  /// be watched.
  void add(std::unique_ptr<Task> task);
  /// Waits for running tasks, then stops and destroys all of them. Idempotent.
  void stop();

 private:
  struct Entry {
    std::unique_ptr<Task> task;
    std::uint32_t armed = 0;   ///< the events that the system reports
    std::uint32_t events = 0;  ///< reported since the last run
    Clock::Mono until = Clock::kNever;
    bool queued = false;
    bool running = false;
    bool again = false;  ///< to be queued after it has run
  };

  void wake(std::uint64_t id);
  void work();
  void wait_for_event() KINF_REQUIRES(mu_);
  void run_next() KINF_REQUIRES(mu_);
  void park(std::uint64_t id, Entry& entry, const Wait& wait) KINF_REQUIRES(mu_);
  void remove(std::uint64_t id) KINF_REQUIRES(mu_);
  void mark_ready(std::uint64_t id, Entry& entry) KINF_REQUIRES(mu_);
  void enqueue(std::uint64_t id, Entry& entry) KINF_REQUIRES(mu_);
  void enqueue_due() KINF_REQUIRES(mu_);
  void set_deadline(std::uint64_t id, Entry& entry, Clock::Mono until) KINF_REQUIRES(mu_);
  void set_timer(Clock::Mono until) KINF_REQUIRES(mu_);
  void summon_thread() KINF_REQUIRES(mu_);

  const std::size_t most_threads_;
  std::unique_ptr<Poller> poller_;
  Mutex mu_;
  std::unordered_map<std::uint64_t, Entry> entries_ KINF_GUARDED_BY(mu_);
  std::deque<std::uint64_t> queue_ KINF_GUARDED_BY(mu_);  ///< tasks to run
  std::set<std::pair<Clock::Mono, std::uint64_t>> deadlines_ KINF_GUARDED_BY(mu_);
  std::uint64_t last_id_ KINF_GUARDED_BY(mu_) = 0;
  Clock::Mono timer_until_ KINF_GUARDED_BY(mu_) = Clock::kNever;
  std::size_t idle_ KINF_GUARDED_BY(mu_) = 0;  ///< threads that wait for events
  bool stopping_ KINF_GUARDED_BY(mu_) = false;
  std::vector<std::jthread> threads_ KINF_GUARDED_BY(mu_);
};

}  // namespace kinf::sandbox
