// SPDX-License-Identifier: Apache-2.0
// RecordingWriter: writes changes to a recording. Continues an existing file: what changed since
// its last session is recorded as found by a relist, with a gap.
#pragma once

#include <cstdint>
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
#include "kinf/recording/version_table.h"

namespace kinf {

struct WriterOptions {
  std::string server;
  std::string ns;  ///< the namespaces that a reader gets by default, as in `-n`
  /// Returns the document to record for a Secret. If empty, Secrets are recorded as they are.
  SecretMask mask_secret;
  std::optional<Clock::Duration> keep;    ///< drops older history; nullopt: keeps all
  std::optional<std::int64_t> max_bytes;  ///< drops the oldest history of a larger file
};

struct RecordingTotals {
  std::size_t objects = 0;     ///< that exist now
  std::uint64_t versions = 0;  ///< written by this session
  std::uint64_t gaps = 0;      ///< found by this session
  std::int64_t bytes = 0;      ///< size of the file
};

/// Threads: one owner. Calls block on the disk. After an error, the file holds the commits before
/// it; only the destructor may be called then.
class RecordingWriter {
 public:
  /// Opens or creates `path` and begins a session, which the first commit() makes visible. Errors:
  /// those of RecordingFile; usage, if the file masks Secrets and this session does not, or the
  /// other way round.
  static Result<std::unique_ptr<RecordingWriter>> open(const std::string& path,
                                                       WriterOptions options, Clock::Wall now);

  /// Adds what one informer selects. Returns its number for the other calls. Errors: usage, if an
  /// earlier session recorded some of these objects with another selection.
  Result<std::size_t> add_scope(const RecordedScope& facts);
  /// Writes one change. Skips resyncs, and objects of an initial list that have not changed since
  /// the last session.
  Result<void> write(std::size_t scope, const Change& change);
  /// Writes an object that the program knows from an earlier run, if no session has recorded it.
  Result<void> write_known(std::size_t scope, const Change& known);
  /// Ends the initial list of a scope: records what was deleted since the last session.
  Result<void> synced(std::size_t scope, const SyncedEvent& event, Clock::Wall now);
  /// Notes that the output prints all later changes at once, although initial lists are missing.
  Result<void> gathered();
  /// Notes that everything the scope's informer received until `time` was written.
  void heard(std::size_t scope, Clock::Wall time);
  /// Makes everything so far durable, notes that the session lasts until `now`, and drops old
  /// history.
  Result<void> commit(Clock::Wall now);

  RecordingTotals totals() const { return totals_; }

 private:
  /// The newest state of an object that exists.
  struct Known {
    std::int64_t id = 0;
    std::string uid;
    std::string version;
    ObjectPtr last{};            ///< null if it cannot be a base: an earlier session wrote it
    std::int64_t last_seq = 0;   ///< that of `last`
    std::int64_t whole_seq = 0;  ///< that of the last version without a base
    int patches = 0;             ///< versions since that one
    bool unconfirmed = true;     ///< from an earlier session, and not listed in this one
  };
  struct Scope {
    RecordedScope facts;
    std::int64_t id = 0;
    std::int64_t type = 0;
    /// When the gap before this session began; 0: there is none, the type is new in the file.
    std::int64_t watched_until = 0;
    std::string gap_reason{};
    std::int64_t listed = 0;  ///< when the last list arrived
    /// Nothing that arrived until then is missing. A gap that follows begins there.
    std::int64_t watched = 0;
    std::int64_t saved_watched = 0;  ///< `watched` in the file
  };
  using KnownObjects = std::unordered_map<std::string, Known>;

  RecordingWriter(RecordingFile file, WriterOptions options)
      : file_(std::move(file)), options_(std::move(options)) {}
  Result<void> begin_session(Clock::Wall now);
  Result<void> load_known(std::int64_t type);
  Result<void> find_earlier(Scope& scope);
  Result<void> find_start_of_type(Scope& scope);
  Result<void> write_initial(Scope& scope, const Change& change);
  /// Records that an object of an earlier session was not in the list of this one.
  Result<void> write_gone(const Scope& scope, const std::string& key);
  Result<void> write_change(Scope& scope, const Change& change, ChangeSource source);
  Result<void> save_watched();
  Result<void> write_gap(const Scope& scope, std::int64_t begin, std::int64_t end,
                         std::string_view reason);
  /// Sets the base of the next version of an object, and its text in `before_`.
  Result<void> find_base(const Scope& scope, const Known& known, VersionRow& row);
  Result<void> drop_history(Clock::Wall now);
  Result<void> update_size();

  RecordingFile file_;
  const WriterOptions options_;
  std::unique_ptr<VersionTable> versions_;
  std::int64_t session_ = 0;
  std::vector<Scope> scopes_;
  std::unordered_map<std::int64_t, KnownObjects> known_;  ///< by type, then `namespace/name`
  RecordingTotals totals_;
  Clock::Wall next_drop_{};
  std::string text_;
  std::string before_;
};

}  // namespace kinf
