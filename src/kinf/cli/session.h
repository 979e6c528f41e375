// SPDX-License-Identifier: Apache-2.0
// Session: what watch, get and index have in common: a connection, a plan, informers.
#pragma once

#include <memory>
#include <optional>

#include "kinf/cli/commands.h"
#include "kinf/cli/connection.h"
#include "kinf/cli/informer_set.h"
#include "kinf/cli/watch_plan.h"

namespace kinf {

/// Threads: one owner. The informers end before the rest.
struct Session {
  std::unique_ptr<Connection> connection;
  WatchPlan plan;
  std::unique_ptr<InformerSet> informers;
};

/// Connects and resolves the types; no informers yet. `play`: see ConnectionNeeds. Types that are
/// waited for must be there by `deadline`, or the command ends with 124.
Result<std::unique_ptr<Session>> open_session(const GlobalFlags& global, const InformerFlags& flags,
                                              bool play, const Surroundings& around,
                                              Clock::Mono deadline = Clock::kNever);
/// Reports what kept the command from starting, unless it was told to end; the code it ends with.
ExitCode failed_to_start(const Error& error, const Surroundings& around);
/// `limit` from now; kNever without one.
Clock::Mono deadline_after(const std::optional<Clock::Duration>& limit, const Clock& clock);
Result<void> add_informers(Session& session, const InformerFlags& flags, const InformerNeeds& needs,
                           const Surroundings& around);

constexpr Clock::Duration kScenarioPoll = std::chrono::milliseconds(20);
/// There is a sandbox whose scenario is over, and every cache has come to its end: what is in the
/// cache has been handed to direct handlers before the informer stops, and nothing waits for
/// others. To be asked again and again, as often as kScenarioPoll: the last changes arrive behind
/// the news of the end.
bool has_seen_scenario(Session& session);

/// What the output of a `get` or `watch` needs to know of each object.
InformerNeeds needs_of(const OutputFlags& output);
PrintOptions print_options(const OutputFlags& output, const GlobalFlags& global,
                           const WatchPlan& plan, const Environment& environment);

/// The error of an object that was asked for by name and is not there, in the server's words.
Error absence(const PlannedInformer& planned);
/// `No resources found in default namespace.` on stderr.
void say_nothing_found(const WatchPlan& plan);

}  // namespace kinf
