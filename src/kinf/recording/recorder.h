// SPDX-License-Identifier: Apache-2.0
// Recorder: records the changes of informers on a thread of its own. If the disk is slow, the
// informers wait, so that no change is lost.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "kinf/recording/disk_writer.h"
#include "kinf/recording/recording_writer.h"

namespace kinf {

/// Records the changes of informers. Commits at most 200 ms after a change, and records every 5 s
/// that the session still watches. If writing fails, recording ends, and the handlers pass changes
/// on without recording them.
/// Threads: one owner; any thread may call the handlers.
class Recorder final : public DiskWriter {
 public:
  /// Calls `failed` at most once, from the recorder's thread. `clock` must outlive this object.
  Recorder(std::unique_ptr<RecordingWriter> writer, Clock& clock,
           std::function<void(const Error&)> failed);
  /// Calls finish().
  ~Recorder() override { finish(); }

  /// Adds a scope, the selection of one informer. Returns the number of the scope for other calls.
  /// Before start(), blocks on the disk and returns the errors of RecordingWriter::add_scope().
  /// After start(), such an error ends recording.
  Result<std::size_t> add_scope(RecordedScope scope);

  /// RecordingWriter::resume(). Call it before start().
  Result<EarlierState> resume(std::size_t scope, const DecodeOptions& decode) {
    return writer_->resume(scope, decode);
  }

  /// RecordingWriter::end_types(). Call it before start().
  Result<void> end_types(const std::function<bool(const GroupVersionResource&)>& exists);

  /// Returns a handler, owned by this object, that records what one informer delivers and then
  /// passes it to `inner` (may be null). Blocks while the queue is full. Several handlers pass
  /// changes on in the order in which they are recorded.
  EventHandler& handler(std::size_t scope, EventHandler* inner);
  /// Notes that the informer of `scope` has delivered to its handler everything that arrived until
  /// `time`, so that a later gap (a time without a watch) does not begin before. The next session
  /// can continue the watch from `version`; empty if that is not known. Call it from the thread
  /// that calls the handler.
  void heard(std::size_t scope, Clock::Wall time, std::string version = {});
  /// Records the gap before a list that replaced a watch. Call it from the thread that calls the
  /// handler, before the changes of that list.
  void relisted(std::size_t scope, RecordedRelist list);
  /// Calls `end`, which makes the output stop waiting for initial lists, and records which change
  /// was the last one before that. No handler passes on a change during this call.
  void gathered(const std::function<void()>& end);
  RecordingTotals totals() const;

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
    std::variant<Change, Known, Synced, Gathered, RecordedScope, RecordedRelist> what;
  };
  struct Heard {
    std::size_t scope = 0;
    Clock::Wall time;
    std::string version;
  };
  static constexpr std::size_t kQueueRoom = 8192;
  /// A queue of this size is written at once, without waiting until the next commit is due.
  static constexpr std::size_t kManyQueued = kQueueRoom / 2;

  void push(Item item);
  /// Returns by how much the wall clock has moved against the other one since the last call, if
  /// that is worth a note.
  std::optional<ClockJump> jump();
  Clock::Mono due() const override KINF_REQUIRES(mu_);
  bool take() override KINF_REQUIRES(mu_);
  Result<void> write() override;
  Result<void> write_items();
  Result<void> write_item(const Item& item);
  void drop_waiting() override KINF_REQUIRES(mu_) { queue_.clear(); }

  const std::unique_ptr<RecordingWriter> writer_;
  std::size_t scopes_ = 0;  ///< the number of scopes that were added
  // The data that take() has moved here for write().
  std::vector<Item> items_;
  std::vector<Heard> items_heard_;
  Clock::Wall until_{};            ///< the end of the session for the next commit
  std::optional<ClockJump> jump_;  ///< of the clock since the last write
  Clock::Mono last_mono_;          ///< when take() last read the clocks
  Clock::Wall last_wall_;
  std::vector<Item> queue_ KINF_GUARDED_BY(mu_);
  std::vector<Heard> heard_ KINF_GUARDED_BY(mu_);  ///< at most one element per scope
  Clock::Mono due_ KINF_GUARDED_BY(mu_);           ///< when the next commit is due
  RecordingTotals totals_ KINF_GUARDED_BY(mu_);
};

}  // namespace kinf
