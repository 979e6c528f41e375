// SPDX-License-Identifier: Apache-2.0
// What changed between two versions of a pod.
#include <cstdlib>

#include "cases.h"
#include "kinf/print/diff_text.h"
#include "kinf/print/event_printer.h"
#include "kinf/query/diff.h"
#include "sample_pods.h"

namespace kinf::bench {
namespace {

void replace_last(std::string& text, std::string_view old_part, std::string_view new_part) {
  const std::size_t at = text.rfind(old_part);
  if (at == std::string::npos) std::abort();
  text.replace(at, old_part.size(), new_part);
}

/// What the kubelet writes when a pod is no longer ready.
std::string pod_not_ready(std::size_t number) {
  std::string pod = pod_json(number, 2);
  replace_last(pod, R"("time":"2026-03-01T10:00:02Z")", R"("time":"2026-03-01T10:07:09Z")");
  for (const char* type : {"ContainersReady", "Ready"}) {
    replace_last(pod,
                 std::string(R"("type":")") + type +
                     R"(","status":"True","lastProbeTime":null,)"
                     R"("lastTransitionTime":"2026-03-01T10:00:07Z")",
                 std::string(R"("type":")") + type +
                     R"(","status":"False","lastProbeTime":null,)"
                     R"("lastTransitionTime":"2026-03-01T10:07:09Z")");
  }
  return pod;
}

}  // namespace

std::vector<Figure> bench_diff() {
  constexpr std::size_t kPods = 1000;
  std::vector<std::pair<std::string, std::string>> pods;
  for (std::size_t i = 0; i < kPods; ++i) pods.emplace_back(pod_json(i), pod_not_ready(i));
  const double per_pod = nanoseconds(kPods, [&] {
    for (const auto& [before, after] : pods) {
      const auto found = diff(before, after);
      if (!found || found->changes.size() != 6) std::abort();
    }
  });
  DiffText lines((PrintOptions()));
  std::string text;
  const double printed = nanoseconds(kPods, [&] {
    for (const auto& [before, after] : pods) {
      const auto found = diff(before, after);
      if (!found) std::abort();
      text.clear();
      lines.append(text, *found, 2);
    }
  });
  return {{"diff of a status update", per_pod, "ns/pod"},
          {"diff of a status update, printed as lines", printed, "ns/pod"}};
}

}  // namespace kinf::bench
