// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/history_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>

#include "kinf/print/object_row.h"
#include "kinf/print/time_text.h"
#include "kinf/query/diff.h"

namespace kinf {
namespace {

constexpr std::string_view kNothing = "–";
/// The maximum number of paths in a cell of a table. Further changed paths are only counted.
constexpr std::size_t kShownPaths = 6;
constexpr std::size_t kTimeWidth = 8;
constexpr std::size_t kHistoryDiffIndent = 2;

/// Returns `options` with PrintOptions::diff set, so that differences are always computed.
PrintOptions with_diff(PrintOptions options) {
  if (!options.diff) options.diff = DiffForm::lines;
  return options;
}

std::tm local(Clock::Wall time) {
  const std::time_t seconds =
      std::chrono::floor<std::chrono::seconds>(time).time_since_epoch().count();
  std::tm result{};
  ::localtime_r(&seconds, &result);
  return result;
}

/// Returns a local time such as `10:14:02`, with the date in front unless `time` is on the day of
/// `now`.
std::string moment_text(Clock::Wall time, Clock::Wall now) {
  const std::tm at = local(time);
  const std::tm today = local(now);
  const std::string clock = fmt::format("{:02}:{:02}:{:02}", at.tm_hour, at.tm_min, at.tm_sec);
  if (at.tm_yday == today.tm_yday && at.tm_year == today.tm_year) return clock;
  return fmt::format("{:04}-{:02}-{:02} {}", at.tm_year + 1900, at.tm_mon + 1, at.tm_mday, clock);
}

/// Returns the Status cell of an object, or an empty string if it has no such cell.
std::string status_of(const Object& object, Clock::Wall now) {
  const std::vector<TableColumn>& columns = row_columns(object).columns;
  const std::vector<std::string> cells = row_cells(object, now);
  for (std::size_t i = 0; i < columns.size() && i < cells.size(); ++i) {
    if (columns[i].name == "Status") return cells[i];
  }
  return {};
}

std::string deleted_text(const Change& change, Clock::Wall now) {
  const std::string status = change.object ? status_of(*change.object, now) : "";
  std::string text = status.empty() ? "" : "last seen " + status;
  if (change.final_state_unknown) {
    text += text.empty() ? "found missing" : "; found missing";
  }
  return text.empty() ? std::string(kNothing) : text;
}

/// Returns the CHANGED cell of an update. Lists at most `most_paths` paths.
std::string updated_text(const ObjectDiff& diff, std::size_t most_paths) {
  const std::vector<Difference> changes = main_changes(diff);
  if (changes.size() == 1) return change_text(changes.front());
  std::string text;
  const auto add = [&](const DiffPath& path) {
    if (!text.empty()) text += ", ";
    text += path_text(path);
  };
  for (std::size_t i = 0; i < changes.size() && i < most_paths; ++i) add(changes[i].path);
  if (changes.size() > most_paths) text += fmt::format(" and {} more", changes.size() - most_paths);
  if (changes.empty()) {
    for (const ListOrder& list : diff.lists) add(list.path);
  }
  return text.empty() ? std::string(kNothing) : text;
}

}  // namespace

HistoryTable::HistoryTable(const PrintOptions& options)
    : options_(options),
      separator_(separator_of(options.format)),
      diff_(with_diff(options)),
      diff_text_(options),
      table_(options.terminal_width) {
  constexpr std::size_t kManagerWidth = 10;
  table_.set_roles({ColumnRole::fixed, ColumnRole::fixed});
  table_.reserve(0, options.time_form ? time_width(*options.time_form) : kTimeWidth);
  table_.reserve(1, kEventWidth);
  table_.reserve(2, kManagerWidth);
}

std::string HistoryTable::changed_text(const ResourceType& type, const Change& change,
                                       Clock::Wall now) {
  if (change.type == ChangeType::deleted) return deleted_text(change, now);
  if (change.type == ChangeType::added) {
    if (change.recreated) return "another object with this name";
    return change.initial ? "existed before" : std::string(kNothing);
  }
  const ObjectDiff* const diff = diff_.of(type, change);
  if (diff == nullptr || options_.diff) return std::string(kNothing);
  const bool has_room = options_.format != OutputFormat::table;
  return updated_text(*diff, has_room ? diff->changes.max_size() : kShownPaths);
}

std::string HistoryTable::when_text(Clock::Wall time) const {
  if (options_.time_form) return time_text(*options_.time_form, time, options_.start);
  if (separator_) return time_text(TimeForm::rfc3339, time, options_.start);
  return moment_text(time, options_.start);
}

void HistoryTable::add_row(std::vector<std::string> cells, std::string& out) {
  if (separator_) {
    std::ranges::replace(cells, std::string(kNothing), std::string());
    append_separated_row(out, cells, *separator_);
    return;
  }
  table_.add_row(cells);
}

void HistoryTable::print(const ResourceType& type, const Change& change, Clock::Wall now,
                         std::string& out) {
  if (!has_headers_ && options_.headers) add_row({"TIME", "EVENT", "MANAGER", "CHANGED"}, out);
  has_headers_ = true;
  const std::string_view manager = change.manager();
  add_row({when_text(change.origin.arrived), std::string(event_word(change.type)),
           std::string(manager.empty() ? kNothing : manager), changed_text(type, change, now)},
          out);
  out += table_.flush();
  if (!options_.diff) return;
  if (const ObjectDiff* const diff = diff_.of(type, change)) {
    diff_text_.append(out, *diff, kHistoryDiffIndent);
  }
}

}  // namespace kinf
