// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/api/workload_defaults.h"

#include <doctest/doctest.h>

#include "unit/sandbox/api/api_world.h"

namespace kinf::sandbox {
namespace {

Json spec_of(const char* api_version, const char* kind, Json spec) {
  const ApiWorld world;
  default_workload_spec(world.type(api_version, kind), spec);
  return spec;
}

TEST_CASE("Jobs get the numbers that are missing, and CronJobs their limits") {
  const Json job = spec_of("batch/v1", "Job", Json::object());
  CHECK(job["completions"] == 1);
  CHECK(job["parallelism"] == 1);
  CHECK(job["backoffLimit"] == 6);
  CHECK(job["template"]["spec"]["dnsPolicy"] == "ClusterFirst");
  CHECK_FALSE(spec_of("batch/v1", "Job", {{"parallelism", 3}}).contains("completions"));
  const Json cron = spec_of("batch/v1", "CronJob", {{"schedule", "@daily"}});
  CHECK(cron["concurrencyPolicy"] == "Allow");
  CHECK(cron["failedJobsHistoryLimit"] == 1);
  CHECK(cron["jobTemplate"]["spec"]["template"]["spec"]["dnsPolicy"] == "ClusterFirst");
  CHECK_FALSE(cron["jobTemplate"]["spec"].contains("completions"));
}

TEST_CASE("DaemonSets and StatefulSets get an update strategy") {
  const Json daemons = spec_of("apps/v1", "DaemonSet", Json::object());
  CHECK(daemons["updateStrategy"]["rollingUpdate"]["maxUnavailable"] == 1);
  CHECK_FALSE(daemons.contains("replicas"));
  const Json set =
      spec_of("apps/v1", "StatefulSet",
              {{"volumeClaimTemplates", Json::array({{{"metadata", Json::object()}}, 7})},
               {"updateStrategy", {{"type", "OnDelete"}}}});
  CHECK(set["podManagementPolicy"] == "OrderedReady");
  CHECK_FALSE(set["updateStrategy"].contains("rollingUpdate"));
  CHECK(set["volumeClaimTemplates"][0]["kind"] == "PersistentVolumeClaim");
}

TEST_CASE("a Job selects its pods by its uid, unless it has a selector") {
  Json job = {{"metadata", {{"name", "j"}, {"uid", "u"}}}, {"spec", Json::object()}};
  generate_job_selector(job);
  CHECK(job["spec"]["selector"]["matchLabels"]["batch.kubernetes.io/controller-uid"] == "u");
  CHECK(job["spec"]["template"]["metadata"]["labels"]["job-name"] == "j");
  CHECK(job["metadata"]["labels"]["controller-uid"] == "u");
  Json own = {{"metadata", {{"name", "j"}, {"uid", "u"}, {"labels", {{"a", "b"}}}}},
              {"spec", Json::object()}};
  generate_job_selector(own);
  CHECK(own["metadata"]["labels"].size() == 1);
  Json manual = {{"spec", {{"manualSelector", true}}}};
  generate_job_selector(manual);
  CHECK_FALSE(manual["spec"].contains("selector"));
}

}  // namespace
}  // namespace kinf::sandbox
