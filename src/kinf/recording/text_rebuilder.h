// SPDX-License-Identifier: Apache-2.0
// TextRebuilder: rebuilds the text of a version from the last whole one and what changed since.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kinf/recording/database.h"
#include "kinf/recording/recording_schema.h"
#include "kinf/recording/version_codec.h"

namespace kinf {

/// One version, without its text.
struct FoundVersion {
  std::int64_t seq = 0;
  std::int64_t time = 0;
  VersionFacts facts{};
  std::string resource_version;
  std::int64_t manager = 0;
  std::int64_t columns = 0;
};

/// Threads: one owner.
class TextRebuilder {
 public:
  /// `database` must outlive it.
  static Result<TextRebuilder> open(Database& database);

  /// Finds the newest version of an object up to `seq`, and sets `text` to its text. Returns
  /// nullopt if there is none, and leaves `text` unchanged if it is a deletion and `skip_deleted`.
  /// Errors: protocol, if the recording is damaged.
  Result<std::optional<FoundVersion>> find(std::int64_t object, std::int64_t seq, bool skip_deleted,
                                           std::string& text);

 private:
  explicit TextRebuilder(Statement versions) : versions_(std::move(versions)) {}

  Statement versions_;
  std::unique_ptr<VersionCodec> codec_ = std::make_unique<VersionCodec>();
  std::vector<std::string> patches_;
  std::string before_;
};

}  // namespace kinf
