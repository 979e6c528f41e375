// SPDX-License-Identifier: Apache-2.0
// Objects that a client sends as protobuf, which is what the typed clients of Go do if nobody tells
// them otherwise: `kubectl create deployment` among them. Answers are always JSON.
#pragma once

#include <string_view>

#include "kinf/sandbox/api/api_errors.h"

namespace kinf::sandbox {

constexpr std::string_view kProtobufType = "application/vnd.kubernetes.protobuf";

/// The object as JSON. 400 for bytes that are damaged; 415 for a kind or a field that the sandbox
/// does not know as protobuf, so that nothing is lost in silence.
ApiResult<Json> object_from_protobuf(std::string_view body);

}  // namespace kinf::sandbox
