// SPDX-License-Identifier: Apache-2.0
// FakeListerWatcher: a source with a small simulated cluster: holds objects, counts versions,
// streams changes, fails on request, and records the requests. For tests that check the informer's
// results; ManualSource is for tests that answer each request themselves.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fakes/manual_source.h"
#include "kinf/api/lister_watcher.h"
#include "kinf/base/sync.h"

namespace kinf::test {

/// Threads: every call from any thread.
class FakeListerWatcher final : public ListerWatcher {
 public:
  explicit FakeListerWatcher(Clock& clock) : clock_(clock) {}

  // The cluster. Versions are 1, 2, 3, …; uids stay until an object is recreated.
  ObjectPtr add(const std::string& name);
  ObjectPtr modify(const std::string& name);
  ObjectPtr remove(const std::string& name);
  /// Creates the object again with another uid, without a DELETED event.
  ObjectPtr recreate_unseen(const std::string& name);
  std::vector<ObjectPtr> objects() const;
  std::string version() const;

  // Faults.
  /// Closes the open stream without an error.
  void cut();
  /// Drops the history: a watch from an older version gets 410.
  void expire();
  /// Ends the stream and refuses watches until reconnect().
  void disconnect();
  void reconnect();
  void list_error(const Error& error, int times = 1);
  void watch_error(const Error& error, int times = 1);
  /// Sends this event, whatever the state of the cluster.
  void send_raw(WatchEvent event);
  /// Closes each stream after its first event.
  void close_after_each_event(bool on);
  /// Accepts watches but sends nothing, or does not even accept them.
  void go_silent(bool on, bool accept = true);
  void offer_watch_list(bool mark_its_end);

  std::vector<AskedRequest> asked() const;
  std::size_t lists() const;
  std::size_t watches() const;
  int resets() const;

  std::unique_ptr<ListCall> list(const ListOptions& options, ListSink& sink) override;
  std::unique_ptr<WatchCall> watch(const ListOptions& options) override;
  void wait(Clock::Mono deadline, const std::stop_token& stop) override;
  void wake() override;
  void reset_connections() override;
  bool supports_watch_list() const override;
  std::string description() const override { return "pods"; }

 private:
  class Listing;
  class Watching;
  struct Failing {
    std::optional<Error> error;
    int times = 0;
    std::optional<Error> next();
  };

  ObjectPtr change(WatchEventType type, const std::string& name, bool send);
  void signal_locked() KINF_REQUIRES(mu_);

  Clock& clock_;
  mutable Mutex mu_;
  CondVar changed_;
  bool signalled_ KINF_GUARDED_BY(mu_) = false;
  std::uint64_t version_ KINF_GUARDED_BY(mu_) = 0;
  std::uint64_t uids_ KINF_GUARDED_BY(mu_) = 0;
  std::map<std::string, ObjectPtr> objects_ KINF_GUARDED_BY(mu_);
  std::deque<WatchEvent> history_ KINF_GUARDED_BY(mu_);
  std::uint64_t oldest_ KINF_GUARDED_BY(mu_) = 0;  ///< the oldest version a watch may start from
  std::uint64_t cuts_ KINF_GUARDED_BY(mu_) = 0;
  std::deque<WatchEvent> raw_ KINF_GUARDED_BY(mu_);
  Failing list_failing_ KINF_GUARDED_BY(mu_);
  Failing watch_failing_ KINF_GUARDED_BY(mu_);
  bool connected_ KINF_GUARDED_BY(mu_) = true;
  bool silent_ KINF_GUARDED_BY(mu_) = false;
  bool accepting_ KINF_GUARDED_BY(mu_) = true;
  bool close_after_event_ KINF_GUARDED_BY(mu_) = false;
  bool watch_list_ KINF_GUARDED_BY(mu_) = false;
  bool marks_end_ KINF_GUARDED_BY(mu_) = true;
  std::vector<AskedRequest> asked_ KINF_GUARDED_BY(mu_);
  int resets_ KINF_GUARDED_BY(mu_) = 0;
};

}  // namespace kinf::test
