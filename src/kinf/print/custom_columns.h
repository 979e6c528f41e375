// SPDX-License-Identifier: Apache-2.0
// CustomColumns: the columns of -o custom-columns=.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/query/jsonpath.h"

namespace kinf {

/// The values for one row of custom columns.
struct CustomRow {
  const nlohmann::json* object = nullptr;
  const nlohmann::json* old = nullptr;  ///< the state before an update; null if there is none
  std::string_view event;               ///< a word of event_word(), such as `Added`
  std::string_view time;
};

/// The columns of a spec such as `NAME:.metadata.name,NODE:.spec.nodeName`. Extends kubectl's
/// syntax: EVENT and TIME in place of a path show the type and the time of an event; OLD before a
/// path reads the state before an update, as in `WAS:OLD.status.phase`. Threads: immutable.
class CustomColumns {
 public:
  /// Parses the value of the flag. Errors: usage, worded as in kubectl.
  static Result<CustomColumns> parse(std::string_view text);
  /// Parses the contents of a file with two lines: the headers, and the paths below them. Errors:
  /// usage, worded as in kubectl.
  static Result<CustomColumns> parse_lines(std::string_view text);

  /// Returns whether a column shows EVENT, TIME or OLD.
  bool shows_events() const;
  /// Returns whether a column shows TIME.
  bool shows_time() const;
  /// Returns whether the columns are known to show only the objects' metadata.
  bool reads_only_metadata() const;
  /// Returns whether a column is known to show a field outside the metadata.
  bool reads_beyond_metadata() const;
  std::vector<std::string> headers() const;
  /// Returns the width to reserve for each column, so that later rows do not move the columns:
  /// `event` for EVENT columns, `time` for TIME columns, and 0 for the others.
  std::vector<std::size_t> kept_widths(std::size_t event, std::size_t time) const;
  /// Returns one cell per column. The cell of a missing value is `<none>`.
  std::vector<std::string> cells(const CustomRow& row) const;

 private:
  enum class Source { object, old, event, time };
  struct Column {
    std::string header;
    Source source = Source::object;
    std::optional<JsonPath> path;  ///< set if `source` is object or old
  };
  Result<void> add(std::string_view header, std::string_view spec);

  std::vector<Column> columns_;
};

}  // namespace kinf
