// SPDX-License-Identifier: Apache-2.0
// LiveServer: a small API server for `kinf demo --live`, without sockets. Holds pods, counts
// versions, answers lists and watches, remembers changes, and fails on request.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/api/lister_watcher.h"

namespace kinf {

/// Threads: one.
class LiveServer final : public ListerWatcher {
 public:
  /// Called with a sentence for each request and answer.
  using Tell = std::function<void(std::string sentence)>;

  LiveServer(Clock& clock, Tell tell) : clock_(clock), tell_(std::move(tell)) {}

  /// Creates the next pod. Returns its name.
  std::string add_pod();
  /// Changes the phase of the pod that was changed least recently. Returns its name, or an empty
  /// string if there is no pod.
  std::string update_pod();
  /// Deletes the oldest pod. Returns its name, or an empty string if there is no pod.
  std::string delete_pod();
  /// Forgets all earlier changes, and ends an open watch with 410. Returns whether one was open.
  bool expire();
  /// Breaks the connection and refuses new ones for `lasting`.
  void cut(Clock::Duration lasting);

  std::string version() const { return std::to_string(version_); }
  std::string oldest() const { return std::to_string(oldest_); }
  std::size_t size() const { return pods_.size(); }
  bool is_down() const { return clock_.now() < down_until_; }
  bool is_watched() const { return open_ == Open::watch; }
  bool is_listed() const { return open_ == Open::list; }
  /// How the last request ended.
  enum class LastEnd { none, listed, list_failed, watch_failed, expired };
  LastEnd last_end() const { return last_end_; }
  /// Returns the recent requests and their outcomes, oldest first.
  std::vector<std::string> requests() const;
  /// Returns the last failure. Empty if there was none.
  const std::string& last_error() const { return last_error_; }

  std::unique_ptr<ListCall> list(const ListOptions& options, ListSink& sink) override;
  std::unique_ptr<WatchCall> watch(const ListOptions& options) override;
  void wait(Clock::Mono deadline, const std::stop_token& stop) override {
    (void)deadline, (void)stop;  // the diagram calls step() again
  }
  void wake() override {}
  bool supports_watch_list() const override { return false; }
  std::string description() const override { return "pods"; }

 private:
  class Listing;
  class Watching;
  enum class Open { none, list, watch };
  struct Request {
    std::string text;
    std::string outcome;
  };

  /// Stores a new state of a pod and remembers the change.
  void change(WatchEventType type, int number, std::string_view phase);
  void begin(Open open, std::string text);
  void outcome(std::string text) { requests_.back().outcome = std::move(text); }
  Error failed(Error error);

  Clock& clock_;
  const Tell tell_;
  int last_pod_ = 0;
  std::uint64_t version_ = 0;
  std::uint64_t oldest_ = 0;
  std::map<int, ObjectPtr> pods_;  ///< by number
  std::deque<WatchEvent> history_;
  bool is_expiring_ = false;  ///< the open watch gets a 410 next
  bool is_cutting_ = false;   ///< the open request breaks next
  Clock::Mono down_until_{};
  Open open_ = Open::none;
  std::deque<Request> requests_;
  std::string last_error_;
  LastEnd last_end_ = LastEnd::none;
};

}  // namespace kinf
