// SPDX-License-Identifier: Apache-2.0
// FaultInjector: decides which requests for objects meet which fault of the protocol. No sockets
// and no answers: the API asks it about each request and acts on what it returns.
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

/// What the injector has to know of a request for objects.
struct ObjectRequest {
  std::string verb;  ///< `list`, `watch`, `get`, `create` …
  GroupVersionResource gvr;
  bool continues = false;       ///< a list page that is not the first
  bool streaming_list = false;  ///< a watch that asks for what is there, up to a mark
};

/// How a request is to go wrong; by default it does not.
struct RequestFault {
  /// The request is refused: the fault is error, too_many or deny.
  std::optional<FaultSpec> refusal;
  bool expired = false;  ///< the continue token, or the version that the watch begins from
  bool garbage = false;  ///< bytes that are no JSON somewhere in the answer
  bool omit_initial_events_end = false;  ///< the streaming list does not say when it is complete
};

/// Errors, 410 and garbage hit reads only, so that a fault never decides what the objects are.
/// Threads: every call from any thread.
class FaultInjector {
 public:
  /// Faults of several kinds wait side by side, those of one kind add up. None ends all; a fault
  /// that is not of the protocol is ignored.
  void add(const FaultSpec& spec);
  /// The fault that this request meets. A fault with a number of times is used up by it.
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

/// `list_text` with some of its middle overwritten by bytes that are no JSON.
std::string damaged(std::string list_text);

/// A watch event that is no JSON, as a line of its own.
std::string garbage_event();

}  // namespace kinf::sandbox
