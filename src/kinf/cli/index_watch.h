// SPDX-License-Identifier: Apache-2.0
// IndexWatch: `kinf index -w`: the place of every object in the index, and a line whenever it
// changes.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "kinf/api/event_handler.h"
#include "kinf/base/sync.h"
#include "kinf/cli/exit_request.h"
#include "kinf/cli/file_writer.h"
#include "kinf/print/index_changes.h"

namespace kinf {

/// Threads: the handlers and refresh() on any thread.
class IndexWatch {
 public:
  /// All references outlive this; `question` says what was asked.
  /// `max_events`: sets the exit code after that many lines.
  IndexWatch(const IndexAnswer& question, ValuesOf values_of, bool as_json,
             std::optional<std::uint64_t> max_events, FileWriter& writer,
             ExitRequest& exit_request);
  ~IndexWatch();

  /// The handler of one more informer, all before the first is started; lives as long as this.
  EventHandler& add_handler();
  /// Whether all handlers have got their first lists. Changes only with a notify() of ExitRequest.
  bool has_synced() const;
  /// Prints the places of all objects, and changes from now on.
  void start_printing();
  /// Computes the values of every object again: other objects that they depend on have changed.
  void refresh();
  std::vector<ObjectPtr> objects() const;
  /// Lines printed so far.
  std::uint64_t printed() const;

 private:
  class Handler;
  struct Place {
    ObjectPtr object;
    std::vector<IndexTuple> tuples;
  };

  /// `object` is null once it is gone.
  void take(const std::string& key, const ObjectPtr& object);
  void move_locked(const Object& object, const std::vector<IndexTuple>& before,
                   const std::vector<IndexTuple>& now) KINF_REQUIRES(mu_);
  void write_out();
  void write_out_locked() KINF_REQUIRES(mu_);

  const IndexAnswer& question_;
  const ValuesOf values_of_;
  const std::optional<std::uint64_t> max_events_;
  FileWriter& writer_;
  ExitRequest& exit_request_;
  std::vector<std::unique_ptr<Handler>> handlers_;
  mutable Mutex mu_;
  IndexChanges changes_ KINF_GUARDED_BY(mu_);
  std::unordered_map<std::string, Place> places_ KINF_GUARDED_BY(mu_);
  std::size_t synced_ KINF_GUARDED_BY(mu_) = 0;  ///< handlers that have their first list
  bool printing_ KINF_GUARDED_BY(mu_) = false;
  std::uint64_t printed_ KINF_GUARDED_BY(mu_) = 0;
  std::string text_ KINF_GUARDED_BY(mu_);
};

}  // namespace kinf
