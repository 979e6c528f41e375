// SPDX-License-Identifier: Apache-2.0
// Outage: reports the failures of one of several clusters, each once, and their end.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>

#include "kinf/base/clock.h"
#include "kinf/base/error.h"
#include "kinf/base/sync.h"

namespace kinf {

/// Outlives the attempts to use the cluster, so that retries do not report the same failure again.
/// Threads: any.
class Outage {
 public:
  /// `clock` must outlive this object.
  Outage(std::string context, const Clock& clock) : context_(std::move(context)), clock_(clock) {}

  /// Writes the error with the name of the context. Writes each kind of network error once until
  /// end() is called, and each denial once, because the server may deny every type with a message
  /// of its own.
  void report(const Error& error);
  /// Notes that an attempt to use the cluster has failed, so that end() logs the recovery.
  void attempt_failed();
  /// Call it when the cluster has been read. If attempts have failed, logs how long that lasted.
  void end();

 private:
  const std::string context_;
  const Clock& clock_;
  Mutex mu_;
  std::set<std::string> reported_ KINF_GUARDED_BY(mu_);  ///< what report() has written
  /// The first failure since the last end().
  std::optional<Clock::Mono> since_ KINF_GUARDED_BY(mu_);
  bool has_failed_ KINF_GUARDED_BY(mu_) = false;  ///< attempt_failed() was called
};

}  // namespace kinf
