// SPDX-License-Identifier: Apache-2.0
// TextRebuilder: rebuilds the text of a version. Starts with the whole version on which it is
// based, and applies the differences that are stored after that version.
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
#include "kinf/recording/version_checksum.h"
#include "kinf/recording/version_codec.h"

namespace kinf {

/// One version, without its text.
struct FoundVersion {
  /// Reads a row that begins with version_columns().
  static FoundVersion of(const Statement& row);

  std::int64_t seq = 0;
  std::int64_t time = 0;
  VersionFacts facts{};
  std::string resource_version;
  std::int64_t manager = 0;
  std::int64_t columns = 0;
};

/// The text of a version as it is stored in the file.
struct StoredText {
  /// Reads a row that begins with version_columns(). Returns nullopt if the text is the same as in
  /// the previous version.
  static std::optional<StoredText> of(const Statement& row);

  std::int64_t seq = 0;     ///< of the version
  std::int64_t base = 0;    ///< `seq` of the version that the difference is from; 0 if whole
  std::int64_t sample = 0;  ///< id of the row in the table `sample`; 0 if none
  std::string data;
};

/// Threads: one owner.
class TextRebuilder {
 public:
  /// A writer bases fewer versions than this on one another. More are an error.
  static constexpr std::size_t kChainBound = 200;

  /// `database` must outlive the result.
  static Result<TextRebuilder> open(Database& database);

  /// Finds the newest version of an object up to `seq`, and sets `text` to its text. Returns
  /// nullopt if there is none. If `skip_deleted`, does not set `text` for a deletion. Errors:
  /// protocol, if the recording is damaged.
  Result<std::optional<FoundVersion>> find(std::int64_t object, std::int64_t seq, bool skip_deleted,
                                           std::string& text);
  /// Sets `text` to the text of version `seq`. Call it only for a version whose text differs from
  /// that of the previous version. Returns false if the version was dropped.
  Result<bool> rebuild(std::int64_t seq, std::string& text);
  /// Decodes one stored text. `before` is the text of the version `stored.base`. Errors: as find().
  Result<void> decode(const StoredText& stored, std::string_view before, std::string& text);

 private:
  TextRebuilder(Statement versions, Statement stored, Statement samples)
      : versions_(std::move(versions)), stored_(std::move(stored)), samples_(std::move(samples)) {}
  /// Reads version `seq` into `chain_[number]`. Returns false if the file has no text for it.
  Result<bool> load(std::int64_t seq, std::size_t number);
  /// Decodes version `seq`, which is in `chain_[0]`. First loads and decodes the versions that it
  /// is based on.
  Result<void> decode_chain(std::int64_t seq, std::string& text);
  Result<const CodecSample*> sample(std::int64_t id);
  /// Returns the error for a text that is not as kinf wrote it.
  std::unexpected<Error> damaged(std::int64_t seq, std::string_view what) const;

  Statement versions_;
  Statement stored_;
  Statement samples_;
  std::unique_ptr<VersionCodec> codec_ = std::make_unique<VersionCodec>();
  std::vector<StoredText> chain_{1};    ///< each element is the base of the previous element
  std::array<std::string, 2> decoded_;  ///< the last two decoded texts of a chain
  std::unordered_map<std::int64_t, CodecSample> known_samples_;
  std::size_t sample_bytes_ = 0;  ///< the memory of known_samples_
};

}  // namespace kinf
