// SPDX-License-Identifier: Apache-2.0
#include "kinf/demo/demo_run.h"

#include <fmt/format.h>
#include <httplib.h>

#include "kinf/base/log.h"
#include "kinf/informer/version_tracker.h"

namespace kinf {
namespace {

bool names_server(const ConfigFlags& config) {
  return !config.kubeconfig.empty() || !config.overrides.context.empty() ||
         !config.overrides.server.empty() || config.in_cluster;
}

}  // namespace

Result<> DemoRun::open(const DemoStage& stage) {
  const bool has_web_story = stage.name == "factory";
  default_resync_ = std::chrono::seconds(has_web_story ? 60 : 1);
  if (stage.server == StageServer::none) return {};
  GlobalFlags flags = command_.global;
  if (!names_server(flags.config) && !flags.sandbox) {
    flags.sandbox = has_web_story ? "quiet" : "nettool";
  }
  ConnectionNeeds needs;
  needs.play_scenario = stage.server == StageServer::scenario;
  needs.speed = command_.speed.value_or(1);
  needs.relay = stage.server == StageServer::sandbox_only;
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

std::string DemoRun::ns() {
  return command_.global.all_namespaces ? "" : connection_->config().default_namespace;
}

Clock::Duration DemoRun::resync() { return command_.resync.value_or(default_resync_); }

Result<std::unique_ptr<ListerWatcher>> DemoRun::source(std::string_view type) {
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

std::uint64_t DemoRun::bytes_received() {
  std::uint64_t bytes = 0;
  for (const HttpListerWatcher* const source : sources_) bytes += source->bytes_received();
  sources_.clear();
  return bytes;
}

Result<> DemoRun::patch_pod(const Object& pod, const std::string& patch) {
  httplib::Client client(connection_->sandbox()->direct_url());
  const std::string path = fmt::format("/api/v1/namespaces/{}/pods/{}", pod.ns(), pod.name());
  const httplib::Result answer = client.Patch(path, patch, "application/merge-patch+json");
  if (!answer) return fail(ErrorKind::network, "patch " + path + ": no answer");
  if (answer->status != 200) {
    return fail(ErrorKind::internal, fmt::format("patch {}: status {}", path, answer->status));
  }
  return {};
}

Result<> DemoRun::inject(std::string_view fault) { return connection_->sandbox()->inject(fault); }

void DemoRun::print(const std::string& line) {
  if (web_) web_->take(line);
  MutexLock lock(mu_);
  if (!out_.write(line + "\n")) context_.exit_request.set(out_.exit_code());
  on_idle();
}

void DemoRun::explain(const Place& place, const std::string& what) {
  if (!command_.explain) return;
  MutexLock lock(mu_);
  if (!explained_.emplace(place.file, place.line).second) return;
  log::write_stderr(fmt::format("  {} ({}:{})\n", what, place.file, place.line));
}

bool DemoRun::is_over(const std::string& version) {
  if (context_.stop.stop_requested()) return true;
  if (!web_) return connection_->has_scenario_ended_at(version);
  return web_->is_over() && !is_older_version(version, connection_->sandbox()->version());
}

void DemoRun::wait_until(const std::function<bool()>& done) {
  while (!context_.stop.stop_requested() && !done()) context_.exit_request.wait(context_.clock);
}

}  // namespace kinf
