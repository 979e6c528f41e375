// SPDX-License-Identifier: Apache-2.0
// LiveRequests: a list request, then a watch request without a version, without an informer, for
// `kinf demo --live`.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "kinf/demo/live_model.h"

namespace kinf {

/// Threads: one.
class LiveRequests final : public LiveModel {
 public:
  LiveRequests();
  ~LiveRequests() override;
  LiveRequests(const LiveRequests&) = delete;
  LiveRequests& operator=(const LiveRequests&) = delete;

 private:
  class Names;

  bool work() override;
  Clock::Mono next_due() const override { return Clock::kNever; }
  void draw(PipelinePicture& picture) const override;
  bool poll_list();
  bool poll_watch();
  /// Ends after a failed request: only a reflector tries again.
  void fail();

  const std::unique_ptr<LiveServer> server_;
  std::unique_ptr<Names> names_;
  std::unique_ptr<ListCall> list_;
  std::unique_ptr<WatchCall> watch_;
  std::string version_;              ///< of the list; empty before it has arrived
  std::vector<std::string> events_;  ///< newest first
  bool is_open_ = false;
  bool has_failed_ = false;
};

}  // namespace kinf
