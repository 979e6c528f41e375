// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/session/clusters.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <stop_token>
#include <thread>
#include <utility>

#include "kinf/cli/connection/connection.h"
#include "kinf/cli/flags/global_flags.h"
#include "kinf/cli/runtime/exit_code.h"
#include "kinf/cli/session/informer_set.h"
#include "kinf/cli/session/status_line.h"
#include "kinf/client/config_choice.h"
#include "kinf/client/config_selection.h"

namespace kinf {
namespace {

/// Rejects flags that would make all contexts use the same cluster.
Result<void> check_flags(const GlobalFlags& global) {
  const ConfigOverrides& overrides = global.config.overrides;
  const std::pair<const char*, bool> unfit[] = {{"--sandbox", global.sandbox.has_value()},
                                                {"--server", !overrides.server.empty()},
                                                {"--cluster", !overrides.cluster.empty()}};
  for (const auto& [flag, given] : unfit) {
    if (given) return fail(ErrorKind::usage, "{} cannot be used with several contexts", flag);
  }
  return {};
}

}  // namespace

Result<std::vector<std::string>> chosen_contexts(const GlobalFlags& global,
                                                 const Environment& environment) {
  const std::string& text = global.config.overrides.context;
  if (text.find(',') == std::string::npos) return std::vector<std::string>();
  const Result<Kubeconfig> config = choose_kubeconfig(environment.config, global.config);
  if (!config) return fail(config);
  if (config->contexts.contains(text)) return std::vector<std::string>();
  std::vector<std::string> names;
  for (const std::string& name : split_commas(text)) {
    if (!config->contexts.contains(name)) {
      Error error = unknown_context(name, *config);
      error.kind = ErrorKind::internal;  // the same kind as for a single context
      return fail(std::move(error));
    }
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  if (Result<void> fine = check_flags(global); !fine) return fail(fine);
  return names;
}

bool have_different_namespaces(const std::vector<std::string>& names, const GlobalFlags& global,
                               const Environment& environment) {
  if (names.size() < 2) return false;  // a kubeconfig may be a pipe, which can be read only once
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

/// One attempt to use a cluster.
struct CommandCluster::Attempt {
  /// The exit code and context of an attempt, if the command has several clusters.
  struct Own {
    Own(const CommandContext& parent, Outage& outage)
        : context{.environment = parent.environment,
                  .clock = parent.clock,
                  .exit_request = exit_request,
                  .stop = exit_request.stop_token(),
                  .outage = &outage},
          parent_end(parent.stop, [this, &parent] {
            exit_request.set(parent.exit_request.code().value_or(ExitCode::ok));
          }) {}

    ExitRequest exit_request;
    CommandContext context;
    std::stop_callback<std::function<void()>> parent_end;
  };

  /// Releases what takes much memory, once the attempt has ended and another one follows: a cluster
  /// may be away for days. Keeps the types of the plan, which handlers and queued keys refer to.
  void release() {
    if (!session) return;
    session->status.reset();
    session->informers.reset();
    session->plan.memberships.reset();
    session->connection.reset();
  }

  std::unique_ptr<Own> own;  ///< null if the attempt uses the context of the command
  std::optional<Session> session;
};

CommandCluster::CommandCluster(std::string name, std::size_t rank, const CommandContext& parent)
    : name_(std::move(name)), rank_(rank), parent_(parent), outage_(name_, parent.clock) {}

CommandCluster::~CommandCluster() = default;

Session& CommandCluster::session() { return *attempts_.back()->session; }

const CommandContext& CommandCluster::context() const {
  const std::unique_ptr<Attempt::Own>& own = attempts_.back()->own;
  return own ? own->context : parent_;
}

Result<void> CommandCluster::open(const SessionRequest& request) {
  if (!attempts_.empty()) attempts_.back()->release();
  Attempt& now = *attempts_.emplace_back(std::make_unique<Attempt>());
  GlobalFlags global = request.global;
  if (!name_.empty()) {
    now.own = std::make_unique<Attempt::Own>(parent_, outage_);
    global.config.overrides.context = name_;
  }
  Result<Session> opened =
      open_session(global, request.flags, request.play, context(), request.deadline,
                   name_.empty() ? request.types : PlanTypes::all);
  if (!opened) return fail(opened);
  now.session = *std::move(opened);
  if (name_.empty()) return {};
  now.session->plan.cluster = name_;
  now.session->status.reset();  // the status lines of several clusters would overwrite each other
  return {};
}

void CommandCluster::fail_attempt(const Error& error) {
  if (error.kind != ErrorKind::stopped) outage_.report(error);
  context().exit_request.set(exit_code_for(error));
}

Clusters::Clusters(const SessionRequest& request, const CommandContext& parent,
                   std::vector<std::string> names)
    : request_(request),
      parent_(parent),
      names_(std::move(names)),
      different_namespaces_(
          kinf::have_different_namespaces(names_, request.global, parent.environment)),
      unreached_(names_.size()) {
  for (const std::string& name : names_) {
    all_.push_back(std::unique_ptr<CommandCluster>(new CommandCluster(name, all_.size(), parent)));
  }
  if (names_.empty()) {
    all_.push_back(std::unique_ptr<CommandCluster>(new CommandCluster("", 0, parent)));
  }
}

Result<std::unique_ptr<Clusters>> Clusters::create(const SessionRequest& request,
                                                   const CommandContext& parent) {
  Result<std::vector<std::string>> names = chosen_contexts(request.global, parent.environment);
  if (!names) return fail(names);
  std::unique_ptr<Clusters> clusters(new Clusters(request, parent, *std::move(names)));
  if (!clusters->names_.empty()) return clusters;
  if (Result<void> opened = clusters->all_.front()->open(request); !opened) return fail(opened);
  return clusters;
}

void Clusters::on_each(const std::function<void(CommandCluster&)>& act) {
  std::vector<std::jthread> threads;
  for (const auto& cluster : all_) threads.emplace_back([&act, &one = *cluster] { act(one); });
}

void Clusters::attempt(CommandCluster& cluster, const Work& work) {
  Result<void> done = cluster.open(request_);
  if (done) done = work(cluster);
  if (!done) {
    if (cluster.attempts_.back()->session && cluster.session().informers) {
      cluster.session().informers->stop();  // its handlers may be destroyed before the informers
    }
    return cluster.fail_attempt(done.error());
  }
  const std::unique_ptr<InformerSet>& informers = cluster.session().informers;
  if (informers && informers->monitor().all_synced()) cluster.worked_ = true;
}

Result<void> Clusters::run(const Work& work, const std::function<void(CommandCluster&)>& ended) {
  if (names_.empty()) return work(*all_.front());
  on_each([&](CommandCluster& cluster) {
    attempt(cluster, work);
    if (ended) ended(cluster);
  });
  return {};
}

Result<void> Clusters::keep_running(const Work& work) {
  if (names_.empty()) return work(*all_.front());
  on_each([&](CommandCluster& cluster) { repeat(cluster, work); });
  return {};
}

void Clusters::repeat(CommandCluster& cluster, const Work& work) {
  constexpr std::chrono::seconds kLastPause{30};
  bool is_first = true;
  for (std::chrono::seconds pause{1};; pause = std::min(pause * 2, kLastPause)) {
    attempt(cluster, work);
    if (parent_.exit_request.code()) return;
    const ExitCode code = cluster.code().value_or(ExitCode::ok);
    const bool is_away = code == ExitCode::no_server || code == ExitCode::denied;
    const bool is_last = is_first && !cluster.worked_ && --unreached_ == 0;
    is_first = false;
    const bool has_run = cluster.attempts_.back()->session.has_value();
    if (is_last || (has_run && !is_away)) return parent_.exit_request.set(code);
    if (!is_away) return;  // no retry, for example if the cluster has no such type
    cluster.outage_.attempt_failed();
    if (!sleep_until(parent_.clock, parent_.clock.now() + pause, parent_.stop)) return;
  }
}

std::vector<CommandCluster*> Clusters::readable() const {
  std::vector<CommandCluster*> readable;
  for (const auto& cluster : all_) {
    if (!cluster->code()) readable.push_back(cluster.get());
  }
  return readable;
}

std::vector<Session*> Clusters::sessions() const {
  std::vector<Session*> sessions;
  for (const auto& cluster : all_) {
    std::optional<Session>& session = cluster->attempts_.back()->session;
    if (session && session->informers) sessions.push_back(&*session);
  }
  return sessions;
}

std::optional<ExitCode> Clusters::failure() const {
  for (const auto& cluster : all_) {
    const std::optional<ExitCode> code = cluster->code();
    if (code) return *code == ExitCode::timed_out ? ExitCode::no_server : *code;
  }
  return std::nullopt;
}

ExitCode Clusters::with_failure(ExitCode code) const {
  if (!are_several()) return code;
  const bool is_fine = code == ExitCode::ok || code == ExitCode::not_found;
  return is_fine ? failure().value_or(code) : code;
}

}  // namespace kinf
