// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/session/clusters.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <thread>
#include <utility>

#include "kinf/cli/runtime/error_report.h"
#include "kinf/cli/runtime/exit_code.h"
#include "kinf/client/config_choice.h"
#include "kinf/client/config_selection.h"

namespace kinf {
namespace {

/// Rejects flags that would make all contexts one cluster.
Result<void> check_flags(const GlobalFlags& global) {
  const ConfigOverrides& overrides = global.config.overrides;
  const std::pair<const char*, bool> unfit[] = {{"--sandbox", global.sandbox.has_value()},
                                                {"--server", !overrides.server.empty()},
                                                {"--cluster", !overrides.cluster.empty()}};
  for (const auto& [flag, given] : unfit) {
    if (given) {
      return fail(ErrorKind::usage, fmt::format("{} cannot be used with several contexts", flag));
    }
  }
  return {};
}

}  // namespace

Result<std::vector<std::string>> chosen_contexts(const GlobalFlags& global,
                                                 const Environment& environment) {
  const std::string& text = global.config.overrides.context;
  if (text.find(',') == std::string::npos) return std::vector<std::string>();
  const Result<Kubeconfig> config = choose_kubeconfig(environment.config, global.config);
  if (!config) return std::unexpected(config.error());
  if (config->contexts.contains(text)) return std::vector<std::string>();
  std::vector<std::string> names;
  for (const std::string& name : split_commas(text)) {
    if (!config->contexts.contains(name)) {
      Error error = unknown_context(name, *config);
      error.kind = ErrorKind::internal;  // as for one context
      return std::unexpected(std::move(error));
    }
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  if (Result<void> fine = check_flags(global); !fine) return std::unexpected(fine.error());
  return names;
}

bool have_different_namespaces(const std::vector<std::string>& names, const GlobalFlags& global,
                               const Environment& environment) {
  if (global.all_namespaces || !global.config.overrides.name_space.empty()) return false;
  const Result<Kubeconfig> config = choose_kubeconfig(environment.config, global.config);
  if (!config) return false;
  std::set<std::string> namespaces;
  for (const std::string& name : names) {
    const auto found = config->contexts.find(name);
    if (found == config->contexts.end()) continue;
    const std::string& ns = found->second.name_space;
    namespaces.insert(ns.empty() ? "default" : ns);
  }
  return namespaces.size() > 1;
}

Cluster::Cluster(std::string name, std::size_t rank, const CommandContext& parent)
    : name_(std::move(name)), rank_(rank), parent_(parent) {}

Cluster::Attempt::Attempt(const CommandContext& parent)
    : context{parent.environment, parent.clock, exit_request, exit_request.stop_token()},
      parent_end(parent.stop, [this, &parent] {
        exit_request.set(parent.exit_request.code().value_or(ExitCode::ok));
      }) {}

Cluster::Attempt& Cluster::attempt(const GlobalFlags& global, const InformerFlags& flags, bool play,
                                   Clock::Mono deadline) {
  attempts_.push_back(std::make_unique<Attempt>(parent_));
  Attempt& now = *attempts_.back();
  GlobalFlags own = global;
  own.config.overrides.context = name_;
  Result<Session> opened = open_session(own, flags, play, now.context, deadline);
  if (opened) {
    now.session = *std::move(opened);
    now.session->plan.cluster = name_;
    now.session->status.reset();  // the lines of several clusters would replace each other
  } else {
    fail_attempt(opened.error());
  }
  return now;
}

void Cluster::fail_attempt(const Error& error) {
  if (error.kind != ErrorKind::stopped && !std::exchange(failing_, true)) report(error, name_);
  last().exit_request.set(exit_code_for(error));
}

Clusters::Clusters(const std::vector<std::string>& names, const CommandContext& parent)
    : parent_(parent), unreached_(names.size()) {
  for (const std::string& name : names) {
    all_.push_back(std::make_unique<Cluster>(name, all_.size(), parent));
  }
}

void Clusters::run(const std::function<void(Cluster&)>& work) {
  std::vector<std::jthread> threads;
  for (const auto& cluster : all_) {
    threads.emplace_back([&work, &one = *cluster] { work(one); });
  }
}

std::optional<ExitCode> Clusters::failure() const {
  for (const auto& cluster : all_) {
    const std::optional<ExitCode> code = cluster->last().exit_request.code();
    if (code) return *code == ExitCode::timed_out ? ExitCode::no_server : *code;
  }
  return std::nullopt;
}

ExitCode Clusters::with_failure(ExitCode code) const {
  const bool is_fine = code == ExitCode::ok || code == ExitCode::not_found;
  return is_fine ? failure().value_or(code) : code;
}

void Clusters::keep_running(const std::function<void(Cluster&)>& work) {
  run([&](Cluster& cluster) { repeat(cluster, work); });
}

void Clusters::repeat(Cluster& cluster, const std::function<void(Cluster&)>& work) {
  constexpr std::chrono::seconds kLongestPause{30};
  bool is_first = true;
  for (std::chrono::seconds pause{1};; pause = std::min(pause * 2, kLongestPause)) {
    work(cluster);
    if (parent_.exit_request.code()) return;
    const ExitCode code = cluster.last().exit_request.code().value_or(ExitCode::ok);
    const bool is_away = code == ExitCode::no_server || code == ExitCode::denied;
    const bool is_last = is_first && !cluster.worked() && --unreached_ == 0;
    is_first = false;
    const bool has_run = cluster.last().session.has_value();
    if (is_last || (has_run && !is_away)) return parent_.exit_request.set(code);
    if (!is_away) return;  // for example, the cluster has no such type
    if (!sleep_until(parent_.clock, parent_.clock.now() + pause, parent_.stop)) return;
  }
}

}  // namespace kinf
