// SPDX-License-Identifier: Apache-2.0
// ListOptions: the query parameters of a list or watch request (meta/v1 ListOptions). Empty
// parameters are not sent.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace kinf {

struct ListOptions {
  std::string label_selector;
  std::string field_selector;
  std::string resource_version;
  std::string resource_version_match;  ///< `NotOlderThan` or `Exact`
  std::int64_t limit = 0;              ///< objects per page; 0: all
  std::string continue_token;
  bool allow_watch_bookmarks = false;
  bool send_initial_events = false;             ///< watch only: the streaming list (KEP-3157)
  std::optional<std::chrono::seconds> timeout;  ///< the time after which the server ends the watch

  friend bool operator==(const ListOptions&, const ListOptions&) = default;
};

}  // namespace kinf
