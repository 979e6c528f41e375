// SPDX-License-Identifier: Apache-2.0
// StateFile: the file of --state. It stores the objects that a command knows, for the next run of
// the command. The file is a recording that keeps only the newest version of each object. This
// folder implements --state: the file, and the thread that saves it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/api/change.h"
#include "kinf/api/object_decoder.h"
#include "kinf/recording/recording_file.h"
#include "kinf/recording/recording_schema.h"
#include "kinf/recording/resumed_source.h"

namespace kinf {

class VersionTable;

/// Selects the objects of a state. A file can be opened again only with the same options.
struct StateOptions {
  ServerIdentity server;
  std::string ns;         ///< the namespaces that a reader gets by default, as in `-n`
  std::string selection;  ///< the other flags that select objects, compared as text
  std::vector<RecordedScope> scopes;
  /// Returns the document to save for a Secret. If this function is empty, Secrets are saved with
  /// their values.
  SecretMask mask_secret;
};

/// Threads: one owner. Calls block on the disk. After an error, the file has only the earlier
/// commits, and only the destructor may be called.
class StateFile {
 public:
  /// Opens or creates `path`. Never changes a file that is not an intact state with the same
  /// options. Errors: internal; usage, for the state of another server or selection; conflict, if
  /// another process uses the file.
  static Result<std::unique_ptr<StateFile>> open(const std::string& path, StateOptions options,
                                                 Clock::Wall now);
  ~StateFile();

  const std::vector<RecordedScope>& scopes() const { return options_.scopes; }
  /// Returns the state of a scope as it was when the file was opened. `decode` sets which parts of
  /// the objects are kept.
  Result<EarlierState> load(std::size_t scope, const DecodeOptions& decode);
  /// Saves the object of a change, or its deletion. The object must be of the scope's type.
  Result<void> save(std::size_t scope, const Change& change);
  /// Makes commit() record that all objects of a scope have been saved.
  void set_complete(std::size_t scope) { places_[scope].is_complete = true; }
  /// Makes commit() record that what was saved of a scope is exactly the state at `version`, or if
  /// `version` is empty, that it is the state at no known version.
  void set_version(std::size_t scope, std::string version) {
    places_[scope].version = std::move(version);
  }
  Result<void> commit(Clock::Wall now);

 private:
  StateFile(RecordingFile file, StateOptions options);
  /// The row of a scope in the file.
  struct Place {
    std::int64_t id = 0;
    std::int64_t type = 0;
    bool is_complete = false;
    std::string version{};  ///< see set_version()
  };
  Result<void> prepare(Clock::Wall now);
  Result<void> create(Clock::Wall now);
  Result<void> check();
  Result<void> find_scopes();
  Result<void> check_text(std::string_view sql, std::string_view expected, std::string_view what);
  Error of_another(std::string_view what, std::string_view held) const;

  RecordingFile file_;
  const StateOptions options_;
  std::unique_ptr<VersionTable> versions_;
  std::vector<Place> places_;  ///< one for each of options_.scopes
  EarlierObjects earlier_;
  std::string text_;
};

}  // namespace kinf
