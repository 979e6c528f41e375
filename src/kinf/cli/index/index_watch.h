// SPDX-License-Identifier: Apache-2.0
// IndexWatch: implements `kinf index -w` for one cluster. Tracks the index values of every object
// and prints a line for each change.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "kinf/api/event_handler.h"
#include "kinf/base/sync.h"
#include "kinf/cli/index/index_change_writer.h"
#include "kinf/cli/runtime/exit_request.h"

namespace kinf {

/// Threads: any thread may call the handlers and refresh().
class IndexWatch {
 public:
  /// All references must outlive this object. `question` is the query.
  IndexWatch(const IndexAnswer& question, ValuesOf values_of, IndexChangeWriter& output,
             ExitRequest& exit_request);
  ~IndexWatch();

  /// Returns a new handler, owned by this object. Threads: one owner.
  EventHandler& add_handler();
  /// Returns true if all handlers have their initial lists. Every change calls
  /// ExitRequest::notify().
  bool has_synced() const;
  /// Prints the values of all objects, and their changes from now on.
  void start_printing();
  /// Recomputes the values of every object. Call it when an owner has changed.
  void refresh();
  std::vector<ObjectPtr> objects() const;

 private:
  class Handler;
  struct Place {
    ObjectPtr object;
    std::vector<IndexTuple> tuples;
  };

  /// Updates the tuples of an object. `object` is null if it was deleted.
  void take(const std::string& key, const ObjectPtr& object);
  void move_locked(const Object& object, const std::vector<IndexTuple>& before,
                   const std::vector<IndexTuple>& now) KINF_REQUIRES(mu_);

  const IndexAnswer& question_;
  const ValuesOf values_of_;
  IndexChangeWriter& output_;
  ExitRequest& exit_request_;
  std::vector<std::unique_ptr<Handler>> handlers_;
  mutable Mutex mu_;
  std::unordered_map<std::string, Place> places_ KINF_GUARDED_BY(mu_);
  std::size_t synced_ KINF_GUARDED_BY(mu_) =
      0;  ///< number of handlers that have their initial list
  bool printing_ KINF_GUARDED_BY(mu_) = false;
};

}  // namespace kinf
