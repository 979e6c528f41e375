// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/wait/worst_pod.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace kinf {
namespace {

using Json = nlohmann::json;

/// Returns a pod that the owner `uid` controls, with these members of its status.
Json pod(std::string_view name, std::string_view uid, std::string_view status) {
  return Json::parse(fmt::format(
      R"({{"metadata":{{"name":"{}","ownerReferences":[{{"uid":"{}","controller":true}}]}},)"
      R"("spec":{{"containers":[{{"name":"web"}}]}},"status":{{{}}}}})",
      name, uid, status));
}

constexpr std::string_view kReady =
    R"("phase":"Running","containerStatuses":[{"name":"web","ready":true,"state":{"running":{}}}])";
constexpr std::string_view kUnready =
    R"("phase":"Running","containerStatuses":[{"name":"web","ready":false,"state":{"running":{}}}])";
constexpr std::string_view kPulling =
    R"("phase":"Pending","containerStatuses":[{"name":"web","ready":false,)"
    R"("state":{"waiting":{"reason":"ImagePullBackOff","message":"no such image"}}}])";

TEST_CASE("the worst pod is one in red, then a pending one, then one that is not ready") {
  Json pods = Json::array({pod("a", "rs", kReady), pod("b", "other", kPulling)});
  const auto worst = [&] {
    const WorstPod found = worst_pod(pods, {"rs"}, Clock::Wall());
    return fmt::format("{} {} {}/{}", found.pod ? found.pod->name() : "none", found.status,
                       found.unwell, found.all);
  };
  CHECK(worst() == "none  0/1");
  pods.push_back(pod("c", "rs", kUnready));
  CHECK(worst() == "c Running 1/2");
  pods.push_back(pod("d", "rs", R"("phase":"Pending")"));
  CHECK(worst() == "d Pending 2/3");
  pods.push_back(pod("e", "rs", kPulling));
  CHECK(worst() == "e ImagePullBackOff 3/4");
  pods.push_back(3);
  CHECK(worst() == "e ImagePullBackOff 3/4");
}

TEST_CASE("pods belong to a workload by its selector and the uid of their controller") {
  const Json workload = Json::parse(R"({"spec":{"selector":{"matchLabels":{"app":"web"}}}})");
  CHECK(pod_selector("Deployment", workload) == "app=web");
  CHECK(pod_selector("Deployment", Json::object()).empty());
  CHECK(pod_selector("Service", workload).empty());
  const Json sets =
      Json::parse(R"([{"metadata":{"uid":"x","ownerReferences":[{"uid":"d","controller":true}]}},)"
                  R"({"metadata":{"uid":"y","ownerReferences":[{"uid":"d"}]}}])");
  CHECK(controlled_by(sets, {"d"}) == std::set<std::string>{"x"});
}

}  // namespace
}  // namespace kinf
