// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/api/http_responses.h"

#include <doctest/doctest.h>

#include <vector>

namespace kinf::sandbox {
namespace {

TEST_CASE("the first entry of an Accept header that can be served is chosen") {
  struct Case {
    const char* accept;
    const char* as;  ///< null: nothing can be served
  };
  constexpr const char* kTable = "application/json;as=Table;v=v1;g=meta.k8s.io";
  const std::string table_first = std::string(kTable) + ",application/json";
  for (const Case& each : std::vector<Case>{
           {"", ""},
           {"  ", ""},
           {"*/*", ""},
           {"application/json", ""},
           {"application/*;q=0.5", ""},
           {"application/vnd.kubernetes.protobuf, application/json", ""},
           {table_first.c_str(), "Table"},
           {"application/json; as=Table; g=meta.k8s.io; v=v1", "Table"},
           {"application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json", ""},
           {"application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io",
            "PartialObjectMetadataList"},
           {"application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList",
            "APIGroupDiscoveryList"},
           {"application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList", nullptr},
           {"application/vnd.kubernetes.protobuf", nullptr},
           {"text/html,application/yaml", nullptr},
       }) {
    const auto chosen = choose_media_type(each.accept);
    CHECK_MESSAGE(chosen.has_value() == (each.as != nullptr), each.accept);
    if (chosen && each.as != nullptr) CHECK_MESSAGE(chosen->as == each.as, each.accept);
  }
}

TEST_CASE("drop=metadata.managedFields is read, other fields of drop are ignored") {
  struct Case {
    const char* accept;
    bool drops;
  };
  for (const Case& each : std::vector<Case>{
           {"application/json", false},
           {"application/json;drop=metadata.managedFields", true},
           {"application/json; drop=metadata.managedFields; as=Table;v=v1;g=meta.k8s.io", true},
           {"application/json;drop=spec.other+metadata.managedFields", true},
           {"application/json;drop=spec.other", false},
           {"application/json;drop=metadata.managedfields", false},
           {"application/yaml;drop=metadata.managedFields,application/json", false},
       }) {
    CHECK_MESSAGE(choose_media_type(each.accept).value().drop_managed_fields == each.drops,
                  each.accept);
  }
}

TEST_CASE("the parameters of a Content-Type are dropped") {
  CHECK(bare_media_type("application/json; charset=utf-8") == "application/json");
  CHECK(bare_media_type(" application/merge-patch+json ") == "application/merge-patch+json");
  CHECK(bare_media_type("").empty());
}

}  // namespace
}  // namespace kinf::sandbox
