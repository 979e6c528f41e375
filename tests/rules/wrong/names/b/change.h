// SPDX-License-Identifier: Apache-2.0
#pragma once
namespace kinf {
struct Change {
  long version = 0;
};
struct Other;
}  // namespace kinf
