// SPDX-License-Identifier: Apache-2.0
// Until: decides which event ends `kinf watch --until`.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "kinf/api/change.h"
#include "kinf/api/group_version_resource.h"
#include "kinf/query/condition.h"

namespace kinf {

/// Holds a Condition on the object of an event, or a jq expression on the event. The expression
/// reads the JSON that `-o json --show-old --show-secrets` prints.
/// Threads: one at a time.
class Until {
 public:
  /// Parses the value of --until. Errors: usage; messages start with `--until: `.
  static Result<std::shared_ptr<Until>> parse(const std::string& text);

  /// Returns whether `change` satisfies the condition or expression. `create` holds for additions
  /// and `delete` for deletions; other conditions hold only for an object that exists. Returns
  /// false if jq fails or `stop` is requested. Logs the first failure. Fails with kind `internal`
  /// like Jq::run().
  Result<bool> holds(const ResourceType& type, const Change& change, const std::stop_token& stop);
  /// Returns whether holds() reads the object's document.
  bool needs_document() const;
  /// Returns true if holds() is known to read only the objects' metadata.
  bool reads_only_metadata() const;
  /// Returns true if a condition is known to read more of the object than its metadata.
  bool reads_beyond_metadata() const { return condition_ && condition_->reads_beyond_metadata(); }
  /// Returns whether the condition reads status.conditions, which --metadata does not request.
  bool needs_status() const;
  /// Returns whether holds() reads the JSON of the event, which names the manager of the change.
  bool reads_event() const { return on_event_.has_value(); }

 private:
  Until() = default;
  Result<bool> evaluate(const ResourceType& type, const Change& change,
                        const std::stop_token& stop);

  std::optional<Condition> condition_;
  std::optional<Jq> on_event_;  ///< set if `condition_` is not set
  bool has_failed_ = false;
};

}  // namespace kinf
