// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/scenarios/manifests.h"

#include <doctest/doctest.h>

#include "fakes/fake_clock.h"
#include "fakes/temp_folder.h"

using kinf::sandbox::Manifest;
using kinf::sandbox::read_manifests;

namespace {

struct Loaded {
  std::string load(const std::vector<std::string>& paths, bool keep = false) {
    auto manifests = read_manifests(paths);
    if (!manifests) return manifests.error().message;
    const auto done = load_manifests(*std::move(manifests), keep, objects, types);
    return done ? "" : done.error().message;
  }
  std::string keys(const char* type) const {
    std::string result;
    for (const auto& object : store.list(type).objects) {
      result += (result.empty() ? "" : " ") + object->key.ns + "/" + object->key.name;
    }
    return result;
  }

  kinf::test::TempFolder folder;
  kinf::test::FakeClock clock;
  kinf::sandbox::ApiTypes types;
  kinf::sandbox::ResourceStore store{clock};
  kinf::sandbox::ObjectService objects{store, types, clock, 1};
};

constexpr const char* kDefinition = R"({apiVersion: apiextensions.k8s.io/v1,
 kind: CustomResourceDefinition, metadata: {name: widgets.example.test},
 spec: {group: example.test, scope: Namespaced, names: {plural: widgets, kind: Widget},
 versions: [{name: v1, served: true, storage: true}]}})";

}  // namespace

TEST_CASE("a folder is loaded whole: definitions first, and namespaces that lack are made") {
  Loaded l;
  l.folder.write("a.yaml",
                 "{apiVersion: example.test/v1, kind: Widget, metadata: {name: w}}\n"
                 "---\n---\n"
                 "{apiVersion: v1, kind: ConfigMap, metadata: {name: c, namespace: new}}\n");
  l.folder.write("b.yml", kDefinition);
  l.folder.write("c.json", R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"}})");
  l.folder.write("notes.txt", "no manifest");
  CHECK(l.load({l.folder.path()}) == "");
  CHECK(l.keys("widgets.example.test") == "default/w");
  CHECK(l.keys("configmaps") == "new/c");
  CHECK(l.keys("pods") == "default/p");
  CHECK(l.keys("namespaces") == "/default /new");
}

TEST_CASE("the items of lists are objects, and those of a server's list need not say what") {
  Loaded l;
  const std::string one = l.folder.write("one.yaml", R"(
apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}
- {apiVersion: v1, kind: ConfigMap, metadata: {name: b}}
)");
  const std::string two = l.folder.write(
      "two.json",
      R"({"kind":"PodList","apiVersion":"v1","items":[{"metadata":{"name":"p","uid":"u-1"}}]})");
  CHECK(l.load({one, two}) == "");
  CHECK(l.keys("configmaps") == "default/a default/b");
  CHECK(l.store.list("pods").objects[0]->json["metadata"]["uid"] == "u-1");
}

TEST_CASE("an error in a manifest names its file and document") {
  Loaded l;
  const auto problem = [&](const std::string& name, const std::string& content) {
    const std::string path = l.folder.write(name, content);
    const std::string text = l.load({path});
    return text.starts_with(path) ? text.substr(path.size()) : text;
  };
  CHECK(problem("a.yaml", "a: [\n") == ": yaml: line 2: did not find expected node content");
  CHECK(problem("a.yaml", "null\n---\nkind: Pod\n") ==
        ": document 2: not an object: apiVersion, kind and metadata.name are required");
  CHECK(problem("a.yaml", "just text") ==
        ": document 1: not an object: apiVersion, kind and metadata.name are required");
  CHECK(problem("a.yaml", "{apiVersion: v1, kind: Gadget, metadata: {name: g}}") ==
        ": document 1: unknown kind Gadget in v1; load its CustomResourceDefinition too");
  CHECK(problem("a.yaml", "{apiVersion: v1, kind: List, items: [5]}") ==
        ": document 1: item 1: not an object: apiVersion, kind and metadata.name are required");
  CHECK(problem("a.yaml", "{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: n}}") ==
        ": document 1: metadata.namespace is false, not a string; put it in quotes");
  CHECK(problem("a.yaml", "{apiVersion: v1, kind: Pod, metadata: {name: p, labels: {v: 1}}}") ==
        ": document 1: metadata.labels.v is 1, not a string; put it in quotes");
  CHECK(problem("a.yaml", "{apiVersion: v1, kind: Pod, metadata: {name: p, labels: []}}") ==
        ": document 1: metadata.labels is not a map");
  CHECK(problem("a.json", "{\n]") == ": json: line 2: syntax error");
  CHECK(problem("a.json", std::string(1000, '[')) == ": json: nested too deeply");
  CHECK(l.load({l.folder.path("absent")}) ==
        "open " + l.folder.path("absent") + ": no such file or directory");
}

TEST_CASE("an object given twice is an error, except with keep") {
  Loaded l;
  const std::string file = l.folder.write(
      "a.yaml", "{apiVersion: v1, kind: ConfigMap, metadata: {name: c}, data: {a: old}}");
  CHECK(l.load({file}) == "");
  CHECK(l.load({file}) == file + ": document 1: configmaps \"c\" already exists");
  l.folder.write("a.yaml",
                 "{apiVersion: v1, kind: ConfigMap, metadata: {name: c}, data: {a: new}}");
  CHECK(l.load({file}, true) == "");
  CHECK(l.store.list("configmaps").objects[0]->json["data"]["a"] == "old");
}
