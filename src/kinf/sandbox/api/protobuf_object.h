// SPDX-License-Identifier: Apache-2.0
// Decodes objects that clients send as protobuf, as typed Go clients do by default (`kubectl create
// deployment`, for example). Responses are always JSON.
#pragma once

#include <string_view>

#include "kinf/sandbox/api/api_errors.h"

namespace kinf::sandbox {

constexpr std::string_view kProtobufType = "application/vnd.kubernetes.protobuf";

/// Returns the object as JSON. 400 for damaged bytes; 415 for a kind or field that the sandbox does
/// not know, so that no data is lost silently.
ApiResult<Json> object_from_protobuf(std::string_view body);

}  // namespace kinf::sandbox
