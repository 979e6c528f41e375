// SPDX-License-Identifier: Apache-2.0
// Decodes objects that clients send as protobuf. Typed Go clients do so by default, for example in
// `kubectl create deployment`. Responses are always JSON.
#pragma once

#include <string_view>

#include "kinf/sandbox/api/api_errors.h"

namespace kinf::sandbox {

constexpr std::string_view kProtobufType = "application/vnd.kubernetes.protobuf";

/// Returns the object as JSON. Fails with 400 if the bytes are damaged, and with 415 if the sandbox
/// does not know the kind or a field, so that no data is lost silently.
ApiResult<Json> object_from_protobuf(std::string_view body);

}  // namespace kinf::sandbox
