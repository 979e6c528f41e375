// SPDX-License-Identifier: Apache-2.0
// FaultInjector: decides which protocol fault applies to each request for objects. Router calls it
// for each request and applies the result.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "kinf/api/group_version_resource.h"
#include "kinf/base/random.h"
#include "kinf/base/sync.h"
#include "kinf/sandbox/faults/fault_spec.h"

namespace kinf::sandbox {

/// The properties of a request that determine which faults can affect it.
struct ObjectRequest {
  std::string verb;  ///< `list`, `watch`, `get`, `create` …
  GroupVersionResource gvr;
  bool continues = false;       ///< whether the request is a list with a continue token
  bool streaming_list = false;  ///< whether the request is a watch with sendInitialEvents
};

/// The fault to apply to one request. By default there is none.
struct RequestFault {
  /// If set, the request is refused with this fault, whose kind is error, too_many or deny.
  std::optional<FaultSpec> refusal;
  bool expired = false;                  ///< reject the continue token or the watch with 410
  bool garbage = false;                  ///< insert invalid JSON into the response
  bool omit_initial_events_end = false;  ///< omit the bookmark that ends the initial events
};

/// Faults never change objects: only `deny` affects writes, and it rejects them.
/// Threads: all functions may be called from any thread.
class FaultInjector {
 public:
  /// Adds a fault. `none` removes all faults. Ignores byte faults.
  void add(const FaultSpec& spec);
  /// Returns the fault to apply to this request. Decrements the fault's remaining count.
  RequestFault take(const ObjectRequest& request);

 private:
  std::optional<FaultSpec> take_pending(const ObjectRequest& request) KINF_REQUIRES(mu_);
  std::optional<FaultSpec> random_fault(const ObjectRequest& request) KINF_REQUIRES(mu_);

  Mutex mu_;
  std::vector<FaultSpec> pending_ KINF_GUARDED_BY(mu_);
  std::set<std::string> denied_ KINF_GUARDED_BY(mu_);
  bool omit_initial_events_end_ KINF_GUARDED_BY(mu_) = false;
  std::optional<Random> random_ KINF_GUARDED_BY(mu_);
  double rate_ KINF_GUARDED_BY(mu_) = 0;  ///< probability of a random fault per read
};

/// Returns `list_text` with invalid JSON inserted in the middle.
std::string damaged(std::string list_text);

/// Returns a line of a watch stream that is not valid JSON.
std::string garbage_event();

}  // namespace kinf::sandbox
