// SPDX-License-Identifier: Apache-2.0
// Recorder: records the changes of informers on a thread of its own. If the disk is slow, it slows
// the informers down: it loses nothing.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <thread>
#include <variant>
#include <vector>

#include "kinf/api/event_handler.h"
#include "kinf/base/clock.h"
#include "kinf/base/sync.h"
#include "kinf/recording/recording_writer.h"

namespace kinf {

/// Commits at most 200 ms after a change, and notes every 5 s that it still watches. If writing
/// fails, recording ends, and the handlers pass changes on without recording them.
/// Threads: one owner; any thread may call the handlers.
class Recorder {
 public:
  /// Calls `failed` at most once, from the recorder's thread. `clock` must outlive it.
  Recorder(std::unique_ptr<RecordingWriter> writer, Clock& clock,
           std::function<void(const Error&)> failed);
  /// Calls finish().
  ~Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  /// Starts the thread.
  void start();
  /// Use this instead of start() to record on the calling thread, as SharedInformer::step() does.
  /// Writes and commits what is due, after finish() everything. Returns when to call it again if
  /// nothing happens until then; kNever when recording has ended.
  Clock::Mono step();
  /// Adds what one informer selects, also after start(). Returns its number for the other calls.
  /// Before start(), blocks on the disk and returns the errors of RecordingWriter::add_scope();
  /// later, such an error ends recording.
  Result<std::size_t> add_scope(RecordedScope scope);

  /// Returns a handler, owned by this object, that records what one informer delivers and then
  /// passes it to `inner` (may be null). Blocks while the queue is full. Several handlers pass
  /// changes on in the order in which they are recorded.
  EventHandler& handler(std::size_t scope, EventHandler* inner);
  /// Notes that the informer of `scope` has nothing left to deliver to its handler: a gap that
  /// follows begins now or later. Call it from the thread that calls the handler.
  void heard(std::size_t scope);
  /// Calls `end`, after which the output no longer waits for first lists, between two changes, and
  /// records when.
  void gathered(const std::function<void()>& end);
  /// Records what is queued, commits, and ends the thread. Call it after the informers have
  /// stopped.
  void finish();

  RecordingTotals totals() const;
  bool has_failed() const;

 private:
  class Handler;
  struct Synced {
    SyncedEvent event;
    Clock::Wall time;
  };
  struct Gathered {};
  struct Known {
    Change change;
  };
  struct Item {
    std::size_t scope = 0;
    std::variant<Change, Known, Synced, Gathered, RecordedScope> what;
  };
  struct Heard {
    std::size_t scope = 0;
    Clock::Wall time;
  };
  static constexpr std::size_t kMostQueued = 8192;
  static constexpr std::size_t kManyQueued = kMostQueued / 2;  ///< written at once

  void push(Item item);
  void run();
  Result<void> write(std::vector<Item>& items);
  Result<void> write(const Item& item);
  struct Taken {
    bool goes_on = true;         ///< false: the recorder ends
    Clock::Wall until{};         ///< the session lasts until then
    std::vector<Heard> heard{};  ///< of everything that was taken
  };
  bool is_due() const KINF_REQUIRES(mu_);
  Taken take(std::vector<Item>& items) KINF_REQUIRES(mu_);
  /// Writes and commits. Returns false if the recorder ends.
  bool write_taken(const Taken& taken, std::vector<Item>& items);
  void note(const Result<void>& done);

  const std::unique_ptr<RecordingWriter> writer_;
  Clock& clock_;
  const std::function<void(const Error&)> failed_;
  std::vector<std::unique_ptr<Handler>> handlers_;
  std::size_t scopes_ = 0;  ///< how many were added
  Mutex order_;             ///< held while a change is queued and passed on; lock it before mu_
  mutable Mutex mu_;
  CondVar changed_;
  std::vector<Item> queue_ KINF_GUARDED_BY(mu_);
  std::vector<Heard> heard_ KINF_GUARDED_BY(mu_);  ///< at most one for each scope
  Clock::Mono due_ KINF_GUARDED_BY(mu_);           ///< when the next commit is due
  bool ending_ KINF_GUARDED_BY(mu_) = false;
  bool has_failed_ KINF_GUARDED_BY(mu_) = false;
  RecordingTotals totals_ KINF_GUARDED_BY(mu_);
  std::jthread thread_;
};

}  // namespace kinf
