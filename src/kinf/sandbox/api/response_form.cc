// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/api/response_form.h"

#include <utility>

#include "kinf/base/ascii.h"
#include "kinf/columns/aged_cells.h"
#include "kinf/columns/columns.h"
#include "kinf/columns/fields.h"
#include "kinf/query/jsonpath.h"
#include "kinf/sandbox/api/http_responses.h"

namespace kinf::sandbox {
namespace {

constexpr std::string_view kMetaVersion = "meta.k8s.io/v1";
constexpr const char* kManagedFields = "managedFields";

std::string list_metadata_text(const ListMetadata& metadata) {
  Json json = {{"resourceVersion", metadata.version}};
  if (!metadata.continue_token.empty()) json["continue"] = metadata.continue_token;
  if (metadata.remaining) json["remainingItemCount"] = *metadata.remaining;
  return to_text(json);
}

bool has_own_columns(const ApiType& type) { return !type.printer_columns.empty(); }

/// Returns the cell of a custom column, or null if the object has no value.
Json custom_cell(const PrinterColumn& column, const nlohmann::json& object, Clock::Wall now) {
  const auto path = JsonPath::parse("{" + column.json_path + "}");
  if (!path) return nullptr;
  const auto found = path->print(object);
  if (!found || found->empty()) return nullptr;
  if (column.type == "integer") {
    if (const auto number = parse_number<std::int64_t>(*found)) return *number;
  }
  if (column.type == "boolean" && (*found == "true" || *found == "false")) {
    return *found == "true";
  }
  if (column.type == "date") return columns::since(*found, now);
  return *found;
}

/// Returns the recorded cells in the order of the columns of the type. Finds each cell by the name
/// of its column, because the columns may have changed during the recording.
Json recorded_cells(const ApiType& type, const StoredObject& object, const nlohmann::json& document,
                    Clock::Wall now) {
  const Json sent = parse_json(object.cells).value_or(Json());
  Json result = Json::array();
  for (const TableColumn& column : type.recorded_columns->columns) {
    Json cell;
    for (std::size_t i = 0; i < elements(sent).size() && i < object.columns->columns.size(); ++i) {
      if (object.columns->columns[i].name == column.name) cell = sent[i];
    }
    if (const auto aged = aged_cell(document, column, now)) cell = *aged;
    result.push_back(std::move(cell));
  }
  return result;
}

Json definition(const TableColumn& column) {
  return {{"name", column.name},
          {"type", column.type},
          {"format", column.format},
          {"description", column.description},
          {"priority", column.priority}};
}

}  // namespace

std::string ResponseForm::whole_text(const StoredObject& object) const {
  if (!drop_managed_fields_ || field(object.json, "metadata", kManagedFields).is_null()) {
    return object.text;
  }
  Json trimmed = object.json;
  trimmed["metadata"].erase(kManagedFields);
  return to_text(trimmed);
}

std::string ResponseForm::metadata_text(const Json& object) const {
  const Json& metadata = field(object, "metadata");
  Json trimmed;
  const bool is_trimmed = drop_managed_fields_ && !field(metadata, kManagedFields).is_null();
  if (is_trimmed) {
    trimmed = metadata;
    trimmed.erase(kManagedFields);
  }
  return R"({"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":)" +
         to_text(is_trimmed ? trimmed : metadata) + "}";
}

/// Omits kind and apiVersion in the items of built-in lists, as the real server does.
std::string ResponseForm::item_text(const StoredObject& object) const {
  const std::string prefix =
      "{\"kind\":\"" + type_->kind + "\",\"apiVersion\":\"" + type_->api_version() + "\",";
  std::string text = whole_text(object);
  if (type_->custom || !text.starts_with(prefix)) return text;
  return "{" + text.substr(prefix.size());
}

ApiResult<ResponseForm> ResponseForm::negotiate(std::string_view accept, std::string_view include,
                                                ApiTypePtr type) {
  const std::optional<MediaType> media = choose_media_type(accept);
  if (!media) return std::unexpected(not_acceptable());
  const bool is_table = media->as == "Table";
  if (is_table && !include.empty() && include != "None" && include != "Metadata" &&
      include != "Object") {
    return std::unexpected(
        bad_request("unrecognized includeObject value: " + std::string(include)));
  }
  const ObjectView view = is_table                                         ? ObjectView::table
                          : media->as.starts_with("PartialObjectMetadata") ? ObjectView::metadata
                                                                           : ObjectView::whole;
  const RowObject row = include == "None"     ? RowObject::none
                        : include == "Object" ? RowObject::whole
                                              : RowObject::metadata;
  return ResponseForm(std::move(type), view, row, media->drop_managed_fields);
}

std::string ResponseForm::table_text(const std::vector<const StoredObject*>& objects,
                                     const ListMetadata& metadata, Clock::Wall now,
                                     bool with_columns) const {
  std::string result = R"({"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":)";
  result += list_metadata_text(metadata) + ",\"columnDefinitions\":";
  result += with_columns ? to_text(column_definitions(*type_)) : "null";
  result += ",\"rows\":[";
  bool first = true;
  for (const StoredObject* object : objects) {
    if (!std::exchange(first, false)) result += ',';
    std::string row = to_text(table_row(*type_, *object, now));
    row.pop_back();  // removes the closing brace, because the object follows
    result += row + ",\"object\":";
    result += row_object_ == RowObject::none    ? "null"
              : row_object_ == RowObject::whole ? whole_text(*object)
                                                : metadata_text(object->json);
    result += '}';
  }
  return result + "]}";
}

std::string ResponseForm::object_text(const StoredObject& object, Clock::Wall now,
                                      bool with_columns) const {
  if (view_ == ObjectView::whole) return whole_text(object);
  if (view_ == ObjectView::metadata) return metadata_text(object.json);
  const ListMetadata metadata{std::to_string(object.version), "", std::nullopt};
  return table_text({&object}, metadata, now, with_columns);
}

std::string ResponseForm::list_text(const std::vector<StoredPtr>& objects,
                                    const ListMetadata& metadata, Clock::Wall now) const {
  if (view_ == ObjectView::table) {
    std::vector<const StoredObject*> rows;
    for (const StoredPtr& object : objects) rows.push_back(object.get());
    return table_text(rows, metadata, now, true);
  }
  const bool only_metadata = view_ == ObjectView::metadata;
  std::string items = "[";
  for (const StoredPtr& object : objects) {
    if (items.size() > 1) items += ',';
    items += only_metadata ? metadata_text(object->json) : item_text(*object);
  }
  items += ']';
  const std::string kind = only_metadata ? "PartialObjectMetadataList" : type_->list_kind;
  const std::string version = only_metadata ? std::string(kMetaVersion) : type_->api_version();
  const std::string meta = list_metadata_text(metadata);
  if (type_->custom && !only_metadata) {
    // The real server sorts the members of lists of custom objects by name.
    return "{\"apiVersion\":\"" + version + "\",\"items\":" + items + ",\"kind\":\"" + kind +
           "\",\"metadata\":" + meta + "}";
  }
  return "{\"kind\":\"" + kind + "\",\"apiVersion\":\"" + version + "\",\"metadata\":" + meta +
         ",\"items\":" + items + "}";
}

std::string ResponseForm::bookmark_text(std::uint64_t version, bool initial_events_end,
                                        Clock::Wall now, bool with_columns) const {
  StoredObject hollow;
  hollow.version = version;
  hollow.json = {{"kind", type_->kind},
                 {"apiVersion", type_->api_version()},
                 {"metadata", {{"resourceVersion", std::to_string(version)}}}};
  if (initial_events_end) {
    hollow.json["metadata"]["annotations"] = {{"k8s.io/initial-events-end", "true"}};
  }
  if (type_->has(TypeTrait::runs_on_node)) {
    hollow.json["spec"] = {{"containers", nullptr}};
    hollow.json["status"] = Json::object();
  }
  hollow.text = to_text(hollow.json);
  return object_text(hollow, now, with_columns);
}

std::string event_text(std::string_view type, std::string_view object) {
  std::string text = "{\"type\":\"";
  text.append(type).append("\",\"object\":").append(object).append("}\n");
  return text;
}

Json column_definitions(const ApiType& type) {
  const TableColumns& known = type.recorded_columns != nullptr
                                  ? *type.recorded_columns
                                  : table_columns(type.api_version(), type.kind);
  Json result = Json::array();
  if (!has_own_columns(type)) {
    for (const TableColumn& column : known.columns) result.push_back(definition(column));
    return result;
  }
  result.push_back(definition(known.columns.front()));
  for (PrinterColumn column : type.printer_columns) {
    if (column.description.empty()) {
      column.description =
          "Custom resource definition column (in JSONPath format): " + column.json_path;
    }
    if (column.type == "date") column.type = "string";  // dates are sent as ages
    result.push_back(definition(column));
  }
  return result;
}

Json table_row(const ApiType& type, const StoredObject& object, Clock::Wall now) {
  const nlohmann::json document = object.json;
  Json row = Json::object();
  if (!has_own_columns(type)) {
    const bool is_recorded = type.recorded_columns != nullptr && object.columns != nullptr;
    row["cells"] = is_recorded ? recorded_cells(type, object, document, now)
                               : Json(table_cells(document, now));
    const nlohmann::json conditions = row_conditions(document);
    if (!conditions.empty()) row["conditions"] = conditions;
    return row;
  }
  row["cells"] = Json::array({name_of(object.json)});
  for (const PrinterColumn& column : type.printer_columns) {
    row["cells"].push_back(custom_cell(column, document, now));
  }
  return row;
}

}  // namespace kinf::sandbox
