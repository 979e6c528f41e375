// SPDX-License-Identifier: Apache-2.0
// TextRebuilder: rebuilds the text of a version from those that it was compressed against.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "kinf/recording/database.h"
#include "kinf/recording/recording_schema.h"
#include "kinf/recording/version_codec.h"

namespace kinf {

/// The columns of the table `version` that describe a version, and those of its text, for SELECT.
inline constexpr std::string_view kVersionColumns =
    "seq, time, facts, resource_version, manager, column_set";
inline constexpr std::string_view kTextColumns = "seq - distance, sample, data";

/// One version, without its text.
struct FoundVersion {
  /// Reads kVersionColumns, which begin the row.
  static FoundVersion of(const Statement& row);

  std::int64_t seq = 0;
  std::int64_t time = 0;
  VersionFacts facts{};
  std::string resource_version;
  std::int64_t manager = 0;
  std::int64_t columns = 0;
};

/// Text as it is in the file.
struct StoredText {
  /// Reads kTextColumns; the first of them is column `first`. Returns nullopt if the text is the
  /// same as in the previous version.
  static std::optional<StoredText> of(const Statement& row, int first);

  std::int64_t base = 0;    ///< `seq` of a version of the same object; 0: none
  std::int64_t sample = 0;  ///< 0: none
  std::string data;
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
  /// Sets `text` to the text of version `seq`, which has one. Returns false if it was dropped.
  Result<bool> rebuild(std::int64_t seq, std::string& text);
  /// Decodes one stored text. `before` is the text of its base.
  Result<void> decode(const StoredText& stored, std::string_view before, std::string& text);

 private:
  TextRebuilder(Statement versions, Statement stored, Statement samples)
      : versions_(std::move(versions)), stored_(std::move(stored)), samples_(std::move(samples)) {}
  /// Reads version `seq` into `chain_[number]`. Returns false if it is not there.
  Result<bool> load(std::int64_t seq, std::size_t number);
  /// Decodes `chain_[0]`, version `seq`, after its bases.
  Result<void> decode_chain(std::int64_t seq, std::string& text);
  Result<std::string_view> sample(std::int64_t id);

  Statement versions_;
  Statement stored_;
  Statement samples_;
  std::unique_ptr<VersionCodec> codec_ = std::make_unique<VersionCodec>();
  std::vector<StoredText> chain_{1};    ///< each is the base of the one before; reused
  std::array<std::string, 2> decoded_;  ///< the last two of a chain; reused
  std::unordered_map<std::int64_t, std::string> known_samples_;
};

}  // namespace kinf
