// SPDX-License-Identifier: Apache-2.0
// Session: what the commands with informers have in common: a connection, a plan, the informers.
#pragma once

#include <memory>
#include <optional>

#include "kinf/cli/commands.h"
#include "kinf/cli/connection.h"
#include "kinf/cli/informer_set.h"
#include "kinf/cli/watch_plan.h"

namespace kinf {

/// Threads: one owner. The informers are destroyed first.
struct Session {
  std::unique_ptr<Connection> connection;
  WatchPlan plan;
  std::unique_ptr<InformerSet> informers;
};

/// Connects and resolves the types; adds no informers yet. `play`: see ConnectionNeeds. Ends the
/// command with 124 at `deadline`. `types`: see make_plan().
Result<Session> open_session(const GlobalFlags& global, const InformerFlags& flags, bool play,
                             const CommandContext& context, Clock::Mono deadline = Clock::kNever,
                             PlanTypes types = PlanTypes::all);
/// `limit` from now; kNever without one.
Clock::Mono deadline_after(const std::optional<Clock::Duration>& limit, const Clock& clock);
Result<void> add_informers(Session& session, const InformerFlags& flags, const InformerNeeds& needs,
                           const CommandContext& context);

/// Whether the scenario of a sandbox has ended and every cache and handler has seen its last
/// change. Changes only with a notify() of ExitRequest.
bool has_seen_scenario(Session& session);

/// What the output of `get` and `watch` needs of each object.
InformerNeeds needs_of(const OutputFlags& output);
PrintOptions print_options(const OutputFlags& output, const GlobalFlags& global,
                           const WatchPlan& plan, const Environment& environment);

/// The error for an object that was asked for by name and does not exist, in the server's words.
Error not_found_error(const Session& session, const PlannedInformer& planned);
/// `No resources found in default namespace.` on stderr.
void print_nothing_found(const WatchPlan& plan);

}  // namespace kinf
