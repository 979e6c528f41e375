// SPDX-License-Identifier: Apache-2.0
// Session: the connection, plan and informers of a command.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "kinf/cli/connection/connection.h"
#include "kinf/cli/session/informer_set.h"
#include "kinf/cli/session/status_line.h"

namespace kinf {

struct OutputFlags;
struct PrintOptions;

/// Threads: one owner. The members are in this order so that the informers are destroyed before the
/// plan and the connection.
struct Session {
  std::unique_ptr<Connection> connection;
  WatchPlan plan;
  std::unique_ptr<InformerSet> informers;
  /// Shows the progress of the initial lists; null unless stderr is a terminal.
  std::unique_ptr<StatusLine> status;
  bool places_checked = false;  ///< report_absent() has looked for namespaces and the owner
};

/// Connects and resolves the types. Adds no informers. `play`: the command follows changes; see
/// also ConnectionNeeds::play_scenario. Sets exit code 124 at `deadline`. `types`: see make_plan().
Result<Session> open_session(const GlobalFlags& global, const InformerFlags& flags, bool play,
                             const CommandContext& context, Clock::Mono deadline = Clock::kNever,
                             PlanTypes types = PlanTypes::all);
/// Returns the time `limit` from now, or kNever if there is no limit.
Clock::Mono deadline_after(const std::optional<Clock::Duration>& limit, const Clock& clock);
/// Creates the informers of the plan. Opens the recording and the state that `flags` name, unless
/// `stores` already has them. `flags` must outlive the session.
Result<void> add_informers(Session& session, const InformerFlags& flags, const InformerNeeds& needs,
                           const CommandContext& context, SessionStores stores = {});
/// Calls `select`, which evaluates --where for the objects of a cache. If it is not done when an
/// explicit --sync-timeout, which ends at `deadline`, is up, ends the command with exit code 124.
void select_in_time(const std::function<void()>& select, const InformerFlags& flags,
                    Clock::Mono deadline, const CommandContext& context);
/// Waits until the command ends, and reports absent names meanwhile. Returns true if
/// InformerSet::has_handled_last_change() ended the wait; the exit code is then not set.
bool wait_for_end(Session& session, const InformerFlags& flags, ExitRequest& exit_request);

/// Returns the width into which the text on stdout must fit. It is unknown with --no-truncate.
std::function<std::size_t()> shown_width(const OutputFlags& output, const Environment& environment);
PrintOptions print_options(const OutputFlags& output, const GlobalFlags& global,
                           const WatchPlan& plan, const Environment& environment);

/// Returns whether the output is a table in colour. Other formats have no colours.
bool prints_colours(const PrintOptions& options);

/// Reports requested names that do not exist, once their informers have synced. With --must-exist,
/// sets exit code 4; otherwise logs that kinf waits for them. Reports each name once. Then, if
/// nothing was found and kinf waits, logs once which namespaces of -n and which owner of --owner do
/// not exist; this blocks on requests for up to 2 s.
void report_absent(Session& session, const InformerFlags& flags, ExitRequest& exit_request);
/// Returns whether informers of `sessions` were left out because the server denied access; see
/// InformerSet::has_left_out().
bool has_left_out_any(const std::vector<const Session*>& sessions);
/// Returns the exit code of a command that continues without what was left out: denied if the
/// server denies all of that, other_error if it failed otherwise, ok if nothing was left out.
ExitCode left_out_code(const std::vector<const Session*>& sessions);

/// Returns the error for a requested object that does not exist, in the server's wording.
Error not_found_error(const Session& session, const PlannedInformer& planned);
/// Writes `No resources found in default namespace.` to stderr.
void print_nothing_found(const WatchPlan& plan);

}  // namespace kinf
