// SPDX-License-Identifier: Apache-2.0
// StreamPlayer: plays a stream of JSON through informers. It may be a pipe that stays open; the
// changes then appear as they arrive.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "kinf/api/group_version_resource.h"
#include "kinf/api/object_decoder.h"
#include "kinf/recording/play/player.h"
#include "kinf/recording/play/recording_player.h"
#include "kinf/recording/play/stepped_source.h"
#include "kinf/recording/play/stream_decoder.h"
#include "kinf/recording/play/stream_reader.h"

namespace kinf {

// StreamSource: a ListerWatcher that answers from a stream of JSON, as StreamPlayer plays it.
/// The row of an object in a table.
struct StreamRow {
  std::string cells;  ///< the text of a JSON array; empty: none
  std::shared_ptr<const TableColumns> columns;
};

/// What one informer reads.
struct StreamSelection {
  ResourceType type;
  std::string ns;    ///< empty: all namespaces
  std::string name;  ///< empty: all objects
  DecodeOptions decode;
  std::string description;  ///< for messages
  /// Returns the row of an item. Empty: objects have no rows.
  std::function<StreamRow(const StreamItem& item)> row{};
};

/// An object that the stream mentions for the first time was added, whatever the event says. If it
/// was deleted, it was added and deleted.
/// Threads: that of StreamPlayer; wake() may be called from any thread.
class StreamSource final : public SteppedSource {
 public:
  StreamSource(Clock& clock, StreamSelection selection);

  /// Returns whether the item is of the selected type. All versions of a type count.
  bool selects_type(const StreamItem& item) const;
  /// Returns whether the state has the object of the item.
  bool has_seen(const StreamItem& item);
  /// Applies an item to the state, for the next list. Errors: protocol, as for play().
  Result<void> apply(const StreamItem& item);
  /// Makes the first list available, of what was applied.
  void end_list() { set_listed(); }
  /// Makes an item available as an event. Errors: protocol, if it is not an object.
  Result<void> play(const StreamItem& item);
  /// Plays what waits for the item after it. Call at the end.
  void flush();

 private:
  struct Held {
    ObjectPtr object;
    std::uint64_t seq = 0;
  };

  std::vector<ObjectPtr> objects() const override;
  /// Returns null if the object is not selected.
  Result<ObjectPtr> decode(const StreamItem& item);
  void hold(const ObjectPtr& object);
  void play_deletion(const ObjectPtr& object);

  const ResourceType type_;
  const std::string ns_;
  const std::string name_;
  const std::function<StreamRow(const StreamItem& item)> row_;
  ObjectDecoder decoder_;
  std::unordered_map<std::string, Held> held_;  ///< by key
  std::uint64_t last_seq_ = 0;
  /// The deletion of an object that another one replaces, which follows. The informer infers it.
  ObjectPtr replaced_;
};

/// The first list has the objects at the begin of the stream, up to the first change. kubectl does
/// not say which objects existed before; in a pipe, those count that arrive without a pause.
///
/// Logs ERROR events. Threads: see Player.
class StreamPlayer final : public Player {
 public:
  /// `name` is the name of the stream in messages. `time.version` must not be set. `clock` must
  /// outlive this object.
  StreamPlayer(std::unique_ptr<StreamInput> input, std::string name, PlayedTime time,
               ReplayClock& clock);

  const std::string& name() const { return name_; }
  /// See StreamReader::types().
  Result<std::vector<RecordedType>> types(const std::stop_token& stop) {
    return reader_.types(stop);
  }
  /// Logs which types are skipped, because they were not among types().
  void take_all_types() { takes_all_types_ = true; }
  /// Adds a source. It must outlive the last call of advance(), and this object must outlive it.
  std::unique_ptr<ListerWatcher> add_source(StreamSelection selection);

  ReplayClock& clock() override { return clock_; }
  Result<std::optional<Clock::Wall>> next_time(const std::stop_token& stop) override;
  /// Errors: internal; protocol, for text that is no such stream or was cut; usage, if an object
  /// has no time, which `time` needs.
  Result<bool> advance(const std::stop_token& stop) override;
  bool has_listed() const override { return has_listed_; }
  bool has_pending() const override;

 private:
  Result<bool> read_list(const std::stop_token& stop);
  Result<bool> play_next(const std::stop_token& stop);
  /// Plays the differences that a later list found, as far as they have arrived, as one list.
  Result<bool> play_relist(const std::stop_token& stop);
  /// Returns whether the item, which comes before all changes, belongs to the first list.
  bool is_listed(const StreamItem& item) const;
  /// Returns whether the item is later than the end.
  bool is_over(const StreamItem& item) const;
  Result<void> check_time(const StreamItem& item) const;
  /// Calls `act` for the sources of the type of `item`. Notes the time of the item.
  template <class Act>
  Result<void> for_sources(const StreamItem& item, Act act);
  void report_skipped(const StreamItem& item);
  /// Plays what is left. Returns false if nothing is.
  bool finish();

  StreamReader reader_;
  const std::string name_;
  const PlayedTime time_;
  ReplayClock& clock_;
  std::vector<StreamSource*> sources_;
  bool has_listed_ = false;
  std::optional<Error> failed_;  ///< follows the first list
  bool takes_all_types_ = false;
  std::set<std::string> skipped_;  ///< kinds that were reported
};

}  // namespace kinf
