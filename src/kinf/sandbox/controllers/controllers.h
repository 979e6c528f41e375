// SPDX-License-Identifier: Apache-2.0
// Controllers: the scheduler, the kubelet and the controllers of the sandbox, on one thread. They
// wait until an object changes or something is due.
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
    bool enabled = true;  ///< false: only removes deleted pods
    double speed = 1;     ///< 2 halves all delays
    Cluster::IsScripted is_scripted = {};
    /// Returns true for deleted pods that a scenario removes itself.
    std::function<bool(const ObjectId& id)> is_removed_later = {};
  };

  Controllers(ResourceStore& store, ObjectService& objects, const ApiTypes& types, Clock& clock,
              Options options);

  void start();
  void stop() { thread_ = {}; }

  /// Reads what changed and writes what is due. Returns whether the store has changed meanwhile.
  bool step();
  /// Returns when something is due if nothing changes until then.
  Clock::Mono next() const;

 private:
  void run(const std::stop_token& stop);

  ResourceStore& store_;
  Cluster cluster_;
  std::vector<std::unique_ptr<ClusterController>> loops_;
  std::jthread thread_;
};

}  // namespace kinf::sandbox
