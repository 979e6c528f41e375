// SPDX-License-Identifier: Apache-2.0
// The indexes of the pods of a Job with completionMode Indexed, as pure functions.
// Source: kubernetes pkg/controller/job/indexed_job_utils.go.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/sandbox/store/ordered_json.h"

namespace kinf::sandbox {

using JobIndexes = std::set<std::int64_t>;

bool is_indexed_job(const Json& job);
/// Returns the index of the pod if the Job has it, else nullopt.
std::optional<std::int64_t> job_index_of(const Json& job, const Json& pod);

/// Parses a text such as `0,2-4`. Ignores what the Job does not have, and what cannot be parsed.
JobIndexes parse_job_indexes(const Json& job, std::string_view text);
std::string job_indexes_text(const JobIndexes& indexes);
/// Returns the first `count` indexes of the Job that are not in `taken`.
std::vector<std::int64_t> free_job_indexes(const Json& job, const JobIndexes& taken,
                                           std::int64_t count);

/// Gives a new pod of the Job an index: in its name, labels, annotations and environment.
void set_job_index(const Json& job, Json& pod, std::int64_t index);

}  // namespace kinf::sandbox
