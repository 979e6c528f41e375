// SPDX-License-Identifier: Apache-2.0
#include "kinf/client/paths.h"

#include <doctest/doctest.h>

namespace kinf {
namespace {

const GroupVersionResource kPods{"", "v1", "pods"};
const GroupVersionResource kDeployments{"apps", "v1", "deployments"};

TEST_CASE("J1: core types are under /api, all others under /apis") {
  CHECK(resource_path(kPods, "").value() == "/api/v1/pods");
  CHECK(resource_path(kPods, "shop").value() == "/api/v1/namespaces/shop/pods");
  CHECK(resource_path(kPods, "shop", "web-1").value() == "/api/v1/namespaces/shop/pods/web-1");
  CHECK(resource_path(kDeployments, "shop").value() == "/apis/apps/v1/namespaces/shop/deployments");
  CHECK(resource_path(kDeployments, "").value() == "/apis/apps/v1/deployments");
}

TEST_CASE("J1: parts that would lead to another path are refused") {
  for (const char* bad : {"a/b", "100%", ".", ".."}) {
    CAPTURE(bad);
    const Result<std::string> ns = resource_path(kPods, bad);
    REQUIRE_FALSE(ns);
    CHECK(ns.error().kind == ErrorKind::usage);
    CHECK_FALSE(resource_path(kPods, "shop", bad));
    CHECK_FALSE(resource_path({bad, "v1", "pods"}, "shop"));
    CHECK_FALSE(resource_path({"apps", "v1", bad}, "shop"));
  }
  CHECK(resource_path(kPods, "a/b").error().message ==
        "invalid namespace \"a/b\": may not contain '/'");
  CHECK_FALSE(resource_path({"", "", "pods"}, ""));
}

TEST_CASE("J1: characters that a URL cannot contain are encoded") {
  CHECK(resource_path(kPods, "shop", "a b?c#d").value() ==
        "/api/v1/namespaces/shop/pods/a%20b%3Fc%23d");
}

TEST_CASE("J2: list options become sorted parameters, empty ones are left out") {
  CHECK(list_query({}).empty());
  ListOptions options;
  options.label_selector = "app in (a,b),tier!=x";
  options.field_selector = "metadata.name=a";
  options.resource_version = "0";
  options.limit = 500;
  options.continue_token = "e30=/+";
  CHECK(list_query(options) ==
        "continue=e30%3D%2F%2B&fieldSelector=metadata.name%3Da&"
        "labelSelector=app%20in%20%28a%2Cb%29%2Ctier%21%3Dx&limit=500&resourceVersion=0");
}

TEST_CASE("J2: a watch has client-go's parameters") {
  ListOptions options;
  options.resource_version = "8812";
  options.allow_watch_bookmarks = true;
  options.timeout = std::chrono::seconds(412);
  CHECK(watch_query(options) ==
        "allowWatchBookmarks=true&resourceVersion=8812&timeoutSeconds=412&watch=true");
  ListOptions streaming;
  streaming.allow_watch_bookmarks = true;
  streaming.send_initial_events = true;
  streaming.resource_version_match = "NotOlderThan";
  CHECK(watch_query(streaming, "Object") ==
        "allowWatchBookmarks=true&includeObject=Object&resourceVersionMatch=NotOlderThan&"
        "sendInitialEvents=true&watch=true");
}

}  // namespace
}  // namespace kinf
