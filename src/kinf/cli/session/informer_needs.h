// SPDX-License-Identifier: Apache-2.0
// InformerNeeds: the smallest part of each object that a command needs. Requesting less saves
// traffic and memory.
#pragma once

#include <memory>

#include "kinf/cache/functions.h"
#include "kinf/client/http_lister_watcher.h"

namespace kinf {

class ObjectTrim;
struct GetCommand;
struct HistoryCommand;
struct IndexCommand;
struct InformerFlags;
struct RecordCommand;
struct ResourceType;
struct RunCommand;
struct WaitCommand;
struct WatchCommand;
struct WatchPlan;

struct InformerNeeds {
  Representation representation = Representation::object;
  ObjectForm form = ObjectForm::raw;
  bool keep_managed_fields = false;
  bool manager = true;       ///< whether Object::manager() is read
  bool list_only = false;    ///< list once, without a watch
  bool event_times = false;  ///< whether to read when Events happened
  /// Whether an object that was selected stays selected; see Selection::keep_selected().
  bool keeps_selected = false;
  std::shared_ptr<const ObjectTrim> trim{};
  Indexers indexers{};
};

InformerNeeds needs_of(const GetCommand& command);
/// Returns whether the tables of `kinf watch` name the paths that changed when no cell did. They
/// need whole objects for it, so for types with very many objects, such as pods, they do it only if
/// objects are named.
bool names_changed_paths(const WatchPlan& plan);
/// Returns what `kinf watch` needs. `names_paths`: see names_changed_paths().
InformerNeeds needs_of(const WatchCommand& command, bool names_paths);
InformerNeeds needs_of(const HistoryCommand& command);
InformerNeeds needs_of(const IndexCommand& command);
InformerNeeds needs_of(const RunCommand& command);
InformerNeeds needs_of(const WaitCommand& command);
InformerNeeds needs_of(const RecordCommand& command);
/// Returns `needs` for one type: if the times of Events are read, whole Events are needed.
InformerNeeds needs_of_type(InformerNeeds needs, const ResourceType& type,
                            const InformerFlags& flags);
/// Returns which parts of the Events of --with-events a command with these flags needs.
InformerNeeds needs_of_events(const InformerFlags& flags);

}  // namespace kinf
