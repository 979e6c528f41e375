// SPDX-License-Identifier: Apache-2.0
// LiveWorker: a work queue and its worker in `kinf demo --live`. A handler adds keys; the worker
// takes one key per step and reads the object from the cache.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "kinf/demo/pipeline_picture.h"
#include "kinf/workqueue/rate_limiting_queue.h"

namespace kinf {

/// Threads: one.
class LiveWorker {
 public:
  struct Outcome {
    bool is_done = true;  ///< false: the key is queued again after a delay
    std::string text;     ///< what the worker did: `writes the label`
  };
  /// Works on a key. `failures`: how often it has failed for this key.
  using Work = std::function<Outcome(const std::string& key, int failures)>;
  /// Called with a sentence for each key that was worked on.
  using Tell = std::function<void(std::string sentence)>;

  LiveWorker(Clock& clock, Work work, Tell tell);

  void add(const std::string& key) { queue_.add(key); }
  /// Works on the next key. Returns false if none is due.
  bool step();
  /// Returns when a delayed key is due; kNever if there is none.
  Clock::Mono next_due() const;

  PipelinePicture::Handler picture();

 private:
  Clock& clock_;
  const Work work_;
  const Tell tell_;
  RateLimitingQueue queue_;
  std::map<std::string, Clock::Mono> retries_;  ///< delayed keys, and when they are due
  std::string last_;
};

}  // namespace kinf
