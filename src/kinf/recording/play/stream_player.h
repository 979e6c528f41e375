// SPDX-License-Identifier: Apache-2.0
// StreamPlayer: plays a stream of JSON to informers. If the stream is a pipe that stays open, the
// changes appear as they arrive.
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
  std::string cells;  ///< the text of a JSON array; empty if there is no row
  std::shared_ptr<const TableColumns> columns;
};

/// The objects that one informer reads.
struct StreamSelection {
  ResourceType type;
  std::string ns;    ///< empty means all namespaces
  std::string name;  ///< empty means all objects
  DecodeOptions decode;
  std::string description;  ///< describes the source in messages
  /// Returns the row of an item. If this function is empty, objects have no rows.
  std::function<StreamRow(const StreamItem& item)> row{};
};

class StreamSource;

/// Plays a stream of JSON to informers. The first list has the objects at the start of the stream,
/// up to the first change. The output of kubectl does not show where its list ends. Therefore, in a
/// pipe, the first list also ends at the first pause.
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
  /// Makes the player log the kinds of objects that it skips. Call this if there is a source for
  /// each of types().
  void take_all_types() { takes_all_types_ = true; }
  /// Adds a source. The source must outlive the last call of advance(), and the player must outlive
  /// the source.
  std::unique_ptr<ListerWatcher> add_source(StreamSelection selection);

  ReplayClock& clock() override { return clock_; }
  Result<std::optional<Clock::Wall>> next_time(const std::stop_token& stop) override;
  /// Errors: internal; protocol, if the text is not such a stream or ends within a document; usage,
  /// if an object has no time, but PlayedTime needs it.
  Result<bool> advance(const std::stop_token& stop) override;
  bool has_listed() const override { return has_listed_; }
  bool has_pending() const override;

 private:
  Result<bool> read_list(const std::stop_token& stop);
  Result<bool> play_next(const std::stop_token& stop);
  /// Plays the changes that a relist found as one new list. Includes only changes that have already
  /// arrived.
  Result<bool> play_relist(const std::stop_token& stop);
  /// Returns whether `item` belongs to the first list. Call it only if all items before `item` do.
  bool is_listed(const StreamItem& item) const;
  /// Returns whether the item is later than the end of time_.
  bool is_over(const StreamItem& item) const;
  Result<void> check_time(const StreamItem& item) const;
  /// Sets the clock to the time of `item`. Calls `act` for each source of the item's type.
  template <class Act>
  Result<void> for_sources(const StreamItem& item, Act act);
  void report_skipped(const StreamItem& item);
  /// Logs that the stream ends before the moment from which it is to be played, if it does.
  void report_early_end() const;
  /// Plays the deletions that are held back for a next item. Returns false if the sources have
  /// nothing left.
  bool finish();

  StreamReader reader_;
  const std::string name_;
  const PlayedTime time_;
  ReplayClock& clock_;
  std::vector<StreamSource*> sources_;
  bool has_listed_ = false;
  std::optional<Clock::Wall> last_time_;  ///< of the last item that had one
  std::optional<Error> failed_;           ///< the error to return after the first list
  bool takes_all_types_ = false;
  std::set<std::string> skipped_;  ///< the kinds that report_skipped() has logged
};

}  // namespace kinf
