// SPDX-License-Identifier: Apache-2.0
// Writes a PipelinePicture as JSON, for `kinf demo --keys`. A pure function.
#pragma once

#include <string>

#include "kinf/demo/pipeline_picture.h"

namespace kinf {

/// Returns one line: an object with the members of PipelinePicture and `key`, the key that led
/// here (empty: none).
std::string picture_json(const PipelinePicture& picture, const std::string& key);

}  // namespace kinf
