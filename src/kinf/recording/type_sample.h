// SPDX-License-Identifier: Apache-2.0
// TypeSample: the zstd dictionary of one type in a recording, and what the next one is made from.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "kinf/base/error.h"
#include "kinf/recording/version_codec.h"

namespace kinf {

/// The sample of one type: the text of one object, then recent changes of objects. It compresses
/// well because objects of a type share most of their text, and because their changes are alike.
/// For example, the new conditions of a pod look like those of other pods. Threads: one owner.
class TypeSample {
 public:
  /// A sample to store in the file.
  struct Made {
    std::string text;
    std::string data;  ///< `text`, compressed
  };

  /// Returns the sample to compress the next version with.
  const CodecSample& content() const { return content_; }
  /// Returns the id of content() in the file; 0 if it is empty.
  std::int64_t id() const { return id_; }

  /// Notes a version that was stored as a whole, or as the difference `change`.
  void note_whole(std::string_view text);
  void note_change(std::string_view change);
  /// Returns a better sample if it is time for one, and if it saves more than it takes: as many
  /// versions as there were so far are expected to follow. Changes the buffers of `codec`.
  Result<std::optional<Made>> improve(VersionCodec& codec);
  /// Replaces content() by a sample that was stored with this id.
  void use(Made made, std::int64_t id);

 private:
  /// Returns how many bytes `text` becomes smaller if it is compressed with `sample` instead of
  /// content(); negative if it becomes larger.
  Result<std::int64_t> saving(VersionCodec& codec, const CodecSample& sample,
                              std::string_view text) const;
  /// Returns how many bytes `sample` is expected to save.
  Result<std::int64_t> expected_saving(VersionCodec& codec, const CodecSample& sample) const;

  /// The changes in a sample. The ones before these are for its statistics, and to judge it.
  static constexpr std::size_t kChanges = 16;
  static constexpr std::size_t kEarlier = 32;

  CodecSample content_{};
  std::int64_t id_ = 0;
  std::string whole_{};        ///< the last whole text
  std::string other_whole_{};  ///< the whole text before it
  std::array<std::string, kChanges> changes_{};
  std::array<std::string, kEarlier> earlier_{};
  std::size_t whole_count_ = 0;
  std::size_t change_count_ = 0;
  std::size_t next_look_ = 2;  ///< the number of versions at which improve() looks again
};

}  // namespace kinf
