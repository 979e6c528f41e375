// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/controllers/job_indexes.h"

#include <fmt/format.h>

#include <algorithm>

#include "kinf/base/ascii.h"

namespace kinf::sandbox {
namespace {

constexpr const char* kIndexKey = "batch.kubernetes.io/job-completion-index";
constexpr const char* kIndexVariable = "JOB_COMPLETION_INDEX";
/// The number of indexes that a Job has at most, as the API server permits.
constexpr std::int64_t kMostIndexes = 100'000;

std::int64_t completions_of(const Json& job) {
  return std::clamp<std::int64_t>(integer_or(field(job, "spec", "completions"), 0), 0,
                                  kMostIndexes);
}

void add_variable(Json& container) {
  if (!container.is_object()) return;
  Json variables = elements(field(container, "env"));
  for (const Json& each : variables) {
    if (text(field(each, "name")) == kIndexVariable) return;
  }
  const std::string path = fmt::format("metadata.labels['{}']", kIndexKey);
  variables.push_back({{"name", kIndexVariable},
                       {"valueFrom", {{"fieldRef", {{"apiVersion", "v1"}, {"fieldPath", path}}}}}});
  container["env"] = std::move(variables);
}

}  // namespace

bool is_indexed_job(const Json& job) {
  return text(field(job, "spec", "completionMode")) == "Indexed";
}

std::optional<std::int64_t> job_index_of(const Json& job, const Json& pod) {
  const auto index =
      parse_number<std::int64_t>(text(field(pod, "metadata", "annotations", kIndexKey)));
  if (!index || *index < 0 || *index >= completions_of(job)) return std::nullopt;
  return index;
}

JobIndexes parse_job_indexes(const Json& job, std::string_view text) {
  JobIndexes result;
  const std::int64_t last_one = completions_of(job) - 1;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    const std::string_view range = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t hyphen = range.find('-');
    const auto first = parse_number<std::int64_t>(range.substr(0, hyphen));
    const auto last =
        hyphen == range.npos ? first : parse_number<std::int64_t>(range.substr(hyphen + 1));
    if (!first || !last || *first < 0) continue;
    for (std::int64_t i = *first; i <= std::min(*last, last_one); ++i) result.insert(i);
  }
  return result;
}

std::string job_indexes_text(const JobIndexes& indexes) {
  std::string result;
  for (auto each = indexes.begin(); each != indexes.end();) {
    const std::int64_t first = *each;
    std::int64_t last = first;
    for (++each; each != indexes.end() && *each == last + 1; ++each) last = *each;
    if (!result.empty()) result += ',';
    result += std::to_string(first);
    if (last > first) result += (last == first + 1 ? ',' : '-') + std::to_string(last);
  }
  return result;
}

std::vector<std::int64_t> free_job_indexes(const Json& job, const JobIndexes& taken,
                                           std::int64_t count) {
  std::vector<std::int64_t> result;
  for (std::int64_t i = 0; i < completions_of(job) && std::ssize(result) < count; ++i) {
    if (!taken.contains(i)) result.push_back(i);
  }
  return result;
}

void set_job_index(const Json& job, Json& pod, std::int64_t index) {
  const std::string number = std::to_string(index);
  const std::string host = text(field(job, "metadata", "name")) + "-" + number;
  Json& metadata = object_at(pod, "metadata");
  metadata["generateName"] = host + "-";
  object_at(metadata, "labels")[kIndexKey] = number;
  object_at(metadata, "annotations")[kIndexKey] = number;
  Json& spec = object_at(pod, "spec");
  spec["hostname"] = host;
  for (const char* list : {"initContainers", "containers"}) {
    if (!spec.contains(list) || !spec[list].is_array()) continue;
    for (Json& container : spec[list]) add_variable(container);
  }
}

}  // namespace kinf::sandbox
