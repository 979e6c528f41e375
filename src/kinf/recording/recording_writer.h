// SPDX-License-Identifier: Apache-2.0
// RecordingWriter: writes changes to a recording. If the file exists, continues it: changes since
// the last session are recorded like those that a relist finds, with a gap.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "kinf/api/change.h"
#include "kinf/api/event_handler.h"
#include "kinf/recording/recording_file.h"
#include "kinf/recording/recording_schema.h"
#include "kinf/recording/resumed_source.h"

namespace kinf {

class HistoryDropper;
class VersionTable;
struct VersionRow;

struct WriterOptions {
  ServerIdentity server;
  std::string ns;  ///< the namespaces that a reader gets by default, as in `-n`
  /// Returns the document to record for a Secret. If this function is empty, Secrets are recorded
  /// with their values.
  SecretMask mask_secret;
  std::optional<Clock::Duration> keep;  ///< drops history older than this; nullopt keeps all
  /// Drops the oldest history while the file and its log are larger; nullopt keeps all.
  std::optional<std::int64_t> max_bytes;
};

struct RecordingTotals {
  std::size_t objects = 0;     ///< objects that exist now
  std::uint64_t versions = 0;  ///< versions that this session has written
  std::uint64_t gaps = 0;      ///< gaps that this session has written
  std::int64_t bytes = 0;      ///< the size of the file
};

/// A list that replaced a watch. The recording lacks what happened and ended again in that time.
struct RecordedRelist {
  Clock::Wall watched_until{};  ///< the time of the last list, event or bookmark before
  Clock::Wall arrived{};
  std::string reason;  ///< why the watch could not go on
};

/// A change of the wall clock that is not the passing of time.
struct ClockJump {
  Clock::Wall before{};  ///< read last before the jump
  Clock::Wall after{};   ///< read first after the jump
  Clock::Duration by{};  ///< negative if the clock went back
};

/// Threads: one owner. Calls block on the disk. After an error, the file has only the earlier
/// commits, and only the destructor may be called.
class RecordingWriter {
 public:
  /// Opens or creates `path` and begins a session, which the first commit() makes visible. Errors:
  /// those of RecordingFile; usage, if the file masks Secrets and this session does not, or the
  /// other way round.
  static Result<std::unique_ptr<RecordingWriter>> open(const std::string& path,
                                                       WriterOptions options, Clock::Wall now);
  ~RecordingWriter();

  /// Adds a scope, the selection of one informer. Returns the number of the scope for other calls.
  /// Errors: usage, if an earlier session recorded some of its objects with another selection.
  Result<std::size_t> add_scope(const RecordedScope& facts);
  /// Returns what the last session of a scope knew. If EarlierState::can_resume(), the informer
  /// must continue the watch of that session (see ResumedSource), and no gap is recorded. Call it
  /// after add_scope(), before anything is written. `decode` sets which parts of the objects are
  /// kept.
  Result<EarlierState> resume(std::size_t scope, const DecodeOptions& decode);
  /// Records the objects of types that the server no longer has as deleted, with the gap since the
  /// last session. Calls `exists` for each type of an earlier session that has objects. Returns how
  /// many scopes it has added. Call it before anything is written.
  Result<std::size_t> end_types(const std::function<bool(const GroupVersionResource&)>& exists,
                                Clock::Wall now);
  /// Writes one change. Skips resyncs, and objects of an initial list that have not changed since
  /// the last session.
  Result<void> write(std::size_t scope, const Change& change);
  /// Writes the gap before a list that replaced a watch. Call it before the changes of that list
  /// are written, so that no kill leaves these changes without the gap.
  Result<void> relisted(std::size_t scope, const RecordedRelist& list);
  /// Writes an object that the program knows from an earlier run, if no session has recorded it.
  Result<void> write_known(std::size_t scope, const Change& known);
  /// Ends the initial list of a scope: records which objects were deleted since the last session.
  Result<void> synced(std::size_t scope, const SyncedEvent& event, Clock::Wall now);
  /// Records that the wall clock was set, or stood still while the machine slept.
  Result<void> clock_jumped(const ClockJump& jump);
  /// Records that the output prints all later changes immediately, although initial lists are
  /// missing.
  Result<void> gathered();
  /// Notes that all changes that the scope's informer received until `time` were written. `version`
  /// is that of Delivered.
  void heard(std::size_t scope, Clock::Wall time, std::string_view version = {});
  /// Makes all changes so far durable, records that the session lasts until `now`, and drops old
  /// history. If nothing was written since the last call, but before, moves the log into the main
  /// file, so that a copy of this file alone has all versions.
  Result<void> commit(Clock::Wall now);

  RecordingTotals totals() const { return totals_; }

 private:
  /// The newest state of an object that exists.
  struct Known {
    std::int64_t id = 0;
    std::string uid;
    std::string version;
    ObjectPtr last{};            ///< the newest version; null if an earlier session wrote it
    std::int64_t last_seq = 0;   ///< the `seq` of `last`
    std::int64_t whole_seq = 0;  ///< the `seq` of the last version that was stored as a whole
    int patches = 0;             ///< the number of versions since whole_seq
    int links = 0;               ///< the number of versions since the last one from a whole one
    bool unconfirmed = true;     ///< from an earlier session, and not listed in this session yet
  };
  struct Scope {
    RecordedScope facts;
    std::int64_t id = 0;
    std::int64_t type = 0;
    /// When the gap before this session began. 0 means no gap, because the type is new in the file.
    std::int64_t watched_until = 0;
    std::string gap_reason{};
    std::int64_t listed = 0;  ///< when the last list arrived
    /// The time up to which no change is missing. The next gap begins then.
    std::int64_t watched = 0;
    std::string watched_version{};  ///< of the last version from a watch
    /// A watch from this resourceVersion brings exactly what is not written yet. Empty if there is
    /// no such version.
    std::string resume_version{};
    bool is_resumed =
        false;             ///< continues the watch of an earlier session, which brought nothing yet
    bool is_saved = true;  ///< whether the file has `watched` and `resume_version`
  };
  using KnownObjects = std::unordered_map<std::string, Known>;

  RecordingWriter(RecordingFile file, WriterOptions options);
  Result<void> begin_session(Clock::Wall now);
  Result<void> load_known(std::int64_t type);
  Result<void> find_earlier(Scope& scope);
  static void set_watched(Scope& scope, std::int64_t time);
  static void set_resume_version(Scope& scope, std::string_view version);
  Result<void> find_start_of_type(Scope& scope);
  Result<void> write_initial(Scope& scope, const Change& change);
  /// Records that an object of an earlier session was not in the list of this session.
  Result<void> write_gone(const Scope& scope, const std::string& key);
  Result<void> write_change(Scope& scope, const Change& change, ChangeSource source);
  Result<void> save_watched();
  /// Notes in the file if the resourceVersions of an object, or of a watch, do not grow. `before`
  /// is that of the object's last version.
  Result<void> note_order(Scope& scope, const Change& change, ChangeSource source,
                          std::string_view before);
  Result<void> write_gap(const Scope& scope, std::int64_t begin, std::int64_t end,
                         std::string_view reason);
  /// Chooses the base, from which the next version of an object is stored as a difference. Sets
  /// `row.base` to the `seq` of the base, and before_ to its text.
  Result<void> find_base(const Scope& scope, const Known& known, VersionRow& row);
  Result<void> update_size();

  RecordingFile file_;
  const WriterOptions options_;
  std::unique_ptr<VersionTable> versions_;
  std::unique_ptr<HistoryDropper> dropper_;
  std::int64_t session_ = 0;
  bool is_ordered_ = false;  ///< whether the file says that resourceVersions grow
  std::vector<Scope> scopes_;
  std::unordered_map<std::int64_t, KnownObjects> known_;  ///< by type id, then `namespace/name`
  RecordingTotals totals_;
  EarlierObjects earlier_;
  std::int64_t committed_seq_ = 0;  ///< the last `seq` at the last commit
  std::int64_t moved_seq_ = 0;      ///< the last `seq` that is in the main file
  std::string text_;
  std::string before_;
  std::string whole_;
};

}  // namespace kinf
