// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/controllers/job_indexes.h"

#include <doctest/doctest.h>

using namespace kinf::sandbox;

namespace {

const Json kIndexedJob = {{"metadata", {{"name", "j"}}},
                          {"spec", {{"completions", 10}, {"completionMode", "Indexed"}}}};

std::string again(const char* text) {
  return job_indexes_text(parse_job_indexes(kIndexedJob, text));
}

}  // namespace

TEST_CASE("indexes are written as ranges of three or more") {
  CHECK(job_indexes_text({}).empty());
  CHECK(job_indexes_text({0}) == "0");
  CHECK(job_indexes_text({0, 1}) == "0,1");
  CHECK(job_indexes_text({0, 1, 2, 4, 6, 7}) == "0-2,4,6,7");
}

TEST_CASE("what is no index of the Job is ignored") {
  CHECK(again("0-2,4") == "0-2,4");
  CHECK(again("8-99999999999") == "8,9");
  CHECK(again("x,-1,3-,5-4,,7") == "7");
  CHECK(again("9223372036854775807,10").empty());
}

TEST_CASE("the first free indexes are used") {
  CHECK(free_job_indexes(kIndexedJob, {0, 2}, 2) == std::vector<std::int64_t>{1, 3});
  CHECK(free_job_indexes(kIndexedJob, {}, 99).size() == 10);
}

TEST_CASE("a pod gets its index once") {
  Json pod = {{"spec", {{"containers", Json::array({{{"name", "c"}}})}}}};
  set_job_index(kIndexedJob, pod, 3);
  set_job_index(kIndexedJob, pod, 4);
  CHECK(job_index_of(kIndexedJob, pod) == 4);
  CHECK(pod["metadata"]["generateName"] == "j-4-");
  CHECK(pod["spec"]["containers"][0]["env"].size() == 1);
  CHECK_FALSE(job_index_of(kIndexedJob, Json::object()));
}
