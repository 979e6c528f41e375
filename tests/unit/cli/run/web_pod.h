// SPDX-License-Identifier: Apache-2.0
// web_pod: versions of one pod, whose key is kWeb, for tests of what a run knows about objects.
#pragma once

#include <string>
#include <utility>

#include "fakes/object_builder.h"
#include "kinf/cli/run/pending_changes.h"

namespace kinf::test {

inline const RunKey kWeb{nullptr, "default/web"};

inline ObjectPtr web_pod(std::string version, std::string uid = "u1") {
  ObjectSpec spec;
  spec.name = "web";
  spec.rv = std::move(version);
  spec.uid = std::move(uid);
  return make_object(spec);
}

}  // namespace kinf::test
