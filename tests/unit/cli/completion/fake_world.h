// SPDX-License-Identifier: Apache-2.0
// FakeWorld: a CompletionWorld with a few types, pods and contexts.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "kinf/api/object_decoder.h"
#include "kinf/cli/completion/completion_world.h"
#include "kinf/client/discovery.h"

namespace kinf::test {

class FakeWorld final : public CompletionWorld {
 public:
  FakeWorld() {
    add_type("", "pods", "Pod", {"po"});
    add_type("", "services", "Service", {"svc"});
    add_type("apps", "deployments", "Deployment", {"deploy"});
    add_type("metrics.k8s.io", "pods", "PodMetrics", {});
    add_type("", "bindings", "Binding", {});
    all_types.back().verbs = {"create"};
    add_pod("api-1", R"("labels":{"app":"api","tier":"back"})", R"("nodeName":"node-1")");
    add_pod("web-1",
            R"("labels":{"app":"web","tier":"front"},)"
            R"("annotations":{"example.com/team":"red","example.com/ports":"80,443"})",
            R"("nodeName":"node-2")");
  }

  std::vector<std::string> contexts() override { return {"prod", "stage"}; }
  std::vector<std::string> clusters() override { return {"east"}; }
  std::vector<std::string> users() override { return {"dev"}; }
  std::vector<Alias> aliases() override { return {{"mine", {"watch", "pods"}}}; }
  std::vector<ApiResource> types() override { return all_types; }
  std::vector<std::string> namespaces() override { return {"default", "kube-system", "shop"}; }
  std::vector<ObjectPtr> objects(const std::vector<std::string>& types, ObjectPart) override {
    asked = types;
    std::vector<ObjectPtr> found;
    for (const std::string& type : types) {
      if (type == "pods" || type == "pod" || type == "po") {
        found.insert(found.end(), pods.begin(), pods.end());
      }
    }
    return found;
  }

  void add_pod(const std::string& name, const std::string& metadata, const std::string& spec) {
    ObjectDecoder decoder({.api_version = "v1", .kind = "Pod"});
    pods.push_back(decoder
                       .decode(R"({"metadata":{"name":")" + name + R"(","namespace":"shop",)" +
                               metadata +
                               R"(},"spec":{"containers":[{"name":"main","image":"i"}],)" + spec +
                               R"(},"status":{"phase":"Running","conditions":[)" +
                               R"({"type":"Ready","status":"True"}]}})")
                       .value());
  }

  std::vector<ApiResource> all_types;
  std::vector<ObjectPtr> pods;
  std::vector<std::string> asked;  ///< the types of the last call of objects()

 private:
  void add_type(const std::string& group, const std::string& plural, const std::string& kind,
                std::vector<std::string> short_names) {
    ApiResource resource;
    resource.type.gvr = {group, "v1", plural};
    resource.type.kind = kind;
    resource.short_names = std::move(short_names);
    resource.verbs = {"get", "list", "watch"};
    if (group.empty()) resource.categories = {"all"};
    all_types.push_back(std::move(resource));
  }
};

}  // namespace kinf::test
