// SPDX-License-Identifier: Apache-2.0
// RecordingReader: reads a recording: its types, and the versions of its objects. It sees the state
// of the file when it was opened.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/api/object.h"
#include "kinf/api/object_decoder.h"
#include "kinf/base/clock.h"
#include "kinf/recording/recording_file.h"
#include "kinf/recording/recording_schema.h"
#include "kinf/recording/text_rebuilder.h"

namespace kinf {

/// What to keep of recorded objects.
struct VersionParts {
  DecodeOptions decode;
  /// If set, an object for which it returns true keeps its document, even if `decode` does not.
  /// Threads: any thread calls it.
  std::function<bool(const Object& object)> needs_document{};
};

/// Decodes recorded documents to objects, and keeps as much of each as VersionParts says.
/// Threads: one owner.
class VersionDecoder {
 public:
  explicit VersionDecoder(VersionParts parts);

  /// Errors: those of ObjectDecoder::decode().
  Result<ObjectPtr> decode(std::string_view json, const RowCells& row);

 private:
  ObjectDecoder decoder_;
  const std::function<bool(const Object& object)> needs_document_;
  std::optional<ObjectDecoder> raw_decoder_;  ///< keeps the documents; set if they may be needed
};

/// One version of an object, with its data as it is in the file.
struct RecordedVersion {
  FoundVersion version;
  std::int64_t object = 0;
  std::int64_t type = 0;
  std::string ns;
  std::string name;
  StoredText text;
  bool has_text = false;  ///< false: the same text as the version before
};

/// Which objects of which moment to read.
struct StateQuery {
  std::int64_t seq = 0;  ///< of the last version that counts
  std::int64_t type = 0;
  std::string_view ns{};    ///< empty: all
  std::string_view name{};  ///< empty: all
};

/// An object whose state to rebuild.
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

/// A time in which kinf did not watch.
struct RecordedGap {
  Clock::Wall begin{};
  Clock::Wall end{};
  std::int64_t type = 0;
  std::string resource;  ///< such as `pods`
  std::string reason;
  std::string ns;        ///< empty: all namespaces
  std::string name;      ///< empty: all objects
  bool is_open = false;  ///< lasts until the end of the recording
};

/// When the first list of some objects was complete.
struct RecordedList {
  std::int64_t seq = 0;          ///< of its last object
  Clock::Wall time{};            ///< when it arrived
  std::string resource_version;  ///< empty if it is no longer known
};

/// Threads: one owner.
class RecordingReader {
 public:
  /// `stop` ends any reading with the error `stopped`.
  static Result<std::unique_ptr<RecordingReader>> open(const std::string& path,
                                                       const std::stop_token& stop = {});

  const std::string& path() const { return file_.database->path(); }
  /// Returns the types, and their ids in the file.
  const std::map<std::int64_t, RecordedType>& types() const { return types_; }
  /// Returns the id of a type, or 0.
  std::int64_t id_of(const ResourceType& type) const;
  /// Returns the namespaces to read by default.
  const std::string& default_namespace() const { return default_namespace_; }
  bool masks_secrets() const { return masks_secrets_; }
  Clock::Wall begins() const { return begins_; }
  Clock::Wall ends() const { return ends_; }
  /// Returns the `seq` of the last version.
  std::int64_t last_seq() const { return last_seq_; }
  /// Returns the `seq` of the last version that arrived at `time` or before.
  Result<std::int64_t> seq_at(Clock::Wall time);
  /// Makes state() ignore what the server did after this resourceVersion. Returns when the
  /// last change until then arrived. Errors: usage, if it is before the recording.
  Result<Clock::Wall> limit_to_version(std::uint64_t version);
  /// Returns the columns of the Table row of a version, or null.
  std::shared_ptr<const TableColumns> columns_of(const FoundVersion& version) const;
  /// Returns the first list that is complete in the file. An empty `ns` or `name` means all.
  Result<RecordedList> first_list(std::int64_t type, std::string_view ns, std::string_view name);
  /// Returns the last `seq` before the first session began to print although initial lists were
  /// missing; nullopt if it waited for all initial lists.
  Result<std::optional<std::int64_t>> gathered();
  /// Returns the gaps. What earlier sessions recorded, but the last one did not, has an open gap.
  Result<std::vector<RecordedGap>> gaps();
  /// Errors: usage, if no session recorded objects of this selection. An empty `ns` or `name` means
  /// all.
  Result<void> check_selected(std::int64_t type, std::string_view ns, std::string_view name);

  /// Returns the objects that existed after version `query.seq`, in unspecified order. Several
  /// threads rebuild them. Errors: protocol; stopped.
  Result<std::vector<StateObject>> state(const StateQuery& query, const VersionParts& parts,
                                         const std::stop_token& stop = {});
  /// Makes a version of the object `id` from its text.
  /// Threads: any thread.
  Result<StateObject> state_object(std::int64_t id, FoundVersion version, std::string_view text,
                                   VersionDecoder& decoder) const;
  /// Moves to the first version after `seq`.
  void seek(std::int64_t seq);
  /// Returns the next version up to `last`; nullopt after it.
  Result<std::optional<RecordedVersion>> next(std::int64_t last);

  /// Rebuilds the text of the newest version of an object up to `seq`.
  Result<void> rebuild(std::int64_t object, std::int64_t seq, std::string& text);
  /// Decodes one stored text. `before` is the text of its base.
  Result<void> decode(const StoredText& stored, std::string_view before, std::string& text) {
    return rebuilder_->decode(stored, before, text);
  }

 private:
  explicit RecordingReader(RecordingFile file) : file_(std::move(file)) {}
  Result<void> prepare();
  Result<void> read_facts();
  Result<void> read_types();
  Result<void> read_names();
  /// Returns the first resourceVersion at which state() finds the whole state.
  Result<std::int64_t> first_version();
  Result<Statement> prepare_newest(std::int64_t type);
  /// Returns the objects of a query, each with the last `seq` that counts for it.
  Result<std::vector<WantedState>> wanted_states(const StateQuery& query);
  /// Sets the `seq` of each to that of its newest version until `version_limit_`.
  Result<void> limit(std::vector<WantedState>& states, std::int64_t type);
  /// Opens the file once more for another thread. Null if it has changed too much.
  std::unique_ptr<Database> open_again(const std::stop_token& stop) const;

  RecordingFile file_;
  std::map<std::int64_t, RecordedType> types_;
  std::map<std::int64_t, std::string> managers_;
  std::map<std::int64_t, std::shared_ptr<const TableColumns>> columns_;
  std::string default_namespace_;
  bool masks_secrets_ = true;
  Clock::Wall begins_{};
  Clock::Wall ends_{};
  std::int64_t first_seq_ = 0;  ///< the first moment that can be read
  std::int64_t last_seq_ = 0;
  std::optional<TextRebuilder> rebuilder_;
  std::optional<Statement> rows_;
  std::optional<std::int64_t> version_limit_;  ///< see limit_to_version()
};

/// Logs the gaps of a recording while it is played.
/// Threads: one owner.
class GapNotices {
 public:
  /// Reads the gaps that end after `begin` and begin at `end` or before.
  static Result<GapNotices> read(RecordingReader& reader, Clock::Wall begin, Clock::Wall end);

  /// Logs the gaps that end at `time` or before and for which `concerns` returns true. Each is
  /// logged once.
  void report(Clock::Wall time, const std::function<bool(const RecordedGap& gap)>& concerns);

 private:
  std::deque<RecordedGap> gaps_;  ///< sorted by their ends
};

}  // namespace kinf
