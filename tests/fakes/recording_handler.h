// SPDX-License-Identifier: Apache-2.0
// RecordingHandler: records its calls as short texts: `ADDED a@1 initial`.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kinf/api/event_handler.h"
#include "kinf/base/sync.h"

namespace kinf::test {

/// Threads: every call from any thread.
class RecordingHandler : public EventHandler {
 public:
  void on_add(const Change& change) override {
    write(fmt::format("ADDED {}{}{}", named(change.object), change.initial ? " initial" : "",
                      change.recreated ? " recreated" : ""),
          change.origin.source);
  }
  void on_update(const Change& change) override {
    write(fmt::format("MODIFIED {}->{}", named(change.old), change.object->resource_version()),
          change.origin.source);
  }
  void on_delete(const Change& change) override {
    write(fmt::format("DELETED {}{}", change.object ? named(change.object) : change.key,
                      change.final_state_unknown ? " unknown" : ""),
          change.origin.source);
  }
  void on_known(const Change& known) override {
    write(fmt::format("KNOWN {}", named(known.object)), known.origin.source);
  }
  void on_synced(const SyncedEvent& event) override {
    write(fmt::format("SYNCED {}", event.objects), ChangeSource::list);
  }
  void on_idle() override {
    MutexLock lock(mu_);
    ++idles_;
    grown_.notify_all();
  }

  /// The calls since the last take().
  std::vector<std::string> take() {
    MutexLock lock(mu_);
    return std::exchange(lines_, {});
  }
  /// The same in alphabetical order, for calls whose order does not matter.
  std::vector<std::string> take_sorted() {
    std::vector<std::string> lines = take();
    std::ranges::sort(lines);
    return lines;
  }
  std::size_t count() const {
    MutexLock lock(mu_);
    return lines_.size();
  }
  int idles() const {
    MutexLock lock(mu_);
    return idles_;
  }
  /// Blocks until there are at least `lines` calls.
  void wait_for(std::size_t lines) {
    MutexLock lock(mu_);
    while (lines_.size() < lines) grown_.wait(mu_);
  }

 private:
  static std::string named(const ObjectPtr& object) {
    return fmt::format("{}@{}", object->name(), object->resource_version());
  }
  static std::string_view origin(ChangeSource source) {
    switch (source) {
      case ChangeSource::relist: return " (relist)";
      case ChangeSource::resync: return " (resync)";
      default: return "";
    }
  }
  void write(std::string line, ChangeSource source) {
    MutexLock lock(mu_);
    lines_.push_back(std::move(line).append(origin(source)));
    grown_.notify_all();
  }

  mutable Mutex mu_;
  CondVar grown_;
  std::vector<std::string> lines_ KINF_GUARDED_BY(mu_);
  int idles_ KINF_GUARDED_BY(mu_) = 0;
};

}  // namespace kinf::test
