// SPDX-License-Identifier: Apache-2.0
// Controllers: the scheduler, the kubelet and the controllers of the sandbox, on one thread. The
// thread waits until an object changes or a controller is due.
#pragma once

#include <memory>
#include <stop_token>
#include <thread>
#include <vector>

#include "kinf/sandbox/controllers/cluster.h"

namespace kinf::sandbox {

/// Threads: call start() and stop() from one thread. stop() and the destructor join the background
/// thread. Instead of start(), a test can call step() on its own thread.
class Controllers {
 public:
  struct Options {
    bool enabled = true;  ///< false: only deleted pods are removed, nothing else runs
    double speed = 1;     ///< speed factor; 2 halves all delays
    Cluster::IsScripted is_scripted = {};
    /// Returns true for a deleted pod that a later step of the scenario removes.
    std::function<bool(const ObjectId& id)> is_removed_later = {};
  };

  Controllers(ResourceStore& store, ObjectService& objects, const ApiTypes& types, Clock& clock,
              Options options);

  void start();
  void stop() { thread_ = {}; }

  /// Reads the changes of the store and performs the writes that are due. Returns whether the store
  /// has changed since it was read.
  bool step();
  /// Returns when to call step() again if the store does not change until then.
  Clock::Mono next() const;

 private:
  void run(const std::stop_token& stop);

  ResourceStore& store_;
  Cluster cluster_;
  std::vector<std::unique_ptr<ClusterController>> loops_;
  std::jthread thread_;
};

}  // namespace kinf::sandbox
