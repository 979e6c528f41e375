// SPDX-License-Identifier: Apache-2.0
// Checks of flags that several commands have.
#pragma once

#include <string_view>

#include "kinf/cli/flags/command_line.h"

namespace kinf {

/// Rejects --where outside metadata with --metadata, and other expressions if `reads_more`.
Result<void> check_metadata(const InformerFlags& flags, bool reads_more, std::string_view command);

/// Returns true if -o or --sort-by certainly reads objects beyond their metadata. `prints_events`:
/// a JSONPath applies to events, and otherwise to objects or Lists.
bool reads_beyond_metadata(const OutputFlags& output, bool prints_events = false);

/// Rejects --at and --since without --from.
Result<void> check_moment(const ReplayFlags& replay, std::string_view command);

/// Rejects flags that do not fit a recording that is read. `watches`: the command follows changes.
Result<void> check_replay(const GlobalFlags& global, const InformerFlags& flags, bool watches,
                          std::string_view command);

/// Rejects flags that do not fit a recording that is written. `watches`: the command follows
/// changes.
Result<void> check_recording(const GlobalFlags& global, const InformerFlags& flags, bool watches,
                             std::string_view command);

/// Rejects flags that do not fit a state. `watches`: the command follows changes.
Result<void> check_state(const GlobalFlags& global, const InformerFlags& flags, bool watches,
                         std::string_view command);

}  // namespace kinf
