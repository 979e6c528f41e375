// SPDX-License-Identifier: Apache-2.0
// FaultInjector: decides which requests for objects get which protocol fault. The API asks it about
// each request and acts on the result.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "kinf/api/group_version_resource.h"
#include "kinf/base/random.h"
#include "kinf/base/sync.h"
#include "kinf/sandbox/faults/fault_spec.h"

namespace kinf::sandbox {

/// The properties of a request that faults depend on.
struct ObjectRequest {
  std::string verb;  ///< `list`, `watch`, `get`, `create` …
  GroupVersionResource gvr;
  bool continues = false;       ///< a list request with a continue token
  bool streaming_list = false;  ///< a watch with sendInitialEvents
};

/// What to do to a request. By default nothing.
struct RequestFault {
  /// The request is refused: the fault is error, too_many or deny.
  std::optional<FaultSpec> refusal;
  bool expired = false;  ///< answer the continue token or the watch's version with 410
  bool garbage = false;  ///< put invalid JSON into the response
  bool omit_initial_events_end = false;  ///< leave out the bookmark at the end
};

/// Only `deny` applies to writes, so faults never change which objects exist.
/// Threads: every call from any thread.
class FaultInjector {
 public:
  /// Adds a fault to the pending ones. `none` removes all faults; byte faults are ignored.
  void add(const FaultSpec& spec);
  /// Returns the fault for this request. Counts down a fault that applies a number of times.
  RequestFault take(const ObjectRequest& request);

 private:
  std::optional<FaultSpec> take_pending(const ObjectRequest& request) KINF_REQUIRES(mu_);
  std::optional<FaultSpec> random_fault(const ObjectRequest& request) KINF_REQUIRES(mu_);

  Mutex mu_;
  std::vector<FaultSpec> pending_ KINF_GUARDED_BY(mu_);
  std::set<std::string> denied_ KINF_GUARDED_BY(mu_);
  bool omit_initial_events_end_ KINF_GUARDED_BY(mu_) = false;
  std::optional<Random> random_ KINF_GUARDED_BY(mu_);
  double rate_ KINF_GUARDED_BY(mu_) = 0;
};

/// Inserts invalid JSON into the middle of `list_text`.
std::string damaged(std::string list_text);

/// A watch event of one line that is not valid JSON.
std::string garbage_event();

}  // namespace kinf::sandbox
