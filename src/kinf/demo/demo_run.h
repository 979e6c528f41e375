// SPDX-License-Identifier: Apache-2.0
// DemoRun: implements Demo for one run of a stage, on the embedded sandbox or a real server.
#pragma once

#include <unistd.h>

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "kinf/base/sync.h"
#include "kinf/cli/connection/connection.h"
#include "kinf/cli/runtime/commands.h"
#include "kinf/cli/runtime/file_writer.h"
#include "kinf/demo/stage_table.h"
#include "kinf/demo/web_story.h"

namespace kinf {

class DemoRun final : public Demo {
 public:
  /// All references must outlive this object.
  DemoRun(const DemoCommand& command, const CommandContext& context)
      : command_(command), context_(context) {}

  /// Opens the connection that the stage needs.
  Result<> open(const DemoStage& stage);

  Clock& clock() override { return context_.clock; }
  std::stop_token stop() override { return context_.stop; }
  std::string ns() override;
  Clock::Duration resync() override;
  std::string listen() override { return command_.listen.value_or("127.0.0.1:8080"); }
  Result<std::unique_ptr<ListerWatcher>> source(std::string_view type) override;
  std::uint64_t bytes_received() override;
  Result<> patch_pod(const Object& pod, const std::string& patch) override;
  Result<> inject(std::string_view fault) override;
  void print(const std::string& line) override;
  void explain(const Place& place, const std::string& what) override;
  bool is_over(const std::string& version) override;
  void wait_until(const std::function<bool()>& done) override;
  void on_idle() override { context_.exit_request.notify(); }
  void on_watch_opened() override { on_idle(); }

 private:
  const DemoCommand& command_;
  const CommandContext& context_;
  Clock::Duration default_resync_{};
  Mutex mu_;
  FileWriter out_ KINF_GUARDED_BY(mu_){STDOUT_FILENO, &context_.exit_request};
  std::set<std::pair<std::string_view, int>> explained_ KINF_GUARDED_BY(mu_);
  std::unique_ptr<Connection> connection_;  ///< null: the stage needs no server
  std::vector<const HttpListerWatcher*> sources_;
  std::optional<WebStory> web_;
};

}  // namespace kinf
