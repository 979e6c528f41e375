// SPDX-License-Identifier: Apache-2.0
#pragma once
namespace kinf {
struct Change {
  int version = 0;
};
struct Other;
}  // namespace kinf
