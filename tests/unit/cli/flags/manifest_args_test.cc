// SPDX-License-Identifier: Apache-2.0
// read_manifest_args() and may_be_one_object().
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "fakes/temp_folder.h"
#include "kinf/cli/flags/type_args.h"

namespace kinf {
namespace {

/// Returns what the manifests name, such as `Pod.v1. shop/web, `, or the error.
std::string named_by(const ManifestFlags& manifests) {
  const Result<std::vector<RequestedType>> types = read_manifest_args(manifests);
  if (!types) return types.error().message;
  std::string text;
  for (const RequestedType& type : *types) {
    text += fmt::format("{} {}/{}, ", type.type, type.ns.value_or("-"), type.names.front());
  }
  return text;
}

constexpr const char* kWeb = R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"web"}})";

TEST_CASE("the objects of YAML, JSON and Lists are named in their order, each once") {
  const test::TempFolder folder;
  CHECK(named_by({{folder.write("a.yaml",
                                "# a comment\n---\n"
                                "apiVersion: apps/v1\nkind: Deployment\n"
                                "metadata: {name: web, namespace: shop}\n"
                                "---\n"
                                "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\n"
                                "---\n"
                                "apiVersion: apps/v1\nkind: Deployment\n"
                                "metadata: {name: web, namespace: shop}\n")}}) ==
        "Deployment.v1.apps shop/web, Pod.v1. -/web, ");
  CHECK(named_by({{folder.write("b.json", std::string(kWeb) + "\n" + R"({"kind":"PodList",
          "apiVersion":"v1","items":[{"metadata":{"name":"a"},"spec":{"name":1}}]}
          {"kind":"List","apiVersion":"v1","items":[{"apiVersion":"v1","kind":"Node",
          "metadata":{"name":"n"}}]})")}}) == "Pod.v1. -/web, Pod.v1. -/a, Node.v1. -/n, ");
  CHECK(named_by({{folder.write("c.yaml", "{apiVersion: v1, kind: Pod, metadata: {name: x}}")}}) ==
        "Pod.v1. -/x, ");
}

TEST_CASE("a folder is read by name, and its folders only on request") {
  const test::TempFolder folder;
  const std::string file = folder.write("all/b.json", kWeb);
  folder.write("all/a.yml", "{apiVersion: v1, kind: Node, metadata: {name: m}}");
  folder.write("all/readme.txt", "not YAML: [");
  folder.write("all/more/c.yaml", "{apiVersion: v1, kind: Pod, metadata: {name: c}}");
  const std::string all = file.substr(0, file.rfind('/'));
  CHECK(named_by({{all}}) == "Node.v1. -/m, Pod.v1. -/web, ");
  CHECK(named_by({{all}, true}) == "Node.v1. -/m, Pod.v1. -/web, Pod.v1. -/c, ");
  CHECK_FALSE(may_be_one_object({{all}}).value());
  CHECK(may_be_one_object({{all + "/b.json"}}).value());
  CHECK(may_be_one_object({{all + "/more"}}).value());
  CHECK_FALSE(may_be_one_object({{"-"}}).value());
}

TEST_CASE("manifests that name no object are refused, with the file and the document") {
  const test::TempFolder folder;
  const auto problem = [&](const std::string& content) {
    const std::string path = folder.write("f.yaml", content);
    std::string text = named_by({{path}});
    if (const std::size_t at = text.find(path); at != std::string::npos) {
      text.replace(at, path.size(), "FILE");
    }
    return text;
  };
  CHECK(problem("") == "-f FILE: no objects");
  CHECK(problem("# nothing\n---\n---\nkind: Pod\n") ==
        "FILE: document 2: not an object: apiVersion, kind and metadata.name are required");
  CHECK(problem("{kind: List, apiVersion: v1, items: [{}]}") ==
        "FILE: document 1: item 1: not an object: apiVersion, kind and metadata.name are required");
  CHECK(problem("{apiVersion: v1, kind: Pod, metadata: {name: '*'}}") ==
        "FILE: document 1: \"*\" is not a name");
  CHECK(problem("{apiVersion: v1, kind: Pod, metadata: {name: a, namespace: 12}}") ==
        "FILE: document 1: metadata.namespace is not a string; put it in quotes");
  CHECK(problem("a: [").starts_with("FILE: "));
  CHECK(named_by({{"https://example.com/a.yaml"}}) ==
        "-f https://example.com/a.yaml: kinf reads only files");
  std::string many;
  for (int i = 0; i <= 1000; ++i) {
    many += fmt::format("---\n{{apiVersion: v1, kind: Pod, metadata: {{name: p{}}}}}\n", i);
  }
  CHECK(problem(many) == "-f: more than 1000 objects");
}

}  // namespace
}  // namespace kinf
