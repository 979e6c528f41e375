// SPDX-License-Identifier: Apache-2.0
// StreamItem: one object or event of a stream of JSON documents.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "kinf/api/change.h"

namespace kinf {

enum class StreamItemType {
  object,  ///< an object without an event; it was added or changed
  added,
  modified,
  deleted,
  list_end,  ///< the BOOKMARK after the initial list
  error,     ///< an ERROR event; its object is a Status
};

struct StreamItem {
  StreamItemType type = StreamItemType::object;
  std::string json;  ///< the object
  std::string api_version{};
  std::string kind{};
  /// What follows is known only if kinf wrote the event.
  std::string resource{};                ///< `deployments.apps`
  std::string manager{};                 ///< see Object::manager()
  std::optional<ChangeSource> source{};  ///< `list` also for the items of a List
  std::optional<Clock::Wall> time{};
  bool final_state_unknown = false;
  std::uint64_t line = 0;    ///< where its text begins; the first line is 1
  std::uint64_t number = 0;  ///< the first object is 1

  /// Returns `line 3 (object 2)`.
  std::string place() const;
};

}  // namespace kinf
