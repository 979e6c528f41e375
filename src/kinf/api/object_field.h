// SPDX-License-Identifier: Apache-2.0
// object_field(): reads one field of an object's document, for fields that Object does not extract.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "kinf/api/object.h"

namespace kinf {

/// Returns the value at a path of member names: a string without quotes and escapes, any other
/// value as JSON text. Returns nullopt if the value is null or missing, or if the document cannot
/// be read.
/// Threads: any.
std::optional<std::string> object_field(const Object& object,
                                        std::span<const std::string_view> path);

}  // namespace kinf
