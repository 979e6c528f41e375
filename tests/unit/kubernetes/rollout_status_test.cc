// SPDX-License-Identifier: Apache-2.0
#include "kinf/kubernetes/rollout_status.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace kinf {
namespace {

constexpr std::string_view kRolling = R"("updateStrategy":{"type":"RollingUpdate"})";

/// Returns `complete: TEXT`, for an object of generation 2 with these members of its spec and
/// status.
std::string rollout(std::string_view kind, std::string_view spec, std::string_view status,
                    std::optional<std::int64_t> revision = {}) {
  const auto document = nlohmann::json::parse(fmt::format(
      R"({{"metadata":{{"generation":2,"annotations":{{"deployment.kubernetes.io/revision":"7"}}}},)"
      R"("spec":{{{}}},"status":{{{}}}}})",
      spec, status));
  const Rollout found = rollout_of(kind, document, revision);
  constexpr std::string_view kPhases[] = {"under way", "complete", "failed", "manual"};
  return fmt::format("{}: {}", kPhases[static_cast<int>(found.phase)], found.text);
}

TEST_CASE("a Deployment rolls out by the rules of kubectl rollout status") {
  const auto of = [](std::string_view status, std::optional<std::int64_t> revision = {}) {
    return rollout("Deployment", R"("replicas":3)", status, revision);
  };
  const std::string_view all =
      R"("observedGeneration":2,"replicas":3,"updatedReplicas":3,"availableReplicas":3)";
  CHECK(of("") == "under way: the controller has not seen the change yet");
  CHECK(of(R"("observedGeneration":1,"replicas":3,"updatedReplicas":3,"availableReplicas":3)") ==
        "under way: the controller has not seen the change yet");
  CHECK(of(R"("observedGeneration":2,"replicas":3,"updatedReplicas":1,"availableReplicas":3)") ==
        "under way: 1 out of 3 new replicas have been updated");
  CHECK(of(R"("observedGeneration":2,"replicas":4,"updatedReplicas":3,"availableReplicas":4)") ==
        "under way: 1 old replicas are pending termination");
  CHECK(of(R"("observedGeneration":2,"replicas":3,"updatedReplicas":3,"availableReplicas":2)") ==
        "under way: 2 of 3 updated replicas are available");
  CHECK(of(all) == "complete: successfully rolled out");
  CHECK(of(all, 7) == "complete: successfully rolled out");
  CHECK(of(all, 6) == "failed: desired revision (6) is different from the running revision (7)");
  CHECK(of(R"("observedGeneration":1)", 6) ==
        "under way: the controller has not seen the change yet");
  CHECK(of(R"("observedGeneration":2,"conditions":[{"type":"Progressing",)"
           R"("reason":"ProgressDeadlineExceeded"}])") == "failed: exceeded its progress deadline");
}

TEST_CASE("a StatefulSet rolls out down to its partition") {
  const auto of = [](std::string_view spec, std::string_view status) {
    return rollout("StatefulSet", spec, status);
  };
  const std::string plain = fmt::format(R"("replicas":3,{})", kRolling);
  const std::string_view divided =
      R"("replicas":3,"updateStrategy":{"type":"RollingUpdate","rollingUpdate":{"partition":1}})";
  CHECK(of(plain, "") == "under way: the controller has not seen the change yet");
  CHECK(of(plain, R"("observedGeneration":2,"readyReplicas":1)") ==
        "under way: waiting for 2 pods to be ready");
  CHECK(of(plain,
           R"("observedGeneration":2,"readyReplicas":3,"updatedReplicas":1,)"
           R"("updateRevision":"b","currentRevision":"a")") == "under way: 1 pods at revision b");
  CHECK(of(plain,
           R"("observedGeneration":2,"readyReplicas":3,"currentReplicas":3,)"
           R"("updateRevision":"b","currentRevision":"b")") == "complete: 3 pods at revision b");
  CHECK(of(divided, R"("observedGeneration":2,"readyReplicas":3,"updatedReplicas":1,)"
                    R"("updateRevision":"b","currentRevision":"a")") ==
        "under way: 1 out of 2 new pods have been updated");
  CHECK(of(divided, R"("observedGeneration":2,"readyReplicas":3,"updatedReplicas":2,)"
                    R"("updateRevision":"b","currentRevision":"a")") == "complete: 2 new pods");
}

TEST_CASE("a DaemonSet rolls out on each node") {
  const auto of = [](std::string_view status) { return rollout("DaemonSet", kRolling, status); };
  CHECK(of(R"("observedGeneration":2,"desiredNumberScheduled":3,"updatedNumberScheduled":1)") ==
        "under way: 1 out of 3 new pods have been updated");
  CHECK(of(R"("observedGeneration":2,"desiredNumberScheduled":3,"updatedNumberScheduled":3,)"
           R"("numberAvailable":2)") == "under way: 2 of 3 updated pods are available");
  CHECK(of(R"("observedGeneration":2,"desiredNumberScheduled":3,"updatedNumberScheduled":3,)"
           R"("numberAvailable":3)") == "complete: successfully rolled out");
}

TEST_CASE("OnDelete rolls out nothing, and wrong fields count as missing") {
  CHECK(rollout("StatefulSet", R"("updateStrategy":{"type":"OnDelete"})", "") ==
        "manual: rollout status is only available for RollingUpdate strategy type");
  CHECK(rollout("DaemonSet", R"("updateStrategy":3)", "").starts_with("manual"));
  CHECK(rollout("Deployment", R"("replicas":-9223372036854775808)",
                R"("observedGeneration":2,"replicas":"x","updatedReplicas":9223372036854775807)")
            .starts_with("under way"));
  CHECK_FALSE(has_rollout("", "Pod"));
  CHECK_FALSE(has_rollout("example.com", "Deployment"));
}

}  // namespace
}  // namespace kinf
