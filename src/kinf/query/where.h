// SPDX-License-Identifier: Apache-2.0
// Where: the jq predicates of `--where`.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/api/object.h"
#include "kinf/query/jq.h"

namespace kinf {

/// Threads: matches() and failures() from any thread. Evaluates one object at a time.
class Where {
 public:
  /// Compiles `expressions`, which must all hold. Fails with kind `usage`; messages start with
  /// `--where: `.
  static Result<std::shared_ptr<Where>> parse(std::span<const std::string> expressions);

  /// Returns whether each expression has a truthy result for `object`. `old` is `$old`, or null. An
  /// object for which jq fails does not match; the first failure is logged with `name`, such as
  /// `pods default/web`, and without jq's message if `is_secret`. Returns false on `stop`.
  bool matches(const Object& object, const Object* old, std::string_view name, bool is_secret,
               const std::stop_token& stop);
  /// Returns true if the expressions certainly read nothing of the objects but their metadata.
  bool reads_only_metadata() const { return reads_.only("metadata"); }
  /// Returns true if an expression certainly reads the objects beyond their metadata.
  bool reads_beyond_metadata() const { return reads_.beyond_metadata(); }
  /// Returns how many objects jq failed on.
  std::uint64_t failures() const { return failures_; }

 private:
  Where() = default;
  Result<bool> evaluate(const Object& object, const Object* old, const std::stop_token& stop);

  std::vector<Jq> programs_;
  bool uses_old_ = false;
  JqReads reads_;  ///< of all programs
  std::atomic<std::uint64_t> failures_ = 0;
};

}  // namespace kinf
