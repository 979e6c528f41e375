// SPDX-License-Identifier: Apache-2.0
// The diagram's API server, without sockets. LiveCluster holds the pods. A LiveServer answers the
// requests of one client.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/api/lister_watcher.h"
#include "kinf/demo/live/pipeline_picture.h"

namespace kinf {

/// The pods of the diagram's API server. Counts versions and remembers changes.
/// Threads: not thread-safe.
class LiveCluster {
 public:
  /// Creates the next pod. Returns its name.
  std::string add_pod();
  /// Changes the phase of the pod that was changed least recently. Returns its name, or an empty
  /// string if there is no pod.
  std::string update_pod();
  /// Deletes the oldest pod. Returns its name, or an empty string if there is no pod.
  std::string delete_pod();
  /// Adds the label checked=yes to a pod, if it exists.
  void label_pod(std::string_view name);
  /// Drops the history of changes, so that no watch can resume from an older version.
  void forget_changes();

  std::uint64_t version() const { return version_; }
  /// Returns the first version from which a watch can resume.
  std::uint64_t oldest() const { return oldest_; }
  std::size_t size() const { return pods_.size(); }
  /// Returns the pods, the oldest first.
  std::vector<ObjectPtr> pods() const;
  /// Returns the first change after `version`, or null.
  const WatchEvent* change_after(std::uint64_t version) const;

 private:
  /// Stores a new state of a pod and remembers the change.
  void change(WatchEventType type, int number, std::string_view phase, bool is_labelled);

  int last_pod_ = 0;
  std::uint64_t version_ = 0;
  std::uint64_t oldest_ = 0;
  std::map<int, ObjectPtr> pods_;  ///< pods by number
  std::deque<WatchEvent> history_;
};

/// Returns whether a pod has the label that label_pod() adds.
bool has_checked_label(const Object& pod);
/// Returns the resourceVersion of an object as a number.
std::uint64_t version_of(const Object& object);

/// The API server for one client. Answers lists and watches from a LiveCluster and keeps a log of
/// the requests. expire() and cut() make requests fail. Threads: not thread-safe.
class LiveServer final : public ListerWatcher {
 public:
  /// Called with a sentence for each request and answer.
  using Tell = std::function<void(std::string sentence)>;

  /// `client` is the client's name in the sentences, such as `The reflector`. The references must
  /// outlive this object.
  LiveServer(const LiveCluster& cluster, Clock& clock, std::string client, Tell tell)
      : cluster_(cluster), clock_(clock), client_(std::move(client)), tell_(std::move(tell)) {}

  /// Ends an open watch with 410. Returns whether a watch was open.
  bool expire();
  /// Breaks the connection and refuses new connections for the time `lasting`.
  void cut(Clock::Duration lasting);

  /// Returns the state of the client. `version` is the last version that the client has received.
  /// `request_at` is the time of its next request, if that is known.
  PipelinePicture::Reflector client(const std::string& version, Clock::Mono request_at) const;
  /// Returns the recent requests and their outcomes, oldest first.
  std::vector<std::string> requests() const;
  /// Adds a write to the log of requests.
  void log_write(std::string text, std::string outcome);
  /// Returns how many pods the server has sent in lists and events.
  std::uint64_t pods_sent() const { return pods_sent_; }

  std::unique_ptr<ListCall> list(const ListOptions& options, ListSink& sink) override;
  std::unique_ptr<WatchCall> watch(const ListOptions& options) override;
  void wait(Clock::Mono deadline, const std::stop_token& stop) override {
    (void)deadline, (void)stop;  // nothing to wait for, because the diagram calls step() again
  }
  void wake() override {}
  bool supports_watch_list() const override { return false; }
  std::string description() const override { return "pods"; }

 private:
  class Listing;
  class Watching;
  enum class Open { none, list, watch };
  /// How the last request ended.
  enum class LastEnd { none, listed, list_failed, watch_failed, expired };
  struct Request {
    std::string text;
    std::string outcome;
  };

  void begin(Open open, std::string text);
  void outcome(std::string text) { requests_.back().outcome = std::move(text); }
  Error failed(Error error);
  std::string activity(const std::string& version) const;
  std::string back_off(Clock::Mono request_at) const;
  bool is_watched() const { return open_ == Open::watch; }
  bool is_listed() const { return open_ == Open::list; }
  bool is_down() const { return clock_.now() < down_until_; }

  const LiveCluster& cluster_;
  Clock& clock_;
  const std::string client_;
  const Tell tell_;
  bool is_expiring_ = false;  ///< the next poll() of the open watch returns a 410
  bool is_cutting_ = false;   ///< the next poll() of the open request fails
  Clock::Mono down_until_{};
  Open open_ = Open::none;
  std::deque<Request> requests_;
  std::uint64_t lists_ = 0;
  std::uint64_t watches_ = 0;
  std::uint64_t events_ = 0;
  std::uint64_t pods_sent_ = 0;
  std::string last_error_;
  LastEnd last_end_ = LastEnd::none;
};

}  // namespace kinf
