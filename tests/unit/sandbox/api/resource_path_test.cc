// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/api/api_types.h"

#include <doctest/doctest.h>

namespace kinf::sandbox {
namespace {

/// `resource|namespace|name|subresource`, `no resource` or `no group`.
std::string resolved(const std::string& path) {
  static const ApiTypes types;
  const ResolvedPath result = resolve_path(types, path);
  if (!result.resource) return result.has_group ? "no resource" : "no group";
  return result.resource->type->gvr.group_resource() + "|" + result.resource->ns + "|" +
         result.resource->name + "|" + result.resource->subresource;
}

TEST_CASE("paths lead to collections, objects and subresources") {
  struct Case {
    const char* path;
    const char* leads_to;
  };
  for (const Case& each : std::vector<Case>{
           {"/api/v1/pods", "pods|||"},
           {"/api/v1/namespaces/shop/pods", "pods|shop||"},
           {"/api/v1/namespaces/shop/pods/web", "pods|shop|web|"},
           {"/api/v1/namespaces/shop/pods/web/status", "pods|shop|web|status"},
           {"/apis/apps/v1/namespaces/shop/deployments/web/scale",
            "deployments.apps|shop|web|scale"},
           {"/api/v1/namespaces", "namespaces|||"},
           {"/api/v1/namespaces/shop", "namespaces||shop|"},
           {"/api/v1/namespaces/shop/status", "namespaces||shop|status"},
           {"/api/v1/namespaces/shop/finalize", "namespaces||shop|finalize"},
           {"/api/v1/nodes/n1", "nodes||n1|"},
           {"//api//v1/nodes/n1/", "nodes||n1|"},
           {"/api/v1/widgets", "no resource"},
           {"/api/v1/pods/web", "no resource"},
           {"/api/v1/namespaces/shop/nodes", "no resource"},
           {"/api/v1/namespaces/shop/pods/web/status/more", "no resource"},
           {"/apis/example.com/v1/widgets", "no group"},
           {"/apis/apps/v1", "no group"},
           {"/metrics", "no group"},
           {"/", "no group"},
       }) {
    CHECK_MESSAGE(resolved(each.path) == each.leads_to, each.path);
  }
}

}  // namespace
}  // namespace kinf::sandbox
