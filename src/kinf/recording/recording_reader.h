// SPDX-License-Identifier: Apache-2.0
// RecordingReader: reads a recording: its types, and the versions of its objects. The reader sees
// the file as it was when the reader was opened.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/api/gap.h"
#include "kinf/api/object.h"
#include "kinf/api/object_decoder.h"
#include "kinf/base/clock.h"
#include "kinf/recording/recording_file.h"
#include "kinf/recording/recording_schema.h"
#include "kinf/recording/selected_versions.h"
#include "kinf/recording/text_rebuilder.h"

namespace kinf {

class VersionSearch;

/// The parts of recorded objects to keep in memory.
struct VersionParts {
  DecodeOptions decode;
  /// If set, objects for which this function returns true keep their documents, even if `decode`
  /// would not keep them. Threads: called from any thread.
  std::function<bool(const Object& object)> needs_document{};
};

/// Decodes recorded documents to objects, and keeps the parts of each that VersionParts selects.
/// Threads: one owner.
class VersionDecoder {
 public:
  explicit VersionDecoder(VersionParts parts);

  /// Errors: those of ObjectDecoder::decode().
  Result<ObjectPtr> decode(std::string_view json, const RowCells& row);

 private:
  ObjectDecoder decoder_;
  const std::function<bool(const Object& object)> needs_document_;
  std::optional<ObjectDecoder> raw_decoder_;  ///< keeps documents; set if needs_document_ is
};

/// One version of an object, with its text as it is stored in the file.
struct RecordedVersion {
  FoundVersion version;
  std::int64_t object = 0;
  std::int64_t type = 0;
  std::string ns;
  std::string name;
  StoredText text;
  bool has_text = false;  ///< false if the text is the same as in the previous version
};

/// The objects to read, and the moment of the recording.
struct StateQuery {
  std::int64_t seq = 0;  ///< the last version that had arrived at the moment
  std::int64_t type = 0;
  std::string_view ns{};    ///< empty means all namespaces
  std::string_view name{};  ///< empty means all objects
};

/// An object to rebuild: its newest version up to `seq`.
struct WantedState {
  std::int64_t id = 0;
  std::int64_t seq = 0;
};

/// The state of an object at one moment of the recording.
struct StateObject {
  std::int64_t id = 0;
  FoundVersion version;
  ObjectPtr object;
  bool is_faithful = false;  ///< `object` holds all of the recorded text
};

/// A period in which kinf did not watch some objects.
struct RecordedGap {
  Clock::Wall begin{};
  Clock::Wall end{};
  std::int64_t type = 0;  ///< 0 means all types: the clock jumped
  std::string resource;   ///< such as `pods`
  std::string reason;
  std::string ns;        ///< empty means all namespaces
  std::string name;      ///< empty means all objects
  bool is_open = false;  ///< whether the gap lasts until the end of the recording
};

/// The first list of some objects.
struct RecordedList {
  std::int64_t seq = 0;          ///< the `seq` of the list's last object
  Clock::Wall time{};            ///< when the list arrived
  std::string resource_version;  ///< empty if the list is no longer in the file
};

/// Threads: one owner.
class RecordingReader {
 public:
  /// Opens a recording. `stop` ends any reading with the error `stopped`.
  static Result<std::unique_ptr<RecordingReader>> open(const std::string& path,
                                                       const std::stop_token& stop = {});
  /// Opens a recording that this process has open for writing; see open_written_file().
  static Result<std::unique_ptr<RecordingReader>> open_written(const std::string& path);
  ~RecordingReader();

  const std::string& path() const { return file_.database->path(); }
  /// Returns the types in the recording by their ids in the file.
  const std::map<std::int64_t, RecordedType>& types() const { return types_; }
  /// Returns the id of a type, or 0 if the recording does not have the type.
  std::int64_t id_of(const ResourceType& type) const;
  /// Returns the namespaces to read by default.
  const std::string& default_namespace() const { return default_namespace_; }
  bool masks_secrets() const { return masks_secrets_; }
  Clock::Wall begins() const { return begins_; }
  Clock::Wall ends() const { return ends_; }
  /// Returns the `seq` of the first moment that can be read. Some versions before have no text.
  std::int64_t first_seq() const { return first_seq_; }
  /// Returns the `seq` of the last version.
  std::int64_t last_seq() const { return last_seq_; }
  /// Returns the `seq` of the last version that arrived at `time` or before.
  Result<std::int64_t> seq_at(Clock::Wall time);
  /// Returns when the last version up to `seq` arrived.
  Result<Clock::Wall> time_of(std::int64_t seq);
  /// Makes state() ignore changes after this resourceVersion. Returns when the last change up to
  /// `version` arrived. Errors: usage, if `version` is before the recording.
  Result<Clock::Wall> limit_to_version(std::uint64_t version);
  /// Returns the same time, without limiting state().
  Result<Clock::Wall> time_of_version(std::uint64_t version);
  /// Returns the columns of the Table row of a version, or null if it has no row.
  std::shared_ptr<const TableColumns> columns_of(const FoundVersion& version) const;
  /// Returns the first list that is complete in the file. An empty `ns` or `name` means all.
  Result<RecordedList> first_list(std::int64_t type, std::string_view ns, std::string_view name);
  /// Returns the last `seq` before the first session began to print although some initial lists had
  /// not arrived; nullopt if the session waited for all initial lists.
  Result<std::optional<std::int64_t>> gathered();
  /// Returns the gaps, that is, the periods in which kinf did not watch. Objects that only earlier
  /// sessions selected have an open gap.
  Result<std::vector<RecordedGap>> gaps();
  /// Fails with kind `usage` if no session recorded objects of this selection. An empty `ns` or
  /// `name` means all.
  Result<void> check_selected(std::int64_t type, std::string_view ns, std::string_view name);

  /// Returns the objects that existed after version `query.seq`, in unspecified order. Several
  /// threads rebuild them. Errors: protocol; stopped.
  Result<std::vector<StateObject>> state(const StateQuery& query, const VersionParts& parts,
                                         const std::stop_token& stop = {});
  /// Decodes a version of the object `id` from its text.
  /// Threads: any thread.
  Result<StateObject> state_object(std::int64_t id, FoundVersion version, std::string_view text,
                                   VersionDecoder& decoder) const;
  /// Makes next() continue with the first version after `seq`.
  void seek(std::int64_t seq);
  /// The same, but next() returns only the versions of these objects up to `last`, unless they are
  /// many. Returns whether next() skips the versions of other objects.
  Result<bool> seek(std::int64_t seq, std::span<const ObjectSelection> only, std::int64_t last);
  /// Returns the next version up to `last`; nullopt if there are no more.
  Result<std::optional<RecordedVersion>> next(std::int64_t last);

  /// Rebuilds the text of the newest version of an object up to `seq`.
  Result<void> rebuild(std::int64_t object, std::int64_t seq, std::string& text);
  /// Decodes one stored text. `before` is the text of the version that it is based on.
  Result<void> decode(const StoredText& stored, std::string_view before, std::string& text) {
    return rebuilder_->decode(stored, before, text);
  }

 private:
  explicit RecordingReader(RecordingFile file);
  static Result<std::unique_ptr<RecordingReader>> make(Result<RecordingFile> file);
  Result<void> prepare();
  Result<void> read_facts();
  Result<void> read_types();
  Result<void> read_names();
  /// Returns the first resourceVersion at which the recording has all objects.
  Result<std::int64_t> first_version();
  /// Returns the objects of a query, each with the `seq` up to which to rebuild it.
  Result<std::vector<WantedState>> wanted_states(const StateQuery& query);
  /// Sets the `seq` of each object to that of its newest version up to the limit of
  /// version_search_.
  Result<void> limit(std::vector<WantedState>& states, std::int64_t type);
  /// Opens the file once more for another thread. Returns null if that fails, or if versions were
  /// dropped from the file meanwhile.
  std::unique_ptr<Database> open_again(const std::stop_token& stop) const;

  RecordingFile file_;
  std::map<std::int64_t, RecordedType> types_;
  std::map<std::int64_t, std::string> managers_;
  std::map<std::int64_t, std::shared_ptr<const TableColumns>> columns_;
  std::string default_namespace_;
  bool masks_secrets_ = true;
  Clock::Wall begins_{};
  Clock::Wall ends_{};
  std::int64_t first_seq_ = 0;  ///< the `seq` of the first moment that can be read
  std::int64_t last_seq_ = 0;
  std::optional<TextRebuilder> rebuilder_;
  std::optional<Statement> rows_;
  std::optional<SelectedVersions> selected_;       ///< see seek(); nullopt selects all versions
  std::unique_ptr<VersionSearch> version_search_;  ///< set by limit_to_version()
};

/// Reports the gaps of a recording while it is played.
/// Threads: one owner.
class GapNotices {
 public:
  /// Reads the gaps that end after `begin` and begin at `end` or before.
  static Result<GapNotices> read(RecordingReader& reader, Clock::Wall begin, Clock::Wall end);

  /// Calls `report` for the gaps that end at `time` or before and for which `concerns` returns
  /// true, once for each.
  void report(Clock::Wall time, const std::function<bool(const RecordedGap& gap)>& concerns,
              const std::function<void(const Gap& gap)>& report = log_gap);

 private:
  std::deque<RecordedGap> gaps_;  ///< sorted by their ends
};

}  // namespace kinf
