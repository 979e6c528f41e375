// SPDX-License-Identifier: Apache-2.0
// kinf demo: runs one stage on the embedded sandbox, or on a real server if one is named.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <optional>
#include <thread>

#include "kinf/base/log.h"
#include "kinf/base/sync.h"
#include "kinf/cli/commands.h"
#include "kinf/cli/connection.h"
#include "kinf/cli/demo/stage.h"
#include "kinf/cli/error_report.h"
#include "kinf/cli/file_writer.h"
#include "kinf/informer/resource_version.h"

namespace kinf {
namespace {

struct StageEntry {
  std::string_view name;
  Result<> (*run)(Demo&);
};

constexpr std::array<StageEntry, 11> kStages = {{{"deltafifo", demo_deltafifo},
                                                 {"listwatch", demo_listwatch},
                                                 {"reflector", demo_reflector},
                                                 {"reflector-known", demo_reflector_known},
                                                 {"informer", demo_informer},
                                                 {"shared", demo_shared},
                                                 {"shared-listwatch", demo_shared_listwatch},
                                                 {"index-map", demo_index_map},
                                                 {"http", demo_http},
                                                 {"factory", demo_factory},
                                                 {"workqueue", demo_workqueue}}};

constexpr std::string_view kWeb =
    R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web",)"
    R"("namespace":"default"},"spec":{"replicas":1}})";

/// The scenario of the stage factory: a deployment exists at the start and is deleted after the
/// handler has received the first resync.
class WebStory {
 public:
  WebStory(Sandbox& sandbox, Clock& clock, ExitRequest& exit_request)
      : sandbox_(sandbox), clock_(clock), exit_request_(exit_request) {
    if (Result<> loaded = sandbox_.load(kWeb); !loaded) report(loaded.error());
    thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
  }
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
    if (Result<> erased = sandbox_.erase("apps/v1", "Deployment", "default", "web"); !erased) {
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

/// Implements Demo for one run of a stage. Destroys the sandbox after everything that uses it.
class DemoRun final : public Demo {
 public:
  DemoRun(const DemoCommand& command, const CommandContext& context)
      : command_(command), context_(context) {}

  Result<> open(bool with_web_story) {
    GlobalFlags flags = command_.global;
    const ConfigFlags& config = flags.config;
    const bool is_real = !config.kubeconfig.empty() || !config.overrides.context.empty() ||
                         !config.overrides.server.empty() || config.in_cluster;
    if (!is_real && !flags.sandbox) flags.sandbox = with_web_story ? "quiet" : "nettool";
    ConnectionNeeds needs;
    needs.speed = command_.speed;
    needs.on_scenario_end = [this] { on_idle(); };
    auto connection =
        Connection::open(flags, needs, context_.environment, context_.clock, context_.stop);
    if (!connection) return std::unexpected(std::move(connection).error());
    connection_ = *std::move(connection);
    if (with_web_story && connection_->sandbox() != nullptr) {
      web_.emplace(*connection_->sandbox(), context_.clock, context_.exit_request);
    }
    return {};
  }

  Clock& clock() override { return context_.clock; }
  std::stop_token stop() override { return context_.stop; }
  std::string ns() override {
    return command_.global.all_namespaces ? "" : connection_->config().default_namespace;
  }
  Clock::Duration resync() override { return command_.resync; }
  std::string listen() override { return command_.listen; }

  Result<std::unique_ptr<ListerWatcher>> source(std::string_view type) override {
    Result<ResourceType> resolved = connection_->resolve(type);
    if (!resolved) return std::unexpected(std::move(resolved).error());
    HttpSource source;
    source.type = *std::move(resolved);
    source.ns = ns();
    return connection_->source(std::move(source));
  }

  void print(const std::string& line) override {
    if (web_) web_->take(line);
    MutexLock lock(mu_);
    if (!out_.write(line + "\n")) context_.exit_request.set(out_.exit_code());
    on_idle();
  }
  void explain(std::string_view what, std::string_view file) override {
    if (!command_.explain) return;
    MutexLock lock(mu_);
    log::write_stderr(fmt::format("  {} ({})\n", what, file));
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

 private:
  const DemoCommand& command_;
  const CommandContext& context_;
  Mutex mu_;
  FileWriter out_ KINF_GUARDED_BY(mu_){STDOUT_FILENO, &context_.exit_request};
  std::unique_ptr<Connection> connection_;
  std::optional<WebStory> web_;
};

}  // namespace

Result<ExitCode> demo_command(const DemoCommand& command, const CommandContext& context) {
  const auto stage = std::ranges::find(kStages, command.stage, &StageEntry::name);
  if (stage == kStages.end()) {
    Error error(ErrorKind::usage, fmt::format("unknown stage \"{}\"", command.stage));
    error.hint = "available stages:";
    for (const StageEntry& one : kStages) error.hint.append(" ").append(one.name);
    return std::unexpected(std::move(error));
  }
  DemoRun demo(command, context);
  Result<> done = demo.open(stage->name == "factory");
  if (done) done = stage->run(demo);
  if (!done && !context.exit_request.code()) return std::unexpected(std::move(done).error());
  return context.exit_request.code().value_or(ExitCode::ok);
}

}  // namespace kinf
