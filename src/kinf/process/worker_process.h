// SPDX-License-Identifier: Apache-2.0
// WorkerProcess: answers requests in a child process that may use only so much memory, stack and
// time, and may crash without harm to kinf. For code that can neither be interrupted nor trusted.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

#include "kinf/base/clock.h"
#include "kinf/base/error.h"
#include "kinf/base/file_descriptor.h"

namespace kinf {

/// What a worker may use.
struct WorkerBounds {
  std::size_t memory = 0;       ///< bytes of address space beyond those it has at its start
  std::size_t stack = 0;        ///< bytes
  std::chrono::seconds time{};  ///< CPU time for prepare(), and for each answer
  // More for long requests.
  std::size_t memory_per_byte = 0;   ///< added to `memory` for each byte of the request
  std::size_t bytes_per_second = 0;  ///< a second is added to `time` for so many; 0 adds none

  std::size_t memory_for(std::size_t request) const { return memory + request * memory_per_byte; }
  std::chrono::seconds time_for(std::size_t request) const {
    return time + std::chrono::seconds(bytes_per_second > 0 ? request / bytes_per_second : 0);
  }
};

/// The work, which runs in the child process. Both functions may end or hang the child.
struct WorkerTask {
  /// Sends a part of an answer. Blocks while kinf does not read.
  using Send = std::function<void(std::string_view part)>;

  /// Runs once. Its result is what WorkerProcess::prepared() returns.
  std::function<std::string()> prepare;
  /// Answers one request: sends any number of parts, and returns the last one.
  std::function<std::string(std::string_view request, const Send& send)> answer;
};

/// Two child processes serve the requests. The keeper, a fork of kinf, prepares the work. It forks
/// the worker, which is ready at once, for the first request and again after the worker has died.
/// Neither has descriptors of kinf, can open files, or gets signals of the terminal; what the work
/// writes to standard error is returned. Both end with kinf, even if it is killed.
/// Threads: one at a time.
class WorkerProcess {
 public:
  /// After this many requests in a row at which the worker died, ask() fails with kind `internal`.
  static constexpr int kDeathsInARow = 3;
  /// The most bytes of one part. A longer one counts as a crash.
  static constexpr std::size_t kPartBytes = std::size_t{128} << 20U;

  struct Answer {
    std::string last;
    std::string written;  ///< to standard error; what is beyond the size of a pipe is lost
  };
  using Take = std::function<void(std::string_view part)>;

  /// Forks the keeper and waits until `task` is prepared. Call it while the process has one thread,
  /// because the child continues with copies of the locks. Errors: protocol, if the keeper died,
  /// with a message such as `takes longer than 1 s`; internal, if a system call fails.
  static Result<std::unique_ptr<WorkerProcess>> start(const WorkerTask& task, WorkerBounds bounds);
  /// Kills both processes and waits for them.
  ~WorkerProcess();
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  /// Returns the result of the task's prepare().
  const std::string& prepared() const { return prepared_; }
  /// Sends the concatenation of `request` and waits for the answer. Calls `take` for each part
  /// except the last one. Errors: stopped; protocol, if the worker died: `takes longer than 1 s`,
  /// `needs more than 384 MiB` or `crashed (signal 11)`; internal, if it cannot work any more.
  Result<Answer> ask(std::span<const std::string_view> request, const std::stop_token& stop,
                     const Take& take);

 private:
  WorkerProcess(pid_t keeper, FileDescriptor channel, FileDescriptor control, WorkerBounds bounds);
  Result<void> start_worker();
  Result<void> send(std::string_view text);
  Result<Answer> receive(const Take& take);
  Result<std::string_view> next(std::size_t size);
  Result<void> wait(short events);
  Result<void> read_control();
  Error death(int status) const;
  Error count_death(Error error);

  pid_t keeper_;  ///< -1 after it has ended
  const WorkerBounds bounds_;
  const RealClock clock_;   ///< the system limits the processes in real time
  FileDescriptor channel_;  ///< requests and answers
  FileDescriptor control_;  ///< what the keeper is asked, and what it reports
  const WakeEvent wake_;    ///< signalled when a stop is requested
  std::string prepared_;
  std::string received_;     ///< bytes of the answer
  std::size_t request_ = 0;  ///< bytes of the running ask()
  std::size_t used_ = 0;     ///< the bytes at the start of `received_` that next() has returned
  std::stop_token stop_;     ///< of the running ask()
  Clock::Mono deadline_{};   ///< of the running ask()
  std::int32_t starts_ = 0;
  bool is_started_ = false;        ///< whether the keeper has reported the worker
  bool is_idle_ = false;           ///< whether a worker waits for a request
  int deaths_ = 0;                 ///< in a row
  std::optional<Error> given_up_;  ///< what ask() returns from now on
};

}  // namespace kinf
