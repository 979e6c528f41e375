// SPDX-License-Identifier: Apache-2.0
// PlayedSource: a ListerWatcher that answers from a recording, as RecordingPlayer plays it.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "kinf/recording/play/recording_player.h"
#include "kinf/recording/play/stepped_source.h"

namespace kinf {

/// What a later list brought is played as a list after an expired watch.
/// Threads: that of RecordingPlayer; wake() may be called from any thread.
class PlayedSource final : public SteppedSource {
 public:
  PlayedSource(RecordingPlayer& player, PlayedSelection selection, std::int64_t type,
               RecordedList first);

  /// Returns whether objects that it selects may have changed unseen in the gap.
  bool is_in(const RecordedGap& gap) const;
  bool selects(const RecordedVersion& version) const;
  /// Returns the `seq` after which its changes begin.
  std::int64_t begin() const { return first_.seq; }
  /// Returns when its first list arrived.
  Clock::Wall first_time() const { return first_.time; }
  /// Returns whether `version` is a part of its first list.
  bool begins_with(const RecordedVersion& version) const;
  /// Returns the `seq` of the last change that its last list brought.
  std::int64_t listed_until() const { return listed_until_; }
  /// Makes the list available. Errors: protocol; stopped.
  Result<void> load(const std::stop_token& stop);
  /// Makes a change available that a watch brought.
  Result<void> play_event(const RecordedVersion& version);
  /// Applies a change that a list brought. Call relist() after the last one.
  Result<void> apply(const RecordedVersion& version);

 private:
  /// An object that exists.
  struct Held {
    ObjectPtr object;
    std::int64_t seq = 0;
    bool is_faithful = false;  ///< `object` holds all of the recorded text
  };

  /// Returns the objects in the order of their last changes, or by key if the list is not a
  /// recorded one.
  std::vector<ObjectPtr> objects() const override;
  Result<ObjectPtr> hold(std::int64_t object, const FoundVersion& version, std::string_view text);
  void hold(StateObject object);
  /// Sets `text_` to the text of a version.
  Result<void> read_text(const RecordedVersion& version);

  RecordingPlayer& player_;
  const PlayedSelection selection_;
  const std::int64_t type_;
  const RecordedList first_;
  VersionDecoder decoder_;
  std::unordered_map<std::int64_t, Held> held_;
  std::int64_t listed_until_ = 0;
  std::string text_;
  std::string before_;
};

}  // namespace kinf
