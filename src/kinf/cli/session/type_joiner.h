// SPDX-License-Identifier: Apache-2.0
// TypeJoiner: finds the types that a server gets or loses while a command reads all its types.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "kinf/api/event_handler.h"
#include "kinf/api/group_version_resource.h"
#include "kinf/base/clock.h"
#include "kinf/base/error.h"

namespace kinf {

/// Asks the server for its types when a CustomResourceDefinition or an APIService changes, and when
/// a type cannot be found any more: at once, and then after growing pauses, because a server offers
/// a new type some seconds after its definition. Without such changes, it asks after
/// kWatchedPeriod, or kPeriod if the command does not read the definitions. Starts and stops no
/// informers. Threads: one owner; any thread may call note_change() and the handler.
class TypeJoiner {
 public:
  static constexpr std::chrono::milliseconds kSoon{500};
  /// The minimum time between two requests, for definitions that change all the time.
  static constexpr std::chrono::seconds kLeastPause{2};
  static constexpr std::chrono::minutes kPeriod{1};
  static constexpr std::chrono::minutes kWatchedPeriod{5};

  /// Returns the types that the server has now. May block on requests.
  using AskTypes = std::function<Result<std::vector<ResourceType>>()>;
  struct Difference {
    std::vector<ResourceType> come;
    std::vector<GroupVersionResource> gone;
  };

  /// `known`: the types that the command knows. Calls `changed` from any thread when is_due() must
  /// be called again. `clock` must outlive this object.
  TypeJoiner(const std::vector<GroupVersionResource>& known, AskTypes ask, Clock& clock,
             std::function<void()> changed);

  /// Returns whether objects of the type say which types the server has.
  static bool is_definition(const GroupVersionResource& type);

  /// Returns the handler for the informers of definitions.
  EventHandler& handler() { return handler_; }
  /// Notes that the types may have changed.
  void note_change();
  /// Returns whether update() must be called now.
  bool is_due();
  /// Returns when is_due() must be called next, even if nothing changes.
  Clock::Mono due() const { return due_; }
  /// Asks the server, and returns what has changed since the last call. A type is gone if it is one
  /// of `lost`, which the server does not find, and the server does not name it: a server that is
  /// only out of order still finds its types. Returns each new type once, also if it cannot be
  /// read. `watched`: the informers of the definitions are running. If the server does not answer,
  /// returns nothing.
  Difference update(const std::vector<GroupVersionResource>& lost, bool watched);

 private:
  const AskTypes ask_;
  Clock& clock_;
  const std::function<void()> changed_;
  FunctionHandler handler_;
  std::atomic<bool> is_changed_ = false;
  std::map<std::string, GroupVersionResource> known_;  ///< by resource and group
  Clock::Duration pause_ = kSoon * 16;
  Clock::Mono asked_;
  Clock::Mono due_;
  bool is_full_ = false;  ///< it was reported that there are too many types
};

}  // namespace kinf
