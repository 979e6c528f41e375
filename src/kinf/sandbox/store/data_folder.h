// SPDX-License-Identifier: Apache-2.0
// DataFolder: saves the objects of a sandbox in a folder. Each change is appended to one file of
// JSON lines, which is rewritten when it has grown too long.
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

/// A change is written before it is answered, so a killed sandbox loses nothing. It is not synced
/// to the disk, so a power failure may lose the last changes. A damaged file is an error and stays
/// unchanged, except that an incomplete last line is ignored.
/// Threads: the ChangeLog functions as the store calls them; everything else before the store uses
/// the log.
class DataFolder final : public ChangeLog {
 public:
  /// Creates the folder if needed, locks it for this process and reads it. An internal error if
  /// another sandbox uses it, if it is damaged (with the line), or if it is not writable.
  static Result<std::unique_ptr<DataFolder>> open(const std::string& folder);

  /// Returns true if the folder had no saved objects file.
  bool is_new() const { return version_ == 0; }
  /// Loads the saved objects into the empty store and becomes its log. Call once.
  Result<> restore(ResourceStore& store);

  void append(std::string_view type, const Change& change) override;
  bool is_long() const override;
  void rewrite(std::uint64_t version, const std::vector<LoggedObject>& objects) override;
  void report_problem() override;

 private:
  explicit DataFolder(std::string folder) : folder_(std::move(folder)) {}

  std::string file_name() const { return folder_ + "/objects.jsonl"; }
  Result<> lock_folder();
  Result<> read();
  Result<> take_line(std::string_view line, std::size_t number);
  Result<> write_all(std::uint64_t version, const std::vector<LoggedObject>& objects);
  void stop_writing(const std::string& doing);

  const std::string folder_;
  FileDescriptor lock_;
  FileDescriptor file_;
  std::uint64_t version_ = 0;
  std::map<std::pair<std::string, ObjectKey>, StoredPtr> contents_;  ///< what was read, by type
  std::size_t size_ = 0;                                             ///< of the file
  std::size_t short_size_ = 0;  ///< of the file when it was rewritten last
  Mutex mu_;
  std::string problem_ KINF_GUARDED_BY(mu_);  ///< not reported yet
};

}  // namespace kinf::sandbox
