// SPDX-License-Identifier: Apache-2.0
// WebStory: the scenario of the stage factory: a deployment exists at the start and is deleted
// after the handler has received the first resync.
#pragma once

#include <atomic>
#include <string_view>
#include <thread>

#include "kinf/base/sync.h"
#include "kinf/cli/runtime/exit_request.h"
#include "kinf/sandbox/sandbox.h"

namespace kinf {

/// Threads: any thread may call take() and is_over(). Owns one thread.
class WebStory {
 public:
  /// All references must outlive this object.
  WebStory(Sandbox& sandbox, Clock& clock, ExitRequest& exit_request);
  /// Looks at a line that the stage prints.
  void take(std::string_view line);
  bool is_over() const { return is_over_; }

 private:
  void run(const std::stop_token& stop);

  Sandbox& sandbox_;
  Clock& clock_;
  ExitRequest& exit_request_;
  Mutex mu_;
  CondVar changed_;
  bool has_reminded_ KINF_GUARDED_BY(mu_) = false;
  std::atomic<bool> is_over_ = false;
  std::jthread thread_;
};

}  // namespace kinf
