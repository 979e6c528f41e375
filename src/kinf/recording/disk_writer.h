// SPDX-License-Identifier: Apache-2.0
// DiskWriter: the thread of Recorder and of StateSaver, which writes what informers deliver. It
// decides when to write, and ends after a failure. The subclass holds the waiting data, and writes
// it.
#pragma once

#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "kinf/api/event_handler.h"
#include "kinf/base/clock.h"
#include "kinf/base/error.h"
#include "kinf/base/sync.h"

namespace kinf {

/// Threads: one owner.
class DiskWriter {
 public:
  DiskWriter(const DiskWriter&) = delete;
  DiskWriter& operator=(const DiskWriter&) = delete;

  /// Starts the thread.
  void start();
  /// Use this instead of start() to write on the calling thread, as SharedInformer::step() does.
  /// Writes what is due, after finish() everything. Returns when to call it again if nothing
  /// happens until then; kNever if nothing is due by itself, and when writing has ended.
  Clock::Mono step();
  /// Writes the waiting data, and ends the thread. Call it after the informers have stopped.
  /// Returns whether nothing has failed.
  bool finish();
  bool has_failed() const;

 protected:
  /// Calls `failed` at most once, from the thread that writes. `clock` must outlive this object.
  DiskWriter(Clock& clock, std::function<void(const Error&)> failed)
      : clock_(clock), failed_(std::move(failed)) {}
  /// The destructor of a subclass must call finish().
  virtual ~DiskWriter() = default;

  /// Returns when to write; kNever if no data waits.
  virtual Clock::Mono due() const KINF_REQUIRES(mu_) = 0;
  /// Moves the waiting data to members that only write() uses. Returns false if there is nothing to
  /// write.
  virtual bool take() KINF_REQUIRES(mu_) = 0;
  /// Writes what take() took. No lock is held.
  virtual Result<void> write() = 0;
  /// Drops the waiting data, because writing has failed.
  virtual void drop_waiting() KINF_REQUIRES(mu_) = 0;

  bool has_started() const { return thread_.joinable(); }
  /// Keeps a handler for the life of this object.
  EventHandler& keep(std::unique_ptr<EventHandler> handler);

  Clock& clock_;
  Mutex order_;  ///< held while a handler passes a change on; lock it before mu_
  mutable Mutex mu_;
  CondVar changed_;  ///< notify when due() moves closer, and when there is room again
  bool is_ending_ KINF_GUARDED_BY(mu_) = false;
  bool has_failed_ KINF_GUARDED_BY(mu_) = false;

 private:
  bool is_due() const KINF_REQUIRES(mu_) { return is_ending_ || clock_.now() >= due(); }
  void run();
  /// Writes what was taken. Returns false if that failed.
  bool write_taken();

  const std::function<void(const Error&)> failed_;
  std::vector<std::unique_ptr<EventHandler>> handlers_;
  std::jthread thread_;
};

}  // namespace kinf
