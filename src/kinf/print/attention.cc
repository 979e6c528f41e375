// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/attention.h"

#include <algorithm>
#include <array>

#include "kinf/base/ascii.h"

namespace kinf {
namespace {

template <std::size_t kCount>
bool is_one_of(const std::array<std::string_view, kCount>& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

constexpr std::array<std::string_view, 4> kStatusColumns = {"Status", "Phase", "State", "Health"};
constexpr std::array<std::string_view, 4> kConditionColumns = {"Ready", "Available", "Healthy",
                                                               "Synced"};

/// The beginnings and ends of words that mean a failure, such as ErrImagePull and BackOff.
constexpr std::array<std::string_view, 5> kFailureStarts = {"Err", "Fail", "OutOf", "Invalid",
                                                            "Unexpected"};
constexpr std::array<std::string_view, 5> kFailureEnds = {"BackOff", "Error", "Failed", "NeverPull",
                                                          "CannotRun"};
constexpr std::array<std::string_view, 13> kFailures = {
    "OOMKilled", "Evicted",      "NodeLost",  "NodeAffinity", "DeadlineExceeded",
    "Lost",      "Unknown",      "NotReady",  "Degraded",     "ContainerStatusUnknown",
    "Unhealthy", "NodeShutdown", "Preempting"};
constexpr std::array<std::string_view, 9> kPassing = {
    "Pending",  "Terminating", "SchedulingDisabled", "SchedulingGated", "Suspended",
    "Released", "Progressing", "OutOfSync",          "Missing"};

Colour colour_of_state(std::string_view word) {
  if (word.starts_with("Init:")) word.remove_prefix(5);
  if (is_one_of(kPassing, word)) return Colour::yellow;
  if (word.starts_with("Signal:") || (word.starts_with("ExitCode:") && word != "ExitCode:0") ||
      is_one_of(kFailures, word) ||
      std::ranges::any_of(kFailureStarts, [&](auto start) { return word.starts_with(start); }) ||
      std::ranges::any_of(kFailureEnds, [&](auto end) { return word.ends_with(end); })) {
    return Colour::red;
  }
  return Colour::none;
}

/// Judges the words of a status such as `Ready,SchedulingDisabled`. Red wins.
Colour colour_of_status(std::string_view kind, std::string_view status) {
  // A pod is NotReady for as long as one of its containers is.
  if (kind == "Pod" && status == "NotReady") return Colour::yellow;
  Colour colour = Colour::none;
  while (!status.empty()) {
    const std::string_view word = status.substr(0, status.find(','));
    status.remove_prefix(std::min(word.size() + 1, status.size()));
    const Colour one = colour_of_state(word);
    if (one == Colour::red) return one;
    if (one != Colour::none) colour = one;
  }
  return colour;
}

/// Judges `1/2` or the status of a condition.
Colour colour_of_readiness(std::string_view cell) {
  if (cell == "False") return Colour::red;
  if (cell == "Unknown") return Colour::yellow;
  const std::size_t slash = cell.find('/');
  if (slash == std::string_view::npos) return Colour::none;
  const auto ready = parse_number<int>(cell.substr(0, slash));
  const auto wanted = parse_number<int>(cell.substr(slash + 1));
  return ready && wanted && *ready < *wanted ? Colour::yellow : Colour::none;
}

/// Reads the cells of one row by the names of their columns.
class Row {
 public:
  Row(const std::vector<TableColumn>& columns, const std::vector<std::string>& cells)
      : columns_(columns), cells_(cells) {}

  /// Returns an empty string if there is no such column.
  std::string_view cell(std::string_view name) const {
    for (std::size_t i = 0; i < std::min(columns_.size(), cells_.size()); ++i) {
      if (columns_[i].name == name) return cells_[i];
    }
    return {};
  }

 private:
  const std::vector<TableColumn>& columns_;
  const std::vector<std::string>& cells_;
};

bool has_completed(const Row& row) {
  const std::string_view status = row.cell("Status");
  return status == "Completed" || status == "Succeeded";
}

Colour colour_of_cell(std::string_view kind, std::string_view column, const std::string& cell,
                      const Row& row) {
  if (is_one_of(kStatusColumns, column)) return colour_of_status(kind, cell);
  if (kind == "Event") {
    return column == "Type" && cell == "Warning" ? Colour::yellow : Colour::none;
  }
  if (!is_one_of(kConditionColumns, column) || has_completed(row)) return Colour::none;
  if (const auto wanted = parse_number<int>(row.cell("Desired")); wanted && column == "Ready") {
    const auto ready = parse_number<int>(cell);
    return ready && *ready < *wanted ? Colour::yellow : Colour::none;
  }
  return colour_of_readiness(cell);
}

}  // namespace

std::vector<Colour> attention_colours(std::string_view kind,
                                      const std::vector<TableColumn>& columns,
                                      const std::vector<std::string>& cells) {
  const Row row(columns, cells);
  std::vector<Colour> colours(cells.size(), Colour::none);
  for (std::size_t i = 0; i < std::min(columns.size(), cells.size()); ++i) {
    colours[i] = colour_of_cell(kind, columns[i].name, cells[i], row);
  }
  return colours;
}

}  // namespace kinf
