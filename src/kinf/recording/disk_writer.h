// SPDX-License-Identifier: Apache-2.0
// DiskWriter: the base class of Recorder and StateSaver, with the thread that writes what informers
// deliver. The thread waits until data is due, and ends after a failure. The subclass holds the
// waiting data, and writes it.
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
  /// Use this instead of start() to write on the calling thread, like SharedInformer::step().
  /// Writes data that is due; after finish(), writes all data. Returns when to call it again if no
  /// new data arrives until then. Returns kNever if no data waits, or if writing has ended.
  Clock::Mono step();
  /// Writes the waiting data, and ends the thread. Call it after the informers have stopped.
  /// Returns false if writing has failed.
  bool finish();
  bool has_failed() const;

 protected:
  /// Calls `failed` at most once, from the thread that writes. `clock` must outlive this object.
  DiskWriter(Clock& clock, std::function<void(const Error&)> failed)
      : clock_(clock), failed_(std::move(failed)) {}
  /// The destructor of a subclass must call finish().
  virtual ~DiskWriter() = default;

  /// Returns when to write next; kNever if there is nothing to write.
  virtual Clock::Mono due() const KINF_REQUIRES(mu_) = 0;
  /// Moves the waiting data to members that only write() uses. Returns false if there is nothing to
  /// write.
  virtual bool take() KINF_REQUIRES(mu_) = 0;
  /// Writes the data that take() has moved. Called without a lock.
  virtual Result<void> write() = 0;
  /// Drops the waiting data, because writing has failed.
  virtual void drop_waiting() KINF_REQUIRES(mu_) = 0;

  bool has_started() const { return thread_.joinable(); }
  /// Owns `handler` until this object is destroyed. Returns a reference to it.
  EventHandler& keep(std::unique_ptr<EventHandler> handler);

  Clock& clock_;
  Mutex order_;  ///< held while a handler passes a change on; lock it before mu_
  mutable Mutex mu_;
  CondVar changed_;  ///< notified when due() becomes earlier, and when the queue has room again
  bool is_ending_ KINF_GUARDED_BY(mu_) = false;
  bool has_failed_ KINF_GUARDED_BY(mu_) = false;

 private:
  bool is_due() const KINF_REQUIRES(mu_) { return is_ending_ || clock_.now() >= due(); }
  void run();
  /// Calls write(). Returns false if that failed.
  bool write_taken();

  const std::function<void(const Error&)> failed_;
  std::vector<std::unique_ptr<EventHandler>> handlers_;
  std::jthread thread_;
};

}  // namespace kinf
