// SPDX-License-Identifier: Apache-2.0
// DataFolder: saves the objects of a sandbox in a folder. It appends each change to a file of JSON
// lines and rewrites the file when it gets too long.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kinf/base/error.h"
#include "kinf/base/file_descriptor.h"
#include "kinf/base/sync.h"
#include "kinf/sandbox/store/resource_store.h"

namespace kinf::sandbox {

/// A change is written to the file before the store makes the change and before the response is
/// sent. So no change is lost if the sandbox is killed, and a change that cannot be written is
/// refused. Opening fails if a file of the folder is a symbolic link or not a regular file. The
/// file is not synced to the disk, so a power failure may lose the last changes. Opening a damaged
/// file fails and leaves it unchanged, except that an incomplete last line is ignored.
/// Threads: the store calls the ChangeLog functions. Call the other functions before restore()
/// returns.
class DataFolder final : public ChangeLog {
 public:
  /// Creates the folder if needed, locks it for this process and reads it. Fails with an internal
  /// error if another sandbox uses it, if its file is damaged (the message names the line), or if
  /// it is not writable.
  static Result<std::unique_ptr<DataFolder>> open(const std::string& folder);

  /// Returns whether the folder contained no file of saved objects.
  bool is_new() const { return version_ == 0; }
  /// Loads the saved objects into the empty `store`, and then logs the changes of the store.
  /// Rewrites the file first. If that fails, continues with the existing file. Call once.
  Result<void> restore(ResourceStore& store);

  bool append(std::string_view type, const StoredChange& change) override;
  bool is_long() const override;
  void rewrite(std::uint64_t version, const std::vector<LoggedObject>& objects) override;
  void report_problem() override;

 private:
  explicit DataFolder(std::string folder) : folder_(std::move(folder)) {}

  std::string file_name() const { return folder_ + "/objects.jsonl"; }
  Result<void> lock_folder();
  Result<void> read();
  Result<void> take_line(std::string_view line, std::size_t number);
  Result<void> write_all(std::uint64_t version, const std::vector<LoggedObject>& objects);
  bool keep_file();

  const std::string folder_;
  FileDescriptor lock_;
  FileDescriptor file_;
  std::uint64_t version_ = 0;  ///< the last version in the file; 0 if there was no file
  std::map<std::pair<std::string, ObjectKey>, StoredPtr> contents_;  ///< objects read from the file
  std::size_t size_ = 0;        ///< size of the complete lines of the file, in bytes
  std::size_t short_size_ = 0;  ///< file size after the last rewrite, in bytes
  Mutex mu_;
  bool fails_ = false;                        ///< whether the last change could not be saved
  std::string problem_ KINF_GUARDED_BY(mu_);  ///< an error that is not reported yet; empty if none
};

}  // namespace kinf::sandbox
