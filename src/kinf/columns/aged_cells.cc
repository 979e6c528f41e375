// SPDX-License-Identifier: Apache-2.0
#include "kinf/columns/aged_cells.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "kinf/columns/columns.h"
#include "kinf/columns/fields.h"
#include "kinf/columns/kind_columns.h"
#include "kinf/query/jsonpath.h"

namespace kinf {
namespace {

/// The server describes a column of a custom resource with this text followed by the JSONPath,
/// unless the CustomResourceDefinition contains a description (apiextensions-apiserver,
/// tableconvertor.go).
constexpr std::string_view kCustom = "Custom resource definition column (in JSONPath format): ";
/// The end of the Restarts cell of a pod that was restarted.
constexpr std::string_view kAgo = " ago)";

struct AgedColumn {
  std::string_view api_version;
  std::string_view kind;
  std::string_view column;
};

/// The columns of built-in types, besides Age, that show an age
/// (kubernetes/pkg/printers/internalversion/printers.go).
constexpr std::array<AgedColumn, 7> kAged = {{{"v1", "Pod", "Restarts"},
                                              {"v1", "Event", "Last Seen"},
                                              {"v1", "Event", "First Seen"},
                                              {"events.k8s.io/v1", "Event", "Last Seen"},
                                              {"events.k8s.io/v1", "Event", "First Seen"},
                                              {"batch/v1", "Job", "Duration"},
                                              {"batch/v1", "CronJob", "Last Schedule"}}};

bool is_custom_date(const TableColumn& column) {
  return column.type == "date" && column.description.starts_with(kCustom);
}

bool is_aged(std::string_view api_version, std::string_view kind, const TableColumn& column) {
  return is_custom_date(column) || std::ranges::any_of(kAged, [&](const AgedColumn& aged) {
           return aged.api_version == api_version && aged.kind == kind &&
                  aged.column == column.name;
         });
}

/// Returns the text of `cell`. Returns nullopt if the text contains no age, as for an incomplete
/// object.
std::optional<std::string> if_aged(std::string_view kind, const nlohmann::json& cell) {
  std::string text = columns::text(cell);
  if (text.empty() || text == "<unknown>") return std::nullopt;
  if (kind == "Pod" && !text.ends_with(" ago)")) return std::nullopt;
  return text;
}

/// Returns the time that a custom column of the type `date` shows.
std::optional<std::string> custom_date(const nlohmann::json& object, const TableColumn& column) {
  const std::string path = column.description.substr(kCustom.size());
  const Result<JsonPath> parsed = JsonPath::parse("{" + path + "}");
  if (!parsed) return std::nullopt;
  const auto found = parsed->print(object);
  if (!found || !columns::time(*found)) return std::nullopt;
  return *found;
}

std::optional<std::string> if_time(const nlohmann::json& value) {
  return columns::time(value) ? std::optional(columns::text(value)) : std::nullopt;
}

}  // namespace

bool shows_creation_age(const TableColumn& column) {
  if (column.name != "Age") return false;
  const bool is_custom = column.description.starts_with(kCustom);
  return !is_custom || column.description.find(".metadata.creationTimestamp") != std::string::npos;
}

bool shows_other_ages(std::string_view api_version, std::string_view kind,
                      const TableColumns& columns, std::string_view cells) {
  if (kind == "Pod" && api_version == "v1") return cells.find(kAgo) != std::string_view::npos;
  return std::ranges::any_of(columns.columns, [&](const TableColumn& column) {
    return !shows_creation_age(column) && is_aged(api_version, kind, column);
  });
}

std::optional<std::string> aged_cell(const nlohmann::json& object, const TableColumn& column,
                                     Clock::Wall now) {
  using columns::field;
  if (shows_creation_age(column)) return columns::age(object, now);
  if (is_custom_date(column)) {
    const auto date = custom_date(object, column);
    return date ? std::optional(columns::since(*date, now)) : std::nullopt;
  }
  const std::string api_version = columns::text(field(object, "apiVersion"));
  const std::string kind = columns::text(field(object, "kind"));
  if (!is_aged(api_version, kind, column)) return std::nullopt;
  if (kind == "CronJob") {
    const nlohmann::json& last = field(object, "status", "lastScheduleTime");
    return if_aged(kind, columns::since(last, now));
  }
  const std::vector<TableColumn>& known = table_columns(api_version, kind).columns;
  const auto found = std::ranges::find(known, column.name, &TableColumn::name);
  if (found == known.end()) return std::nullopt;
  return if_aged(kind, table_cells(object, now)[static_cast<std::size_t>(found - known.begin())]);
}

std::optional<std::string> timed_cell(const nlohmann::json& object, const TableColumn& column,
                                      Clock::Wall now) {
  using columns::field;
  if (is_custom_date(column)) return custom_date(object, column);
  const std::string kind = columns::text(field(object, "kind"));
  if (!is_aged(columns::text(field(object, "apiVersion")), kind, column)) return std::nullopt;
  if (kind == "CronJob") return if_time(field(object, "status", "lastScheduleTime"));
  if (kind == "Event") return if_time(columns::event_time(object, column.name == "Last Seen"));
  if (kind != "Job") return std::nullopt;
  const auto seconds = columns::job_seconds(object, now);
  return seconds ? std::optional(std::to_string(seconds->count())) : std::nullopt;
}

std::string without_age(std::string cell) {
  if (cell.ends_with(kAgo)) cell.resize(std::min(cell.rfind(" ("), cell.size()));
  return cell;
}

}  // namespace kinf
