// SPDX-License-Identifier: Apache-2.0
// StateSaver: saves the changes that a command has handled to the file of --state, on a thread of
// its own.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "kinf/recording/disk_writer.h"
#include "kinf/recording/state/state_file.h"

namespace kinf {

/// Saves the handled changes to the file of --state. A change is saved only after it was handled.
/// After a crash, the next run may handle a change again, but no change is lost. Waiting changes
/// are merged, so there is at most one for each object. If saving fails, saving ends, and the next
/// run handles the later changes again.
/// Threads: one owner; any thread may call the handlers, changed(), completed(), written() and
/// not_written().
class StateSaver final : public DiskWriter {
 public:
  /// Calls `failed` at most once, from the saver's thread. `clock` must outlive this object.
  StateSaver(std::unique_ptr<StateFile> file, Clock& clock,
             std::function<void(const Error&)> failed);
  /// Calls finish().
  ~StateSaver() override { finish(); }

  /// Use it only before start().
  StateFile& file() { return *file_; }

  /// Returns a handler, owned by this object, that passes the changes of one scope to `inner`. The
  /// changes are saved after the next written().
  EventHandler& handler(std::size_t scope, EventHandler& inner);
  /// Reports that all changes that the handlers have passed on were written to the output.
  void written();
  /// Reports that the output drops the change of the object `key` of `type`, so that it is not
  /// saved.
  void not_written(const ResourceType& type, const std::string& key);

  /// Reports that the handler of a scope has passed on everything up to `version` (see Delivered).
  /// The next start continues the watch from there, if this is saved. Call it from the thread that
  /// calls the handler.
  void delivered(std::size_t scope, const std::string& version);

  /// Saves a change of an object of `type`. What is saved is then the state at no known version.
  void changed(const ResourceType& type, const Change& change);
  /// Makes the next write record that all objects of a scope are known.
  void completed(std::size_t scope);
  /// Makes the next write record that what was saved of a scope is exactly the state at `version`.
  void reached(std::size_t scope, const std::string& version);

 private:
  class Handler;
  using Key = std::pair<std::size_t, std::string>;  ///< the first scope of the type, and the key
  struct Batch {
    std::map<Key, Change> changes{};
    std::set<std::size_t> complete{};
    std::map<std::size_t, std::string> versions{};  ///< see StateFile::set_version()

    bool empty() const { return changes.empty() && complete.empty() && versions.empty(); }
    void add(Batch&& later);
  };

  std::size_t scope_of(const ResourceType& type) const;
  std::string version_after_locked(std::size_t scope, const Change& change) const
      KINF_REQUIRES(mu_);
  void pass_version_locked(std::size_t scope, const std::string& version) KINF_REQUIRES(mu_);
  void forget_versions_locked(const ResourceType& type, Batch& batch) const KINF_REQUIRES(mu_);
  Clock::Mono due() const override KINF_REQUIRES(mu_) {
    return ready_.empty() ? Clock::kNever : Clock::Mono::min();
  }
  bool take() override KINF_REQUIRES(mu_);
  Result<void> write() override;
  void drop_waiting() override KINF_REQUIRES(mu_) { ready_ = {}; }

  const std::unique_ptr<StateFile> file_;
  /// The batch that write() saves.
  Batch taken_;
  /// The change that a handler is passing on, if any.
  std::optional<std::pair<Key, Change>> current_ KINF_GUARDED_BY(mu_);
  /// Changes that were passed on, but are not written to the output yet.
  Batch passed_ KINF_GUARDED_BY(mu_);
  /// Changes to save.
  Batch ready_ KINF_GUARDED_BY(mu_);
  /// The version that is complete with what was passed on of each scope; empty if none is known.
  std::map<std::size_t, std::string> versions_ KINF_GUARDED_BY(mu_);
  /// Set when the output drops changes because it has ended. From then on, no version is complete.
  bool has_dropped_ KINF_GUARDED_BY(mu_) = false;
};

}  // namespace kinf
