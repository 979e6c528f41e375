// SPDX-License-Identifier: Apache-2.0
// StreamPlayer: plays a stream of JSON through informers. It may be a pipe that stays open; the
// changes then appear as they arrive.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "kinf/api/group_version_resource.h"
#include "kinf/api/object_decoder.h"
#include "kinf/recording/play/player.h"
#include "kinf/recording/play/recording_player.h"
#include "kinf/recording/play/stream_decoder.h"
#include "kinf/recording/play/stream_reader.h"

namespace kinf {

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

class StreamSource;

/// The first list has the objects at the start of the stream, up to the first change. kubectl does
/// not say which objects existed before. In a pipe, these are the objects that arrive without a
/// pause.
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
  /// Errors: internal; protocol, for text that is not such a stream or was cut; usage, if an object
  /// has no time, which `time` needs.
  Result<bool> advance(const std::stop_token& stop) override;
  bool has_listed() const override { return has_listed_; }
  bool has_pending() const override;

 private:
  Result<bool> read_list(const std::stop_token& stop);
  Result<bool> play_next(const std::stop_token& stop);
  /// Plays the differences that a later list found and that have arrived, as one list.
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
  /// Plays what is left. Returns false if nothing is left.
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
