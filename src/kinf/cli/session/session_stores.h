// SPDX-License-Identifier: Apache-2.0
// SessionStores: the files to which a session writes its changes: a recording (--record, and --to
// of `kinf record`) and a state (--state).
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>

#include "kinf/base/error.h"

namespace kinf {

class Clock;
class Connection;
class Recorder;
class StateSaver;
struct EarlierState;
struct HttpSource;
struct InformerFlags;
struct PlannedInformer;
struct RecordFlags;
struct RecordedScope;
struct WatchPlan;

struct SessionStores {
  SessionStores();
  SessionStores(SessionStores&& other) noexcept;
  SessionStores& operator=(SessionStores&& other) noexcept;
  ~SessionStores();

  std::unique_ptr<Recorder> recorder;  ///< null if nothing is recorded
  std::unique_ptr<StateSaver> state;   ///< null without --state
};

/// Opens a recording. If writing fails later, reports it and calls `failed` (may be empty) from the
/// recorder's thread. `clock` must outlive the result. Asks the server which cluster it is. Errors:
/// usage, if the file has the objects of another cluster; those of opening the file.
Result<std::unique_ptr<Recorder>> open_recorder(Connection& connection, const RecordFlags& flags,
                                                Clock& clock, std::function<void()> failed = {});

/// Opens the state of the informers of `plan`. If saving fails later, reports it. Errors: usage, if
/// the file has the state of other objects or of another cluster, or if namespaces are read one by
/// one; those of opening the file.
Result<std::unique_ptr<StateSaver>> open_state(Connection& connection, const WatchPlan& plan,
                                               const InformerFlags& flags, Clock& clock);

/// With --all-types, records as deleted what an earlier session recorded of types that the server
/// no longer has. Blocks on requests. Does nothing without a recorder.
Result<void> end_lost_types(SessionStores& stores, Connection& connection);

/// Returns what an earlier session knew of the objects of an informer, whose cache begins with it;
/// nullopt if the informer begins with a list. `scope` is the number of the informer in the stores.
/// If EarlierState::can_resume(), the informer must continue the watch of that session.
Result<std::optional<EarlierState>> earlier_state(SessionStores& stores, std::size_t scope,
                                                  const InformerFlags& flags,
                                                  const HttpSource& source);

/// Returns a description of what an informer selects, for recordings and states. Blocks on
/// discovery.
Result<RecordedScope> recorded_scope(Connection& connection, const PlannedInformer& planned,
                                     const InformerFlags& flags);

}  // namespace kinf
