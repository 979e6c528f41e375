// SPDX-License-Identifier: Apache-2.0
#include "kinf/query/merge_keys.h"

#include <doctest/doctest.h>

#include <string>
#include <utility>

namespace kinf {
namespace {

TEST_CASE("lists of Kubernetes objects have the merge keys of the strategic merge patch") {
  for (const auto& [field, key] : {std::pair<std::string, std::string>{"containers", "name"},
                                   {"initContainers", "name"},
                                   {"ephemeralContainers", "name"},
                                   {"containerStatuses", "name"},
                                   {"volumes", "name"},
                                   {"env", "name"},
                                   {"imagePullSecrets", "name"},
                                   {"conditions", "type"},
                                   {"volumeMounts", "mountPath"},
                                   {"volumeDevices", "devicePath"},
                                   {"ownerReferences", "uid"},
                                   {"hostAliases", "ip"},
                                   {"podIPs", "ip"}}) {
    CAPTURE(field);
    REQUIRE(merge_keys(field).size() == 1);
    CHECK(merge_keys(field)[0].first == key);
    CHECK(merge_keys(field)[0].second.empty());
  }
  REQUIRE(merge_keys("ports").size() == 2);
  CHECK(merge_keys("ports")[0].first == "containerPort");
  CHECK(merge_keys("ports")[1].first == "port");
  CHECK(merge_keys("ports")[1].second == "protocol");
  CHECK(merge_keys("tolerations")[0].second == "effect");
}

TEST_CASE("other lists have none") {
  for (const char* field : {"", "args", "rules", "zzz", "container", "finalizers"}) {
    CHECK(merge_keys(field).empty());
  }
  CHECK(is_set("finalizers"));
  CHECK_FALSE(is_set("args"));
}

}  // namespace
}  // namespace kinf
