// SPDX-License-Identifier: Apache-2.0
// IndexWatch: implements `kinf index -w` for one cluster. Tracks the index values of every object
// and prints a line for each change.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "kinf/api/event_handler.h"
#include "kinf/base/sync.h"
#include "kinf/cli/runtime/exit_request.h"
#include "kinf/cli/runtime/file_writer.h"
#include "kinf/print/index_text.h"

namespace kinf {

/// Writes the lines of `kinf index -w`, of one or more clusters. Threads: any.
class IndexChangeWriter {
 public:
  /// `writer` and `exit_request` must outlive this object. Sets the exit code after `max_events`
  /// lines, or when a write fails.
  IndexChangeWriter(IndexChanges changes, std::optional<std::uint64_t> max_events,
                    FileWriter& writer, ExitRequest& exit_request);

  /// Makes the columns wide enough for values that may be printed later.
  void reserve(const std::vector<IndexTuple>& tuples);
  /// Adds one line for each value that the object named `key` gains, loses or changes. `question`
  /// is the query that runs on the cluster of the object.
  void print(const IndexAnswer& question, const std::vector<IndexMove>& moves,
             std::string_view key);
  /// Writes the lines to the output.
  void write_out();
  /// Returns the number of lines printed so far.
  std::uint64_t printed() const;

 private:
  void write_out_locked() KINF_REQUIRES(mu_);

  const std::optional<std::uint64_t> max_events_;
  FileWriter& writer_;
  ExitRequest& exit_request_;
  mutable Mutex mu_;
  IndexChanges changes_ KINF_GUARDED_BY(mu_);
  std::uint64_t printed_ KINF_GUARDED_BY(mu_) = 0;
  std::string text_ KINF_GUARDED_BY(mu_);
};

/// Threads: any thread may call the handlers and refresh().
class IndexWatch {
 public:
  /// All references must outlive this object. `question` is the query.
  IndexWatch(const IndexAnswer& question, ValuesOf values_of, IndexChangeWriter& output,
             ExitRequest& exit_request);
  ~IndexWatch();

  /// Returns a new handler, owned by this object. Threads: one owner.
  EventHandler& add_handler();
  /// Returns whether all handlers have their initial lists. ExitRequest::notify() is called when
  /// the result may have changed.
  bool has_synced() const;
  /// Prints the values of all objects, and their changes from now on.
  void start_printing();
  /// Recomputes the values of every object. Call it when an owner has changed.
  void refresh();
  std::vector<ObjectPtr> objects() const;
  /// Returns why the values cannot be followed, after an object had too many combinations of them.
  Result<void> failure() const;

 private:
  class Handler;
  struct Place {
    ObjectPtr object;
    std::vector<IndexTuple> tuples;
  };

  /// Computes the tuples of an object, whose last ones were `before`. Returns false, and sets
  /// failure(), if there are too many.
  bool compute(const Object& object, const std::vector<IndexTuple>& before,
               std::vector<IndexTuple>& now) KINF_REQUIRES(mu_);
  /// Updates the index values (tuples) of the object `key`. `object` is null if it was deleted.
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
  TupleLimit limit_ KINF_GUARDED_BY(mu_);
  Result<void> failure_ KINF_GUARDED_BY(mu_);
  std::size_t synced_ KINF_GUARDED_BY(mu_) =
      0;  ///< number of handlers that have their initial list
  bool printing_ KINF_GUARDED_BY(mu_) = false;
};

}  // namespace kinf
