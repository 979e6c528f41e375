// SPDX-License-Identifier: Apache-2.0
#include "kinf/query/index_spec.h"

#include <doctest/doctest.h>

#include "unit/query/owned_pod.h"

namespace kinf {
namespace {

using test::owned_pod;
using Values = std::vector<std::string>;

Values values_of(std::string_view spec, const ObjectPtr& object) {
  return IndexSpec::parse(spec).value().values(*object);
}

TEST_CASE("every kind of index finds its values") {
  const ObjectPtr pod = owned_pod("web", {{"app", "web"}, {"empty", ""}}, "n1");
  CHECK(values_of("app", pod) == Values{"web"});
  CHECK(values_of("label:empty", pod) == Values{""});
  CHECK(values_of("tier", pod).empty());
  CHECK(values_of("annotation:a.b/c", pod) == Values{"x"});
  CHECK(values_of("annotation:none", pod).empty());
  CHECK(values_of("@node", pod) == Values{"n1"});
  CHECK(values_of("@node", owned_pod("pending", {})).empty());
  CHECK(values_of("@namespace", pod) == Values{"default"});
  CHECK(values_of("@owner", pod) == Values{"replicaset.apps/web-5d", "node/n1"});
}

TEST_CASE("an index has a full name, its column a short one") {
  const IndexSpec spec = IndexSpec::parse("app.kubernetes.io/name=a=b").value();
  CHECK(spec.name() == "label:app.kubernetes.io/name");
  CHECK(spec.header() == "NAME");
  CHECK(spec.value()->text() == "a=b");
  CHECK(IndexSpec::parse("@node").value().name() == "@node");
  CHECK(IndexSpec::parse("@node").value().header() == "NODE");
  CHECK_FALSE(IndexSpec::parse("@node").value().value().has_value());
  CHECK(IndexSpec::parse("app=").value().value()->text().empty());
  CHECK(IndexSpec::parse(".spec.containers[*].image").value().header() == "IMAGE");
  CHECK(IndexSpec::parse("{.spec.nodeName}").value().name() == ".spec.nodeName");
}

TEST_CASE("the same key in another spelling is the same key") {
  const auto same = [](std::string_view a, std::string_view b) {
    return IndexSpec::parse(a).value().has_key_of(IndexSpec::parse(b).value());
  };
  for (const auto& [a, b] : {std::pair{"app", "label:app"},
                             {"app=web", "app"},
                             {"app", ".metadata.labels.app"},
                             {"annotation:x", ".metadata.annotations.x"},
                             {"@node=n1", "@node"},
                             {"@owner=deploy/web", "@owner"},
                             {".spec.nodeName", "{.spec['nodeName']}"},
                             {".a[?(@.b)].c", ".a[?(@.b)].c"}}) {
    CAPTURE(a);
    CHECK(same(a, b));
    CHECK(same(b, a));
  }
  CHECK_FALSE(same("app", "tier"));
  CHECK_FALSE(same("app", "annotation:app"));
  CHECK_FALSE(same("@node", "@namespace"));
  CHECK_FALSE(same("@owner", "@root"));
  CHECK_FALSE(same("@node", ".spec.nodeName"));  // @node leaves out empty names
  CHECK_FALSE(same(".a[?(@.b)].c", ".a[?(@.d)].c"));
}

TEST_CASE("an invalid index is rejected with a hint") {
  for (const std::string_view text :
       {"", "=x", "@images", ".spec[", "{.a", "a b", "annotation:", "!"}) {
    CAPTURE(text);
    const auto spec = IndexSpec::parse(text);
    REQUIRE_FALSE(spec.has_value());
    CHECK(spec.error().kind == ErrorKind::usage);
    CHECK_FALSE(spec.error().hint.empty());
  }
}

ObjectPtr make_from(std::string_view json) {
  ObjectFacts facts;
  facts.ns = "default";
  facts.name = "web";
  facts.json = json;
  return Object::create(facts);
}

constexpr std::string_view kWholePod = R"({"metadata":{"name":"web"},"spec":{"nodeName":"n1",
  "serviceAccountName":"robot","imagePullSecrets":[{"name":"pull"}],
  "volumes":[{"secret":{"secretName":"tls"}},{"configMap":{"name":"conf"}},
    {"persistentVolumeClaim":{"claimName":"data"}},
    {"projected":{"sources":[{"secret":{"name":"token"}},{"configMap":{"name":"ca"}}]}}],
  "initContainers":[{"image":"init:1"}],
  "containers":[{"image":"a:1","ports":[{"containerPort":80}],
      "env":[{"valueFrom":{"secretKeyRef":{"name":"password"}}},
             {"valueFrom":{"configMapKeyRef":{"name":"flags"}}}]},
    {"image":"b:2","envFrom":[{"secretRef":{"name":"tls"}},{"configMapRef":{"name":"more"}}]},
    {"image":"a:1"}]},
  "status":{"phase":"Running","podIP":"10.0.0.1","podIPs":[{"ip":"10.0.0.1"},{"ip":"fd00::1"}],
    "conditions":[{"type":"Ready","status":"True"},{"type":"Initialized","status":"False"}]}})";

TEST_CASE("the built-in indices find all references of a pod") {
  const ObjectPtr pod = make_from(kWholePod);
  CHECK(values_of("@node", pod) == Values{"n1"});
  CHECK(values_of("@image", pod) == Values{"a:1", "b:2", "init:1"});
  CHECK(values_of("@phase", pod) == Values{"Running"});
  CHECK(values_of("@ip", pod) == Values{"10.0.0.1", "fd00::1"});
  CHECK(values_of("@sa", pod) == Values{"robot"});
  CHECK(values_of("@secret", pod) == Values{"tls", "token", "password", "pull"});
  CHECK(values_of("@configmap", pod) == Values{"conf", "ca", "flags", "more"});
  CHECK(values_of("@pvc", pod) == Values{"data"});
}

TEST_CASE("the built-in indices also search pod templates") {
  const ObjectPtr job = make_from(
      R"({"spec":{"jobTemplate":{"spec":{"template":{"spec":{"containers":[{"image":"c:3"}]}}}}}})");
  CHECK(values_of("@image", job) == Values{"c:3"});
  const ObjectPtr service = make_from(R"({"spec":{"clusterIP":"None","clusterIPs":["None"]}})");
  CHECK(values_of("@ip", service).empty());
}

TEST_CASE("a path finds every value, simple or with a condition") {
  const ObjectPtr pod = make_from(kWholePod);
  CHECK(values_of(".spec.containers[*].image", pod) == Values{"a:1", "b:2"});
  CHECK(values_of(".spec.containers[1].image", pod) == Values{"b:2"});
  CHECK(values_of(".spec.containers[9].image", pod).empty());
  CHECK(values_of(".spec.containers[-1].image", pod) == Values{"a:1"});
  CHECK(values_of(".spec.containers[0].ports[*].containerPort", pod) == Values{"80"});
  CHECK(values_of(R"(.status.conditions[?(@.type=="Ready")].status)", pod) == Values{"True"});
  CHECK(values_of("..secretName", pod) == Values{"tls"});
  CHECK(values_of(".spec.volumes[0].secret", pod) == Values{R"({"secretName":"tls"})"});
  CHECK(values_of(".spec.nothing", pod).empty());
  const IndexSpec images = IndexSpec::parse(".spec.containers[*].image").value();
  CHECK(images.occurrences(*pod) == Values{"a:1", "b:2", "a:1"});
}

TEST_CASE("the value of a path comes after its brackets") {
  const IndexSpec spec =
      IndexSpec::parse(R"(.status.conditions[?(@.type=="Ready")].status=True)").value();
  CHECK(spec.value()->text() == "True");
  CHECK(IndexSpec::parse(".spec.nodeName=a=b").value().value()->text() == "a=b");
  CHECK(IndexSpec::parse(R"(.metadata.labels['a=b'])").value().value() == std::nullopt);
}

TEST_CASE("an index requests whole objects only if its path needs them") {
  const auto spec = [](std::string_view text) { return IndexSpec::parse(text).value(); };
  CHECK_FALSE(spec("app").needs_document());
  CHECK_FALSE(spec("@owner").needs_document());
  CHECK(spec("annotation:a").needs_document());
  CHECK_FALSE(spec("annotation:a").needs_whole_object());
  CHECK_FALSE(spec(".metadata.generateName").needs_whole_object());
  CHECK(spec("@phase").needs_whole_object());
  CHECK(spec("..image").needs_whole_object());
  CHECK(spec("@root").follows_owners());
  CHECK(spec("@owner=deploy/web").follows_owners());
  CHECK_FALSE(spec("@owner").follows_owners());
}

TEST_CASE("an index that could show the values of a Secret is recognized") {
  const auto may = [](std::string_view text) {
    return IndexSpec::parse(text).value().may_show_secrets();
  };
  for (const std::string_view text :
       {".data.password", ".stringData", "..password", ".metadata", ".metadata.annotations",
        "annotation:kubectl.kubernetes.io/last-applied-configuration"}) {
    CAPTURE(text);
    CHECK(may(text));
  }
  for (const std::string_view text : {"app", ".type", ".metadata.name", "annotation:team", "@node",
                                      ".metadata.annotations['team']"}) {
    CAPTURE(text);
    CHECK_FALSE(may(text));
  }
}

}  // namespace
}  // namespace kinf
