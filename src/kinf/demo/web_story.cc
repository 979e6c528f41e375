// SPDX-License-Identifier: Apache-2.0
#include "kinf/demo/web_story.h"

#include "kinf/cli/runtime/error_report.h"

namespace kinf {
namespace {

constexpr std::string_view kWeb =
    R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web",)"
    R"("namespace":"default"},"spec":{"replicas":1}})";

}  // namespace

WebStory::WebStory(Sandbox& sandbox, Clock& clock, ExitRequest& exit_request)
    : sandbox_(sandbox), clock_(clock), exit_request_(exit_request) {
  if (Result<> loaded = sandbox_.load(kWeb); !loaded) report(loaded.error());
  thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

void WebStory::take(std::string_view line) {
  if (!line.starts_with("update")) return;
  MutexLock lock(mu_);
  has_reminded_ = true;
  changed_.notify_all();
}

void WebStory::run(const std::stop_token& stop) {
  {
    MutexLock lock(mu_);
    while (!has_reminded_) {
      if (stop.stop_requested()) return;
      changed_.wait(mu_, stop);
    }
  }
  if (!sleep_until(clock_, clock_.now() + std::chrono::milliseconds(100), stop)) return;
  if (Result<> erased = sandbox_.erase("apps/v1", "Deployment", "default", "web"); !erased) {
    report(erased.error());
  }
  is_over_ = true;
  exit_request_.notify();
}

}  // namespace kinf
