// SPDX-License-Identifier: Apache-2.0
// Notification: one thing a handler is to be told.
#pragma once

#include <string>
#include <variant>

#include "kinf/api/event_handler.h"

namespace kinf {

using Notification = std::variant<AddEvent, UpdateEvent, DeleteEvent, SyncedEvent>;

/// A notification with its address.
struct Change {
  Notification notification;
  /// Nothing changed: only for handlers whose resync is due.
  bool is_sync = false;
};

/// The key of the object concerned; empty for SyncedEvent.
inline std::string key_of(const Notification& notification) {
  if (const auto* add = std::get_if<AddEvent>(&notification)) return add->object->key();
  if (const auto* update = std::get_if<UpdateEvent>(&notification)) return update->object->key();
  if (const auto* removal = std::get_if<DeleteEvent>(&notification)) return removal->key;
  return {};
}

}  // namespace kinf
