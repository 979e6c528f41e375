// SPDX-License-Identifier: Apache-2.0
// The JSON that API servers send: objects, lists, events of watches, and failures.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "kinf/api/group_version_resource.h"
#include "kinf/base/error.h"
#include "sim/etcd.h"

namespace kinf::sim {

/// The type of all simulated objects.
inline const ResourceType kSimType{{"", "v1", "configmaps"}, "ConfigMap", "configmap", true};

/// Returns the number at the beginning of `text`; 0 if there is none.
std::uint32_t number_of(std::string_view text);
std::string name_of(std::size_t object);
std::string namespace_of(std::size_t object);
std::string key_of(std::size_t object);
/// Returns the number of the object with this name; kObjects if there is none.
std::size_t object_of(std::string_view name);

/// Returns the value of an object's document.
std::uint32_t value_of(std::string_view document);

/// `revision` replaces that of `version`: the last state of a deleted object has its own.
std::string object_document(std::size_t object, const Version& version, std::uint32_t revision);
/// The items of a list have no kind and no apiVersion.
std::string item_document(std::size_t object, const Version& version);
std::string list_document(std::uint32_t revision, std::string_view token, std::string_view items);
std::string event_document(std::string_view type, std::string_view object);
std::string bookmark_document(std::uint32_t revision, bool initial_events_end);

/// Returns the event that `revision` is for a watch; nullopt if the watch does not see it.
std::optional<std::string> event_of(const Etcd& etcd, std::uint32_t revision, bool red_only);

/// A Status with this code. 410 is Expired, 504 a resourceVersion that is too large.
std::string status_document(int code);
/// The same as the response to a request.
Error status_failure(int code);

}  // namespace kinf::sim
