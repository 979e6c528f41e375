// SPDX-License-Identifier: Apache-2.0
// Kubelet: the one thing that a sandbox does of what nodes do: a pod that was deleted ends
// after a moment, so that nobody waits for it for ever.
#pragma once

#include <map>
#include <stop_token>
#include <thread>

#include "kinf/sandbox/api/object_service.h"

namespace kinf::sandbox {

/// Threads: start() and stop() from one thread; a thread of its own does the work, and the
/// destructor stops and joins it.
class Kubelet {
 public:
  /// A pod ends `after` it was deleted, or after its grace time if that is shorter.
  Kubelet(ResourceStore& store, ObjectService& objects, const ApiTypes& types, Clock& clock,
          Clock::Duration after);

  void start();
  void stop() { thread_ = {}; }

 private:
  void run(const std::stop_token& stop);
  void note(const StoredObject& pod);
  void end_pods(const ApiType& type);
  Clock::Mono next() const;

  ResourceStore& store_;
  ObjectService& objects_;
  const ApiTypes& types_;
  Clock& clock_;
  const Clock::Duration after_;
  std::map<ObjectKey, Clock::Mono> ends_;  ///< of the pods that are going; only for the thread
  std::jthread thread_;
};

}  // namespace kinf::sandbox
