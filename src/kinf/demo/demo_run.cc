// SPDX-License-Identifier: Apache-2.0
#include "kinf/demo/demo_run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "kinf/base/log.h"
#include "kinf/base/sync.h"
#include "kinf/cli/connection/connection.h"
#include "kinf/cli/flags/sandbox_flags.h"
#include "kinf/cli/runtime/commands.h"
#include "kinf/cli/runtime/error_report.h"
#include "kinf/cli/runtime/exit_request.h"
#include "kinf/cli/runtime/file_writer.h"
#include "kinf/client/http_lister_watcher.h"
#include "kinf/demo/stages/places.h"
#include "kinf/demo/stages/stage.h"
#include "kinf/informer/version_tracker.h"
#include "kinf/sandbox/sandbox.h"

namespace kinf {
namespace {

constexpr std::string_view kWeb =
    R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web",)"
    R"("namespace":"default"},"spec":{"replicas":1}})";

/// The scenario of the stage `factory`: a deployment exists at the start and is deleted after the
/// handler has received the first resync.
/// Threads: any thread may call take() and is_over(). Owns one thread.
class WebStory {
 public:
  /// All references must outlive this object.
  WebStory(Sandbox& sandbox, Clock& clock, ExitRequest& exit_request)
      : sandbox_(sandbox), clock_(clock), exit_request_(exit_request) {
    if (Result<void> loaded = sandbox_.load(kWeb); !loaded) report(loaded.error());
    thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
  }
  /// Called with each line that the stage prints. The first `update` line starts the deletion.
  void take(std::string_view line) {
    if (!line.starts_with("update")) return;
    MutexLock lock(mu_);
    has_reminded_ = true;
    changed_.notify_all();
  }
  bool is_over() const { return is_over_; }

 private:
  void run(const std::stop_token& stop) {
    {
      MutexLock lock(mu_);
      while (!has_reminded_) {
        if (stop.stop_requested()) return;
        changed_.wait(mu_, stop);
      }
    }
    if (!sleep_until(clock_, clock_.now() + std::chrono::milliseconds(100), stop)) return;
    if (Result<void> erased = sandbox_.erase("apps/v1", "Deployment", "default", "web"); !erased) {
      report(erased.error());
    }
    is_over_ = true;
    exit_request_.notify();
  }

  Sandbox& sandbox_;
  Clock& clock_;
  ExitRequest& exit_request_;
  Mutex mu_;
  CondVar changed_;
  bool has_reminded_ KINF_GUARDED_BY(mu_) = false;
  std::atomic<bool> is_over_ = false;
  std::jthread thread_;
};

bool names_server(const ConfigFlags& config) {
  return !config.kubeconfig.empty() || !config.overrides.context.empty() ||
         !config.overrides.server.empty() || config.in_cluster;
}

std::string path_of(const Object& pod) {
  return fmt::format("/api/v1/namespaces/{}/pods/{}", pod.ns(), pod.name());
}

/// Implements Demo for one run of a stage.
class DemoRun final : public Demo {
 public:
  /// All references must outlive this object.
  DemoRun(const DemoStage& stage, const DemoCommand& command, const CommandContext& context)
      : stage_(stage), command_(command), context_(context) {}

  /// Opens the connection that the stage needs.
  Result<void> open() {
    const bool has_web_story = stage_.name == "factory";
    default_resync_ = std::chrono::seconds(has_web_story ? 60 : 1);
    if (stage_.server == StageServer::none) return {};
    GlobalFlags flags = command_.global;
    if (!names_server(flags.config) && !flags.sandbox) {
      flags.sandbox = has_web_story ? "quiet" : "nettool";
    }
    ConnectionNeeds needs;
    needs.play_scenario = stage_.server == StageServer::scenario;
    needs.speed = command_.speed.value_or(1);
    needs.relay = stage_.server == StageServer::sandbox_only;
    needs.on_scenario_end = [this] { on_idle(); };
    auto connection =
        Connection::open(flags, needs, context_.environment, context_.clock, context_.stop);
    if (!connection) return std::unexpected(std::move(connection).error());
    connection_ = *std::move(connection);
    if (has_web_story && connection_->sandbox() != nullptr) {
      web_.emplace(*connection_->sandbox(), context_.clock, context_.exit_request);
    }
    return {};
  }

  Clock& clock() override { return context_.clock; }
  std::stop_token stop() override { return context_.stop; }
  std::string ns() override {
    return command_.global.all_namespaces ? "" : connection_->config().default_namespace;
  }
  Clock::Duration resync() override { return command_.resync.value_or(default_resync_); }
  QueueKind queue() override {
    return command_.queue.value_or(stage_.queue == StageQueue::delta ? QueueKind::delta
                                                                     : QueueKind::in_order_atomic);
  }
  std::string listen() override { return command_.listen.value_or("127.0.0.1:8080"); }
  Result<std::unique_ptr<ListerWatcher>> source(std::string_view type) override {
    Result<ResourceType> resolved = connection_->resolve(type);
    if (!resolved) return std::unexpected(std::move(resolved).error());
    HttpSource source;
    source.type = *std::move(resolved);
    source.ns = ns();
    Result<std::unique_ptr<HttpListerWatcher>> made = connection_->source(std::move(source));
    if (!made) return std::unexpected(std::move(made).error());
    sources_.push_back(made->get());
    return *std::move(made);
  }
  std::uint64_t bytes_received() override {
    std::uint64_t bytes = 0;
    for (const HttpListerWatcher* const source : sources_) bytes += source->bytes_received();
    sources_.clear();
    return bytes;
  }
  Result<void> patch_pod(const Object& pod, const std::string& patch) override {
    return connection_->sandbox()->patch(path_of(pod), patch);
  }
  Result<void> delete_pod(const Object& pod) override {
    return connection_->sandbox()->remove(path_of(pod));
  }
  Result<void> inject(std::string_view fault) override {
    return connection_->sandbox()->inject(fault);
  }
  void print(const std::string& line) override {
    if (web_) web_->take(line);
    MutexLock lock(mu_);
    if (!out_.write(line + "\n")) context_.exit_request.set(out_.exit_code());
    on_idle();
  }
  void explain(const Place& place, const std::string& what) override {
    if (!command_.explain) return;
    MutexLock lock(mu_);
    if (!explained_.emplace(place.file, place.line).second) return;
    log::write_stderr(fmt::format("  {} ({}:{})\n", what, place.file, place.line));
  }
  /// With --explain, prints which queue the stage uses.
  void explain_queue() {
    if (stage_.queue == StageQueue::none) return;
    const bool is_delta = queue() == QueueKind::delta;
    explain(is_delta ? kDeltaQueue : kInOrderQueue,
            is_delta ? "the queue is the DeltaFIFO: one entry for each object, with its changes"
                     : "the queue is in order, like the RealFIFO of client-go: one entry for each "
                       "change");
  }
  bool is_over(const std::string& version) override {
    if (context_.stop.stop_requested()) return true;
    if (!web_) return connection_->has_scenario_ended_at(version);
    return web_->is_over() && !is_older_version(version, connection_->sandbox()->version());
  }
  void wait_until(const std::function<bool()>& done) override {
    while (!context_.stop.stop_requested() && !done()) context_.exit_request.wait(context_.clock);
  }
  void on_idle() override { context_.exit_request.notify(); }
  void on_watch_opened() override { on_idle(); }

 private:
  const DemoStage& stage_;
  const DemoCommand& command_;
  const CommandContext& context_;
  Clock::Duration default_resync_{};
  Mutex mu_;
  FileWriter out_ KINF_GUARDED_BY(mu_){STDOUT_FILENO, &context_.exit_request};
  std::set<std::pair<std::string_view, int>> explained_ KINF_GUARDED_BY(mu_);
  std::unique_ptr<Connection> connection_;  ///< null if the stage needs no server
  std::vector<const HttpListerWatcher*> sources_;
  std::optional<WebStory> web_;
};

}  // namespace

Result<void> run_stage(const DemoStage& stage, const DemoCommand& command,
                       const CommandContext& context) {
  DemoRun demo(stage, command, context);
  if (Result<void> opened = demo.open(); !opened) return opened;
  demo.explain_queue();
  return stage.run(demo);
}

}  // namespace kinf
