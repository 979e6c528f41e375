// SPDX-License-Identifier: Apache-2.0
// The tables and views of a recording, and how a row of `version` packs its facts.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "kinf/api/change.h"

namespace kinf {

inline constexpr std::int64_t kRecordingApplicationId = 0x6b696e66;  ///< "kinf"

/// Returns the statements that create the tables and views in an empty database.
std::string recording_schema();

/// The facts in the column `facts` of the table `version`.
struct VersionFacts {
  ChangeType type = ChangeType::added;
  ChangeSource source = ChangeSource::watch;
  bool final_state_unknown = false;
  bool recreated = false;

  static VersionFacts unpack(std::int64_t packed);
  std::int64_t pack() const;
};

/// The text of which a version is made: the cells of the Table row, and the document.
struct VersionText {
  std::string_view cells;
  std::string_view json;

  /// Splits what append_to() made. Returns an empty document if `text` is damaged.
  static VersionText split(std::string_view text);
  void append_to(std::string& text) const;
};

}  // namespace kinf
