// SPDX-License-Identifier: Apache-2.0
// RecordedType: a resource type in a recording, with the other names that users know it by.
#pragma once

#include <string>
#include <vector>

#include "kinf/api/group_version_resource.h"

namespace kinf {

struct RecordedType {
  ResourceType type;
  std::vector<std::string> short_names;
  std::vector<std::string> categories;
};

}  // namespace kinf
