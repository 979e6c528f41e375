// SPDX-License-Identifier: Apache-2.0
// One field out of an object's document, for the few questions that the facts an Object keeps
// ready do not answer.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "kinf/api/object.h"

namespace kinf {

/// The text at the end of a path of member names: a string without its quotes, anything else but
/// null as it is written. Empty if a step is missing or the document cannot be read.
/// Threads: any.
std::optional<std::string> object_field(const Object& object,
                                        std::span<const std::string_view> path);

}  // namespace kinf
