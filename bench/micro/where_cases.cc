// SPDX-License-Identifier: Apache-2.0
// --where: whether a pod satisfies a jq expression.
#include <cstdlib>

#include "cases.h"
#include "kinf/query/condition.h"
#include "sample_pods.h"

namespace kinf::bench {
namespace {

double per_pod(const std::vector<std::string>& expressions, std::size_t wanted) {
  constexpr std::size_t kCount = 500;
  const Result<std::shared_ptr<Where>> where = Where::parse(expressions);
  if (!where) std::abort();
  std::vector<ObjectPtr> pods;
  for (std::size_t i = 0; i < kCount; ++i) {
    const std::string json = pod_json(i);
    ObjectFacts facts;
    facts.json = json;
    pods.push_back(Object::create(facts));
  }
  return nanoseconds(kCount, [&] {
    std::size_t found = 0;
    for (const ObjectPtr& pod : pods) {
      const Result<bool> matches = (*where)->matches(*pod, pod.get(), "pods", false, {});
      if (!matches) std::abort();
      found += *matches ? 1 : 0;
    }
    if (found != wanted * kCount) std::abort();
  });
}

}  // namespace

std::vector<Figure> bench_where() {
  return {{"--where of a pod", per_pod({".status.phase == \"Failed\""}, 0), "ns/pod"},
          {"--where of a pod and its old state", per_pod({".status.phase == $old.status.phase"}, 1),
           "ns/pod"},
          {"--where of a whole pod", per_pod({". == null"}, 0), "ns/pod"},
          {"--where in a worker process", per_pod({"reduce .kind as $kind (true; . or $kind)"}, 1),
           "ns/pod"}};
}

}  // namespace kinf::bench
