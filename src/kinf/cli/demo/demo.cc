// SPDX-License-Identifier: Apache-2.0
// kinf demo: runs one stage on the embedded sandbox, or on a real server if one is named.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <optional>
#include <thread>

#include "kinf/base/sync.h"
#include "kinf/cli/commands.h"
#include "kinf/cli/connection.h"
#include "kinf/cli/demo/stage.h"
#include "kinf/cli/error_report.h"
#include "kinf/cli/file_writer.h"

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

/// The story of the stage factory, which the sandbox does not tell by itself: a deployment that is
/// there from the start and is deleted once the handler has been reminded of it.
class WebStory {
 public:
  WebStory(Sandbox& sandbox, Clock& clock) : sandbox_(sandbox), clock_(clock) {
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
  }

  Sandbox& sandbox_;
  Clock& clock_;
  Mutex mu_;
  CondVar changed_;
  bool has_reminded_ KINF_GUARDED_BY(mu_) = false;
  std::atomic<bool> is_over_ = false;
  std::jthread thread_;
};

/// What a stage is given. The sandbox ends behind everything that talks to it.
class DemoRun final : public Demo {
 public:
  DemoRun(const DemoCommand& command, const Surroundings& around)
      : command_(command), around_(around) {}

  Result<> open(bool tells_of_web) {
    GlobalFlags flags = command_.global;
    const bool is_real = !flags.kubeconfig.empty() || !flags.context.empty() ||
                         !flags.server.empty() || flags.in_cluster;
    if (!is_real && !flags.sandbox) flags.sandbox = tells_of_web ? "quiet" : "nettool";
    ConnectionNeeds needs;
    needs.speed = command_.speed;
    auto connection =
        Connection::open(flags, needs, around_.environment, around_.clock, around_.stop);
    if (!connection) return std::unexpected(std::move(connection).error());
    connection_ = *std::move(connection);
    if (tells_of_web && connection_->sandbox() != nullptr) {
      web_.emplace(connection_->sandbox()->server(), around_.clock);
    }
    return {};
  }

  Clock& clock() override { return around_.clock; }
  std::stop_token stop() override { return around_.stop; }
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
    if (!out_.write(line + "\n")) around_.ending.end(ExitCode::broken_pipe);
  }
  void explain(std::string_view what, std::string_view file) override {
    if (!command_.explain) return;
    MutexLock lock(mu_);
    FileWriter(STDERR_FILENO).write(fmt::format("  {} ({})\n", what, file));
  }

  bool is_over(const std::string& version) override {
    if (around_.stop.stop_requested()) return true;
    const LocalSandbox* sandbox = connection_->sandbox();
    if (sandbox == nullptr) return false;
    if (web_) return web_->is_over() && sandbox->has_come_to_now(version);
    return sandbox->is_over() && sandbox->has_all(version);
  }

 private:
  const DemoCommand& command_;
  const Surroundings& around_;
  Mutex mu_;
  FileWriter out_ KINF_GUARDED_BY(mu_){STDOUT_FILENO};
  std::unique_ptr<Connection> connection_;
  std::optional<WebStory> web_;
};

Result<> run_stage(const DemoCommand& command, const Surroundings& around) {
  const auto stage = std::ranges::find(kStages, command.stage, &StageEntry::name);
  if (stage == kStages.end()) {
    Error error(ErrorKind::usage, fmt::format("no stage \"{}\"", command.stage));
    error.hint = "the stages are";
    for (const StageEntry& one : kStages) error.hint.append(" ").append(one.name);
    return std::unexpected(std::move(error));
  }
  DemoRun demo(command, around);
  if (Result<> opened = demo.open(stage->name == "factory"); !opened) return opened;
  return stage->run(demo);
}

}  // namespace

ExitCode run_demo(const DemoCommand& command, const Surroundings& around) {
  const Result<> done = run_stage(command, around);
  if (done || around.ending.code()) return around.ending.code().value_or(ExitCode::ok);
  report(done.error());
  return exit_code_for(done.error());
}

}  // namespace kinf
