// SPDX-License-Identifier: Apache-2.0
// DataFolder: what a sandbox holds, kept in a folder from one start to the next: one file of JSON
// lines to which each change is appended, made short again when it has grown.
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

/// A change is in the file before it is answered, so that a killed sandbox has lost none. It is
/// not waited for the disk: a power failure may cost the last ones. A file that is damaged is an
/// error and stays as it is, but for a last line that was never finished: that one is left out.
/// Threads: the ChangeLog part as the store calls it; all else before the store uses it.
class DataFolder final : public ChangeLog {
 public:
  /// Makes the folder if need be, locks it for this process and reads it. Errors (internal): in
  /// use by another sandbox, damaged (with the line), not writable.
  static Result<std::unique_ptr<DataFolder>> open(const std::string& folder);

  /// Nothing was ever kept here.
  bool is_new() const { return version_ == 0; }
  /// Puts what was read into the store, which is empty, and becomes its log. Once.
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
  std::string problem_ KINF_GUARDED_BY(mu_);  ///< not told yet
};

}  // namespace kinf::sandbox
