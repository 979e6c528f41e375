// SPDX-License-Identifier: Apache-2.0
// Clusters: runs one command on several clusters at the same time (--context A,B).
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "kinf/cli/session/session.h"

namespace kinf {

/// Returns the contexts of a list in --context, each once. Returns none if the flag is no list: if
/// it has no comma, or a context has that name. Blocks on the disk. Errors: internal, for a context
/// that does not exist; usage, for flags that do not fit several contexts.
Result<std::vector<std::string>> chosen_contexts(const GlobalFlags& global,
                                                 const Environment& environment);

/// Returns true if the contexts have different default namespaces, and no flag replaces them.
bool have_different_namespaces(const std::vector<std::string>& names, const GlobalFlags& global,
                               const Environment& environment);

/// One cluster of several. Each attempt to use it has its own exit code, which ends only this
/// attempt. The end of the command ends the attempt too.
/// Threads: the thread that runs the cluster.
class Cluster {
 public:
  /// `rank`: the position in --context. `parent` must outlive this object.
  Cluster(std::string name, std::size_t rank, const CommandContext& parent);

  const std::string& name() const { return name_; }
  std::size_t rank() const { return rank_; }

  /// One try to use the cluster. Attempts stay, because handlers refer to the types of a plan.
  struct Attempt {
    explicit Attempt(const CommandContext& parent);

    ExitRequest exit_request;
    CommandContext context;
    std::optional<Session> session;
    std::stop_callback<std::function<void()>> parent_end;
  };
  /// Starts an attempt and opens its session. On failure, reports the error, unless the last
  /// attempt failed too, and sets the exit code of the attempt.
  Attempt& attempt(const GlobalFlags& global, const InformerFlags& flags, bool play,
                   Clock::Mono deadline);
  /// Reports the error, naming the cluster, and sets the exit code of the attempt.
  void fail_attempt(const Error& error);
  Attempt& last() { return *attempts_.back(); }
  const Attempt& last() const { return *attempts_.back(); }
  /// Records that the cluster can be read.
  void set_working() {
    failing_ = false;
    worked_ = true;
  }
  /// Returns true if set_working() was called.
  bool worked() const { return worked_; }

 private:
  const std::string name_;
  const std::size_t rank_;
  const CommandContext& parent_;
  std::vector<std::unique_ptr<Attempt>> attempts_;
  bool failing_ = false;
  bool worked_ = false;
};

/// Threads: one owner.
class Clusters {
 public:
  Clusters(const std::vector<std::string>& names, const CommandContext& parent);

  /// Calls `work` for each cluster on a thread of its own, and waits for all of them.
  void run(const std::function<void(Cluster&)>& work);
  /// Calls `work` for each cluster like run(), and calls it again after a pause while its attempt
  /// ends because the cluster cannot be reached or denies access. Any other exit code ends the
  /// command. So does the failure of all first attempts.
  void keep_running(const std::function<void(Cluster&)>& work);

  std::vector<std::unique_ptr<Cluster>>& all() { return all_; }
  /// Returns the exit code of the first cluster that could not be read once; nullopt if all could.
  std::optional<ExitCode> failure() const;
  /// Returns the exit code of a query that ends with `code` in the clusters that could be read.
  /// What it did not find may be in the others.
  ExitCode with_failure(ExitCode code) const;

 private:
  void repeat(Cluster& cluster, const std::function<void(Cluster&)>& work);

  const CommandContext& parent_;
  std::vector<std::unique_ptr<Cluster>> all_;
  std::atomic<std::size_t> unreached_;  ///< clusters whose first attempt has not failed yet
};

}  // namespace kinf
