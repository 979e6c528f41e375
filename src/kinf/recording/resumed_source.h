// SPDX-License-Identifier: Apache-2.0
// ResumedSource: lets an informer continue the watch of an earlier session, whose objects and last
// resourceVersion are in a file. The first list is answered with them, without a request.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "kinf/api/lister_watcher.h"
#include "kinf/api/object_decoder.h"
#include "kinf/recording/recording_schema.h"

namespace kinf {

class RecordingReader;

/// What an earlier session knew of one scope (the selection of one informer).
struct EarlierState {
  std::vector<ObjectPtr> objects{};
  bool is_complete = false;  ///< false if that session ended before it had written all objects
  /// A watch from this version brings what is not in `objects`. Empty if the file has no such
  /// version.
  std::string resume_version{};

  bool can_resume() const { return is_complete && !resume_version.empty(); }
};

/// Reads the objects at the end of a recording. Opens the file once for all scopes.
/// Threads: one owner.
class EarlierObjects {
 public:
  EarlierObjects();
  ~EarlierObjects();

  /// Returns the objects of a scope. `type` is the id of its type in the file. `decode` sets which
  /// parts of the objects are kept.
  Result<std::vector<ObjectPtr>> load(const std::string& path, std::int64_t type,
                                      const RecordedScope& scope, const DecodeOptions& decode);
  /// Closes the file. While it is open, its log cannot be reset.
  void close();

 private:
  std::unique_ptr<RecordingReader> reader_;
};

/// Passes everything on to another source, except the first list. If the server has dropped the
/// version that the list claims, the watch fails, and the informer lists again as after any watch
/// that expired.
/// Threads: like ListerWatcher.
class ResumedSource final : public ListerWatcher {
 public:
  ResumedSource(std::unique_ptr<ListerWatcher> source, std::vector<ObjectPtr> objects,
                std::string version)
      : source_(std::move(source)), objects_(std::move(objects)), version_(std::move(version)) {}

  std::unique_ptr<ListCall> list(const ListOptions& options, ListSink& sink) override;
  std::unique_ptr<WatchCall> watch(const ListOptions& options) override {
    if (options.send_initial_events) is_fresh_ = true;
    return source_->watch(options);
  }
  void wait(Clock::Mono deadline, const std::stop_token& stop) override {
    source_->wait(deadline, stop);
  }
  void wake() override { source_->wake(); }
  void set_held(HeldObjects held) override { source_->set_held(std::move(held)); }
  void reset_connections() override { source_->reset_connections(); }
  bool supports_watch_list() const override { return listed_ && source_->supports_watch_list(); }
  void give_up_watch_list() override { source_->give_up_watch_list(); }
  bool prefers_watch_list() const override { return listed_ && source_->prefers_watch_list(); }
  NewestFromMemory newest_from_memory() const override { return source_->newest_from_memory(); }
  bool has_fresh_list() const override { return is_fresh_; }
  std::unique_ptr<ListCall> newest_version(ListSink& sink) override {
    return source_->newest_version(sink);
  }
  std::optional<InformerIdentity> identity() const override { return source_->identity(); }
  std::string description() const override { return source_->description(); }

 private:
  class EarlierList;

  const std::unique_ptr<ListerWatcher> source_;
  std::vector<ObjectPtr> objects_;  ///< empty once they were listed
  const std::string version_;
  bool listed_ = false;
  bool is_fresh_ = true;  ///< the last list was not that of the earlier session
};

}  // namespace kinf
