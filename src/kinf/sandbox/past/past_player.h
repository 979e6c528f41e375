// SPDX-License-Identifier: Apache-2.0
// PastPlayer: fills a sandbox with the state of a recording at one time, and plays the changes that
// follow.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <stop_token>
#include <string>
#include <thread>

#include "kinf/base/sync.h"
#include "kinf/recording/recorded_moment.h"
#include "kinf/recording/recording_reader.h"
#include "kinf/sandbox/api/api_types.h"
#include "kinf/sandbox/past/past_clock.h"
#include "kinf/sandbox/store/resource_store.h"

namespace kinf::sandbox {

struct PastOptions {
  RecordedMoment moment{};
  bool plays = false;
  double speed = 1;
  /// Called on the player's thread when the end of the recording is reached. May be empty.
  std::function<void()> on_end{};
  std::stop_token stop{};  ///< ends open(), with the error `stopped`
};

/// Threads: any thread may call start(). Call the other functions from one thread. A background
/// thread plays the changes.
class PastPlayer {
 public:
  /// Loads the types and the state of the recording `path` into `types` and `store`, and sets
  /// `clock`. These three must outlive the player. Errors: see RecordingReader::open() and
  /// find_moment().
  static Result<std::unique_ptr<PastPlayer>> open(const std::string& path, PastOptions options,
                                                  ResourceStore& store, ApiTypes& types,
                                                  PastClock& clock);
  ~PastPlayer();
  PastPlayer(const PastPlayer&) = delete;
  PastPlayer& operator=(const PastPlayer&) = delete;

  /// Starts to play if PastOptions::plays is true. Idempotent.
  void start();
  /// Stops the background thread. Later calls of start() do nothing.
  void stop();

  /// Returns the namespace of the command that made the recording, or `default` if the command had
  /// no single namespace.
  std::string default_namespace() const;

 private:
  PastPlayer(std::unique_ptr<RecordingReader> reader, PastOptions options, ResourceStore& store,
             ApiTypes& types, PastClock& clock)
      : reader_(std::move(reader)),
        options_(std::move(options)),
        store_(store),
        types_(types),
        clock_(clock) {}

  Result<void> load();
  /// Adds the objects of one type to `objects`, and raises `version` to their newest version.
  Result<ApiType> load_type(std::int64_t id, const RecordedType& recorded,
                            std::vector<LoggedObject>& objects, std::uint64_t& version);
  Result<StoredPtr> stored(const ResourceType& type, const FoundVersion& version,
                           const VersionText& parts) const;
  void play(const std::stop_token& stop);
  Result<bool> play_all(const std::stop_token& stop);
  Result<void> apply(const RecordedVersion& version);
  /// Adds the namespace of an object. Does nothing if the recording contains the namespaces
  /// themselves.
  void ensure_namespace(const std::string& name);
  void report_gaps(Clock::Wall time);

  const std::unique_ptr<RecordingReader> reader_;
  PastOptions options_;
  ResourceStore& store_;
  ApiTypes& types_;
  PastClock& clock_;
  FoundMoment begin_;
  GapNotices gaps_;
  std::map<std::int64_t, std::string> keys_;  ///< storage key of each type, by its recorded id
  bool invents_namespaces_ = false;
  std::set<std::string> namespaces_;  ///< namespaces that were added
  Mutex mu_;
  bool stopped_ KINF_GUARDED_BY(mu_) = false;
  std::jthread thread_ KINF_GUARDED_BY(mu_);
};

}  // namespace kinf::sandbox
