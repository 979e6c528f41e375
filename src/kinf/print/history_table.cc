// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/history_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <utility>

#include "kinf/api/gap.h"
#include "kinf/print/event_note.h"
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

/// Returns `options` without the NAMESPACE column if there is one object.
PrintOptions with_columns(PrintOptions options) {
  options.with_namespace = options.with_namespace && options.several_objects;
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
    : options_(with_columns(options)),
      separator_(separator_of(options.format)),
      diff_(with_diff(options)),
      diff_text_(options),
      table_(options.terminal_width) {
  constexpr std::size_t kManagerWidth = 10;
  constexpr std::size_t kObjectWidth = 20;
  table_.set_roles({ColumnRole::fixed, ColumnRole::fixed});
  table_.reserve(0, options.time_form ? time_width(*options.time_form) : kTimeWidth);
  table_.reserve(1, kEventWidth);
  std::size_t next = 2;
  if (options_.with_cluster) ++next;
  if (options_.with_namespace) ++next;
  if (options_.several_objects) table_.reserve(next++, kObjectWidth);
  table_.reserve(next, kManagerWidth);
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

std::string HistoryTable::gap_text(const Gap& gap) const {
  const std::string begin = when_text(gap.begin);
  const std::string end = when_text(gap.end);
  if (gap.resources.empty()) return fmt::format("{} between {} and {}", gap.reason, begin, end);
  return fmt::format("{}not recorded from {} to {} ({})",
                     options_.several_objects ? gap.types_text() + ": " : "", begin, end,
                     gap.reason);
}

void HistoryTable::add_cells(std::vector<std::string> cells, std::string& out) {
  if (separator_) {
    std::ranges::replace(cells, std::string(kNothing), std::string());
    append_separated_row(out, cells, *separator_);
    return;
  }
  table_.add_row(cells);
}

void HistoryTable::add_header_row(std::string& out) {
  if (std::exchange(has_headers_, true) || !options_.headers) return;
  std::vector<std::string> cells = {"TIME", "EVENT"};
  if (options_.with_cluster) cells.emplace_back("CLUSTER");
  if (options_.with_namespace) cells.emplace_back("NAMESPACE");
  if (options_.several_objects) cells.emplace_back("OBJECT");
  cells.insert(cells.end(), {"MANAGER", "CHANGED"});
  add_cells(std::move(cells), out);
}

void HistoryTable::add_row(Row row, std::string& out) {
  add_header_row(out);
  const auto shown = [](std::string_view text) {
    return std::string(text.empty() ? kNothing : text);
  };
  std::vector<std::string> cells = {when_text(row.time), std::string(row.event)};
  if (options_.with_cluster) cells.push_back(cluster());
  if (options_.with_namespace) cells.push_back(shown(row.ns));
  if (options_.several_objects) cells.push_back(shown(row.object));
  cells.push_back(shown(row.manager));
  cells.push_back(std::move(row.changed));
  add_cells(std::move(cells), out);
  if (!row.is_in_batch || ++held_ >= kHeldRows) flush(out);
}

void HistoryTable::flush(std::string& out) {
  out += table_.flush();
  held_ = 0;
}

void HistoryTable::print(const ResourceType& type, const Change& change, Clock::Wall now,
                         std::string& out) {
  const std::size_t slash = change.key.rfind('/');
  const std::string_view key = change.key;
  add_row({.time = change.origin.arrived,
           .event = event_word(change.type),
           .ns = slash == std::string::npos ? "" : key.substr(0, slash),
           .object = typed_name(type, key.substr(slash + 1)),
           .manager = change.manager(),
           .changed = changed_text(type, change, now),
           .is_in_batch = comes_in_a_batch(change)},
          out);
  if (!options_.diff) return;
  if (const ObjectDiff* const diff = diff_.of(type, change)) {
    diff_text_.append(out, *diff, kHistoryDiffIndent);
  }
}

void HistoryTable::print_note(const ResourceType& type, const Change& change, const EventNote& note,
                              Clock::Wall /*now*/, std::string& out) {
  add_row({.time = shown_time(type, change),
           .event = "Event",
           .ns = note.ns,
           .object = note.typed_name(),
           .manager = note.reporter,
           .changed = note.text},
          out);
}

bool HistoryTable::print_gap(const Gap& gap, std::string& out) {
  add_row({.time = gap.end, .event = "Gap", .changed = gap_text(gap)}, out);
  return true;
}

}  // namespace kinf
