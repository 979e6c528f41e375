// SPDX-License-Identifier: Apache-2.0
// Until: the event that ends `kinf watch --until`.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "kinf/api/change.h"
#include "kinf/api/group_version_resource.h"
#include "kinf/query/condition.h"

namespace kinf {

/// A Condition on the object of an event, or a jq expression on the event as `-o json --show-old`
/// prints it, with the values of Secrets.
/// Threads: one at a time.
class Until {
 public:
  /// Fails with kind `usage`; messages start with `--until: `.
  static Result<std::shared_ptr<Until>> parse(const std::string& text);

  /// Returns whether `change` satisfies it. `create` and `delete` hold for additions and deletions;
  /// the other conditions hold for an object that exists. If jq fails or `stop` is requested, it
  /// does not hold; the first failure is logged.
  bool holds(const ResourceType& type, const Change& change, const std::stop_token& stop);
  /// Returns whether holds() reads the object's document.
  bool needs_document() const;
  /// Returns true if holds() certainly reads only the objects' metadata.
  bool reads_only_metadata() const;
  /// Returns true if a condition certainly reads the object beyond its metadata.
  bool reads_beyond_metadata() const { return condition_ && condition_->reads_beyond_metadata(); }
  /// Returns whether it is a condition of the status, which metadata alone does not have.
  bool needs_status() const;
  /// Returns whether holds() reads the event, which has the manager of the change.
  bool reads_event() const { return on_event_.has_value(); }

 private:
  Until() = default;
  Result<bool> evaluate(const ResourceType& type, const Change& change,
                        const std::stop_token& stop);

  std::optional<Condition> condition_;
  std::optional<Jq> on_event_;  ///< set if `condition_` is not
  bool has_failed_ = false;
};

}  // namespace kinf
