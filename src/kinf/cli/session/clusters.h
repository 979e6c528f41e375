// SPDX-License-Identifier: Apache-2.0
// Clusters: runs a command on its cluster, or on several at the same time (--context A,B).
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kinf/cli/session/outage.h"
#include "kinf/cli/session/session.h"

namespace kinf {

/// Returns the contexts of a list in --context, each once. Returns none if the flag is not a list:
/// it has no comma, or the whole text is the name of a context. Blocks on the disk. Errors:
/// internal, for a context that does not exist; usage, for flags that do not fit several contexts.
Result<std::vector<std::string>> chosen_contexts(const GlobalFlags& global,
                                                 const Environment& environment);

/// Returns whether the contexts have different default namespaces, and no flag replaces them.
bool have_different_namespaces(const std::vector<std::string>& names, const GlobalFlags& global,
                               const Environment& environment);

/// The arguments of open_session() for the sessions of a command. The references must outlive this
/// object.
struct SessionRequest {
  const GlobalFlags& global;
  const InformerFlags& flags;
  bool play = true;
  Clock::Mono deadline = Clock::kNever;
  PlanTypes types = PlanTypes::all;  ///< for a single cluster; several always use PlanTypes::all
};

/// One cluster of a command. If the command has several clusters, each attempt to use one of them
/// has its own exit code, which ends only that attempt. The end of the command ends all attempts.
/// If the command has only one cluster, there is one attempt, with the exit code of the command.
/// Threads: the thread that runs the cluster.
class CommandCluster {
 public:
  ~CommandCluster();

  /// Returns the name of the context. Empty if the command has only one cluster.
  const std::string& name() const { return name_; }
  std::size_t rank() const { return rank_; }  ///< the position in --context

  /// Returns the session and the context of the last attempt.
  Session& session();
  const CommandContext& context() const;
  /// Returns the exit code of the last attempt, if it is set.
  std::optional<ExitCode> code() const { return context().exit_request.code(); }

 private:
  friend class Clusters;
  struct Attempt;
  CommandCluster(std::string name, std::size_t rank, const CommandContext& parent);
  /// Starts an attempt and opens its session.
  Result<void> open(const SessionRequest& request);
  /// Reports the error with the name of the cluster, and sets the exit code of the attempt.
  void fail_attempt(const Error& error);

  const std::string name_;
  const std::size_t rank_;
  const CommandContext& parent_;
  /// Ended attempts are kept, without informers and connections, because handlers refer to the
  /// types in their plans.
  std::vector<std::unique_ptr<Attempt>> attempts_;
  Outage outage_;
  bool worked_ = false;  ///< at least one attempt got all initial lists
};

/// Threads: one owner.
class Clusters {
 public:
  /// A function that runs the command on the session of one cluster. An error ends the attempt.
  using Work = std::function<Result<void>(CommandCluster& cluster)>;

  /// Finds the clusters that --context names. If there is only one, opens its session. `parent` and
  /// the references in `request` must outlive the result. Errors: those of chosen_contexts() and
  /// open_session().
  static Result<std::unique_ptr<Clusters>> create(const SessionRequest& request,
                                                  const CommandContext& parent);

  /// Returns whether --context is a list.
  bool are_several() const { return !names_.empty(); }
  std::size_t size() const { return all_.size(); }
  /// Returns the contexts; none if the command has one cluster.
  const std::vector<std::string>& names() const { return names_; }
  /// Returns whether the objects of the clusters may be in different namespaces by default.
  bool have_different_namespaces() const { return different_namespaces_; }

  /// Calls `work` for each cluster, and waits for all of them. If there are several, opens each
  /// cluster on its own thread, reports its errors, and then calls `ended`. If there is only one,
  /// returns its error instead.
  Result<void> run(const Work& work, const std::function<void(CommandCluster&)>& ended = {});
  /// Like run(), but if there are several clusters, retries those that cannot be reached or deny
  /// access, after a pause. Gives up on a cluster that cannot be opened for another reason. Sets
  /// the exit code of the command if a cluster that was opened ends with any other code, or if the
  /// first attempts of all clusters have failed.
  Result<void> keep_running(const Work& work);

  const std::vector<std::unique_ptr<CommandCluster>>& all() const { return all_; }
  /// Returns the clusters that could be read: those whose exit code is not set.
  std::vector<CommandCluster*> readable() const;
  /// Returns the sessions of all last attempts that have informers.
  std::vector<Session*> sessions() const;
  /// Returns the exit code of the first cluster whose exit code is set (no_server in place of
  /// timed_out); nullopt if all clusters could be read.
  std::optional<ExitCode> failure() const;
  /// Returns `code`, the result of a query on the clusters that could be read. If it is ok or
  /// not_found, returns failure() instead, if set, because the other clusters may have more
  /// objects.
  ExitCode with_failure(ExitCode code) const;

 private:
  Clusters(const SessionRequest& request, const CommandContext& parent,
           std::vector<std::string> names);
  /// Opens one of several clusters and calls `work`. Reports errors.
  void attempt(CommandCluster& cluster, const Work& work);
  void repeat(CommandCluster& cluster, const Work& work);
  void on_each(const std::function<void(CommandCluster&)>& act);

  const SessionRequest request_;
  const CommandContext& parent_;
  const std::vector<std::string> names_;
  const bool different_namespaces_;
  std::vector<std::unique_ptr<CommandCluster>> all_;
  /// Number of clusters whose first attempt has not failed yet.
  std::atomic<std::size_t> unreached_;
};

}  // namespace kinf
