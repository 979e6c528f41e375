// SPDX-License-Identifier: Apache-2.0
#include "kinf/kubernetes/merge_keys.h"

#include <doctest/doctest.h>

#include <string>
#include <utility>

namespace kinf {
namespace {

bool is_merged(std::string_view name, std::string_view parent) {
  const ListField* list = find_list(name, parent);
  return list != nullptr && list->is_merged;
}

bool has_owners(std::string_view name, std::string_view parent, std::string_view kind = {}) {
  const ListField* list = find_list(name, parent, kind);
  return list != nullptr && list->has_owners;
}

}  // namespace

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
    REQUIRE_FALSE(lists_named(field).empty());
    for (const ListField& list : lists_named(field)) {
      CHECK(list.key->first == key);
      CHECK(list.key->second.empty());
    }
  }
  CHECK(find_list("tolerations", "spec")->key->second == "effect");
}

TEST_CASE("the ports of a container and of a service have different keys, other ports have none") {
  CHECK(find_list("ports", "containers")->key->first == "containerPort");
  CHECK(find_list("ports", "spec")->key->first == "port");
  CHECK(find_list("ports", "spec")->key->second == "protocol");
  CHECK(find_list("ports", "") == nullptr);         // of an EndpointSlice
  CHECK(find_list("ports", "ingress") == nullptr);  // of a NetworkPolicy
  CHECK(default_in_key("protocol") == "TCP");
}

TEST_CASE("a list that a patch merges can still have one owner, and the other way round") {
  CHECK(is_merged("hostIPs", "status"));
  CHECK_FALSE(has_owners("hostIPs", "status"));
  CHECK(is_merged("conditions", "status"));
  CHECK(has_owners("conditions", "status", "Pod"));
  CHECK_FALSE(has_owners("conditions", "status", "Job"));
  CHECK_FALSE(is_merged("claims", "resources"));
  CHECK(has_owners("claims", "resources"));
}

TEST_CASE("what is around a list decides about lists with one name") {
  CHECK(is_merged("finalizers", "metadata"));
  CHECK_FALSE(is_merged("finalizers", "spec"));  // of a namespace
  CHECK(is_merged("imagePullSecrets", "spec"));
  CHECK_FALSE(is_merged("imagePullSecrets", ""));  // of a service account
  CHECK_FALSE(is_merged("addresses", "subsets"));  // of Endpoints
}

TEST_CASE("other lists have no key") {
  for (const char* field : {"", "args", "rules", "zzz", "container"}) {
    CHECK(lists_named(field).empty());
  }
  CHECK(find_list("finalizers", "metadata")->key->first.empty());
}

}  // namespace kinf
