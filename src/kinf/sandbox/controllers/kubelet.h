// SPDX-License-Identifier: Apache-2.0
// Kubelet: removes deleted pods. It does nothing else that a real kubelet does.
#pragma once

#include <map>
#include <stop_token>
#include <thread>

#include "kinf/sandbox/api/object_service.h"

namespace kinf::sandbox {

/// Threads: call start() and stop() from one thread. A background thread does the work. stop() and
/// the destructor join it.
class Kubelet {
 public:
  /// Removes a deleted pod after the time `after`, or after its grace period if that is shorter.
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
  std::map<ObjectKey, Clock::Mono> ends_;  ///< removal times; used only by `thread_`
  std::jthread thread_;
};

}  // namespace kinf::sandbox
