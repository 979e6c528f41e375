// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/controllers/job_rules.h"

#include <doctest/doctest.h>

using namespace kinf::sandbox;

namespace {

Json job_with(const Json& spec) { return {{"spec", spec}}; }

}  // namespace

TEST_CASE("a Job wants as many pods as are missing, at most its parallelism") {
  CHECK(wanted_active(job_with({{"parallelism", 2}, {"completions", 5}}), {}) == 2);
  CHECK(wanted_active(job_with({{"parallelism", 9}, {"completions", 5}}), {.succeeded = 3}) == 2);
  CHECK(wanted_active(job_with({{"parallelism", 2}, {"completions", 5}}), {.succeeded = 6}) == 0);
  CHECK(wanted_active(job_with({{"parallelism", 2}, {"suspend", true}}), {}) == 0);
}

TEST_CASE("a Job without completions starts no more pods after the first success") {
  CHECK(wanted_active(job_with({{"parallelism", 3}}), {.active = 1}) == 3);
  CHECK(wanted_active(job_with({{"parallelism", 3}}), {.active = 2, .succeeded = 1}) == 2);
  CHECK_FALSE(success_of(job_with({{"parallelism", 3}}), {.active = 2, .succeeded = 1}));
  CHECK(success_of(job_with({{"parallelism", 3}}), {.succeeded = 1}));
  CHECK_FALSE(success_of(job_with({{"parallelism", 3}}), {}));
}

TEST_CASE("a Job fails when more pods have failed than its limit permits") {
  CHECK_FALSE(failure_of(job_with({{"backoffLimit", 1}}), {}, {.failed = 1}));
  const auto end = failure_of(job_with({{"backoffLimit", 1}}), {}, {.failed = 2});
  REQUIRE(end);
  CHECK(end->reason == "BackoffLimitExceeded");
  CHECK(std::string(end->interim()) + " " + end->final() == "FailureTarget Failed");
}

TEST_CASE("the back-off of a Job doubles up to ten minutes") {
  std::string pauses;
  for (const int failures : {0, 1, 2, 3, 7, 1000}) {
    pauses += std::to_string(job_back_off(failures).count()) + " ";
  }
  CHECK(pauses == "0 10 20 40 600 600 ");
}

TEST_CASE("a pod that is being deleted counts as failed unless only failed pods are replaced") {
  const Json pod = {{"metadata", {{"deletionTimestamp", "2026-01-01T00:00:00Z"}}},
                    {"status", {{"phase", "Running"}}}};
  CHECK(counts_as_failed(job_with({}), pod));
  CHECK_FALSE(counts_as_failed(job_with({{"podReplacementPolicy", "Failed"}}), pod));
}

TEST_CASE("a false condition is only set if the condition exists") {
  Json status = Json::object();
  CHECK_FALSE(set_job_condition(status, "Suspended", false, "JobResumed", "", "t1"));
  CHECK_FALSE(status.contains("conditions"));
  CHECK(set_job_condition(status, "Suspended", true, "JobSuspended", "", "t1"));
  CHECK_FALSE(set_job_condition(status, "Suspended", true, "JobSuspended", "", "t2"));
  CHECK(set_job_condition(status, "Suspended", false, "JobResumed", "", "t3"));
  CHECK(status["conditions"][0]["lastTransitionTime"] == "t3");
  CHECK(status["conditions"].size() == 1);
}
