// SPDX-License-Identifier: Apache-2.0
// SteppedSource: a ListerWatcher that returns the lists and events that its player queues one after
// the other.
#pragma once

#include <algorithm>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/api/lister_watcher.h"
#include "kinf/base/sync.h"

namespace kinf {

/// The base class of the sources of a Player. Lists after the first one are played as an expired
/// watch and a new list.
/// Threads: one owner, which also uses the results of list() and watch(); wake() may be called from
/// any thread.
class SteppedSource : public ListerWatcher {
 public:
  std::unique_ptr<ListCall> list(const ListOptions& options, ListSink& sink) override;
  std::unique_ptr<WatchCall> watch(const ListOptions& options) override;
  void wait(Clock::Mono deadline, const std::stop_token& stop) override;
  void wake() override;
  bool supports_watch_list() const override { return false; }
  std::string description() const override { return description_; }

  bool is_listed() const { return is_listed_; }
  bool has_pending() const { return list_ready_ || !pending_.empty(); }
  /// Queues an `expired` error for the watch, and marks a new list as ready. The informer then
  /// lists again, and finds the changes for which push() was not called.
  void relist();

 protected:
  /// `clock` must outlive this object.
  SteppedSource(Clock& clock, std::string description)
      : clock_(clock), description_(std::move(description)) {}

  /// Returns the objects of a map in the order of their `seq`. The values of the map have the
  /// members `object` and `seq`.
  template <class Held>
  static std::vector<ObjectPtr> in_order(const Held& held) {
    std::vector<const typename Held::mapped_type*> sorted;
    sorted.reserve(held.size());
    for (const auto& [key, one] : held) sorted.push_back(&one);
    std::ranges::sort(sorted, {}, [](const auto* one) { return one->seq; });
    std::vector<ObjectPtr> objects;
    objects.reserve(sorted.size());
    for (const auto* one : sorted) objects.push_back(one->object);
    return objects;
  }
  /// Returns the objects of a list, in their order.
  virtual std::vector<ObjectPtr> objects() const = 0;
  /// Marks the first list as ready. The informer's list call waits until then.
  void set_listed();
  /// Queues a watch event. `type` must be added, modified or deleted.
  void push(WatchEventType type, ObjectPtr object);
  /// Sets the newest resourceVersion to `version`, the version of an object, if `version` is
  /// higher. A version that is not a number always replaces the previous one.
  void note_version(std::string_view version);
  void set_version(std::string_view version) { version_ = version; }

 private:
  class List;
  class Watch;

  Clock& clock_;
  const std::string description_;
  std::deque<WatchEvent> pending_;
  bool is_listed_ = false;
  bool list_ready_ = false;
  std::string version_ = "1";  ///< the newest resourceVersion
  Mutex mu_;
  CondVar changed_;
  bool woken_ KINF_GUARDED_BY(mu_) = false;
};

}  // namespace kinf
