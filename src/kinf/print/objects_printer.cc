// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/objects_printer.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <utility>

#include "kinf/api/object_decoder.h"
#include "kinf/base/ascii.h"
#include "kinf/base/assign.h"
#include "kinf/base/log.h"
#include "kinf/print/json_tree.h"
#include "kinf/print/object_document.h"
#include "kinf/print/object_row.h"
#include "kinf/print/yaml_text.h"
#include "kinf/query/jsonpath.h"

namespace kinf {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kPieceSize = 64 * 1024;

/// Calls `use(entry, object)` for each object of each entry. Passes `out` to the sink whenever it
/// has at least kPieceSize bytes.
template <class Use>
void for_each_object(const std::vector<PrintedObjects>& types, std::string& out,
                     const TextSink& sink, Use use) {
  for (const PrintedObjects& type : types) {
    for (const ObjectPtr& object : type.objects) {
      use(type, object);
      if (out.size() >= kPieceSize) sink(out);
    }
  }
}

/// Returns whether an object has the columns of `wanted`, which may be null.
bool has_columns(const ObjectPtr& object, const TableColumns* wanted) {
  return object->columns() == wanted || (object->columns() != nullptr && wanted != nullptr &&
                                         object->columns()->columns == wanted->columns);
}

/// In a recording, objects of one type may have the columns that it had before its definition
/// changed. Returns the columns of the newest object if not all have the same; else null.
std::shared_ptr<const TableColumns> columns_to_share(const std::vector<ObjectPtr>& objects) {
  const auto is_like_first = [&](const ObjectPtr& object) {
    return has_columns(object, objects.front()->columns());
  };
  if (std::ranges::all_of(objects, is_like_first)) return nullptr;
  const auto version = [](const ObjectPtr& object) {
    return parse_number<std::uint64_t>(object->resource_version()).value_or(0);
  };
  const TableColumns* const newest = (*std::ranges::max_element(objects, {}, version))->columns();
  return newest == nullptr ? nullptr : std::make_shared<const TableColumns>(*newest);
}

/// Returns `object`, or a copy whose row has these columns. Its cells are found by the names of
/// their columns; the others are empty.
ObjectPtr with_columns(const ObjectPtr& object,
                       const std::shared_ptr<const TableColumns>& columns) {
  if (has_columns(object, columns.get())) return object;
  const Json old_cells = parse_document(object->cells());  // which limits the depth
  if (object->columns() == nullptr || !old_cells.is_array()) return object;
  const std::vector<TableColumn>& old_columns = object->columns()->columns;
  Json cells = Json::array();
  for (const TableColumn& column : columns->columns) {
    const auto found = std::ranges::find(old_columns, column.name, &TableColumn::name);
    const auto place = static_cast<std::size_t>(found - old_columns.begin());
    cells.push_back(place < old_cells.size() ? old_cells[place] : Json());
  }
  const std::string text = cells.dump(-1, ' ', false, Json::error_handler_t::replace);
  Scratch scratch;
  DecodeOptions options;
  options.form = object->form();
  Result<ObjectPtr> changed =
      ObjectDecoder(std::move(options)).decode(object->json(scratch), {text, columns, {}});
  return changed ? *std::move(changed) : object;
}

/// Prints one line or row per object, as an EventPrinter does without PrintOptions::with_events.
std::size_t print_lines(const std::vector<PrintedObjects>& types, PrintOptions options,
                        Clock::Wall now, const TextSink& sink) {
  options.with_events = false;
  const std::unique_ptr<EventPrinter> printer = make_event_printer(options);
  std::string out;
  const PrintedObjects* current = nullptr;
  std::shared_ptr<const TableColumns> columns;
  for_each_object(types, out, sink, [&](const PrintedObjects& some, const ObjectPtr& object) {
    if (std::exchange(current, &some) != &some) columns = columns_to_share(some.objects);
    const Change listed{.origin = {.source = ChangeSource::list},
                        .key = object->key(),
                        .object = columns ? with_columns(object, columns) : object};
    printer->set_cluster(some.cluster);
    printer->print(*some.resource, listed, now, out);
  });
  printer->add_headers();
  printer->flush(out);
  sink(out);
  return printer->unprinted();
}

/// Reads the documents of objects. Logs the damaged ones.
class DocumentReader {
 public:
  explicit DocumentReader(bool show_secrets, bool neat = false)
      : show_secrets_(show_secrets), neat_(neat) {}

  /// Calls `use(tree, text)` with the document of an object, unless it is damaged.
  template <class Use>
  void read(const ResourceType& type, const ObjectPtr& object, Use use) {
    ObjectDocument document = object_document(type, *object, show_secrets_, scratch_);
    const Result<void> checked = check_.check(document.text);
    if (checked && neat_) {
      neat_text_ = neat_document(document.text);
      document = {neat_text_};
    }
    const Result<JsonTree> tree = checked ? JsonTree::parse(document.text) : fail(checked);
    if (tree) return use(*tree, std::string_view(document.text));
    ++damaged_;
    log::warning("{} {}: not printed: {}", type.gvr.resource, object->key(), tree.error().message);
  }
  std::size_t damaged() const { return damaged_; }

 private:
  const bool show_secrets_;
  const bool neat_;
  std::string neat_text_;
  Scratch scratch_;
  JsonCheck check_;
  std::size_t damaged_ = 0;
};

std::size_t print_json(const std::vector<PrintedObjects>& types, const PrintOptions& options,
                       bool as_list, const TextSink& sink) {
  DocumentReader documents(options.show_secrets, options.neat);
  std::string out;
  if (as_list) out += "{\n    \"apiVersion\": \"v1\",\n    \"items\": [";
  const std::size_t depth = as_list ? 2 : 0;
  bool first = true;
  for_each_object(types, out, sink, [&](const PrintedObjects& some, const ObjectPtr& object) {
    documents.read(*some.resource, object, [&](const JsonTree& tree, std::string_view) {
      if (as_list) out += first ? "\n        " : ",\n        ";
      first = false;
      append_indented(out, tree, tree.root(), depth);
    });
  });
  if (as_list) {
    out += first ? "]" : "\n    ]";
    out +=
        ",\n    \"kind\": \"List\",\n    \"metadata\": {\n        \"resourceVersion\": \"\"\n"
        "    }\n}";
  }
  if (as_list || documents.damaged() == 0) out += '\n';
  sink(out);
  return documents.damaged();
}

std::size_t print_yaml(const std::vector<PrintedObjects>& types, const PrintOptions& options,
                       bool as_list, const TextSink& sink) {
  DocumentReader documents(options.show_secrets, options.neat);
  std::string out;
  if (as_list) out += "apiVersion: v1\nitems:";
  bool first = true;
  for_each_object(types, out, sink, [&](const PrintedObjects& some, const ObjectPtr& object) {
    documents.read(*some.resource, object, [&](const JsonTree& tree, std::string_view) {
      if (as_list) out += first ? "\n-" : "-";
      first = false;
      append_yaml(out, tree, tree.root(), as_list ? 2 : 0,
                  as_list ? YamlPlace::behind_dash : YamlPlace::document);
    });
  });
  if (as_list) {
    if (first) out += " []\n";
    out += "kind: List\nmetadata:\n  resourceVersion: \"\"\n";
  }
  sink(out);
  return documents.damaged();
}

/// Applies a JSONPath template to the single object, or to a List of all objects.
Result<std::size_t> print_jsonpath(const std::vector<PrintedObjects>& types,
                                   const PrintOptions& options, bool as_list,
                                   const TextSink& sink) {
  DocumentReader documents(options.show_secrets);
  Json items = Json::array();
  std::string out;
  for_each_object(types, out, sink, [&](const PrintedObjects& some, const ObjectPtr& object) {
    documents.read(*some.resource, object, [&](const JsonTree&, std::string_view text) {
      items.push_back(parse_document(text));
    });
  });
  Json document;
  if (!as_list && items.size() == 1) {
    document = std::move(items[0]);
  } else {
    document = {{"apiVersion", "v1"},
                {"kind", "List"},
                {"items", std::move(items)},
                {"metadata", {{"resourceVersion", ""}}}};
  }
  Result<std::string> text = jsonpath_text(options, options.allow_missing_keys, document);
  if (!text) return fail(text);
  sink(*text);
  return documents.damaged();
}

}  // namespace

Result<std::size_t> print_objects(const std::vector<PrintedObjects>& types,
                                  const PrintOptions& options, bool as_list, Clock::Wall now,
                                  const TextSink& sink) {
  switch (options.format) {
    case OutputFormat::json: return print_json(types, options, as_list, sink);
    case OutputFormat::yaml: return print_yaml(types, options, as_list, sink);
    case OutputFormat::jsonpath:
    case OutputFormat::jsonpath_as_json: return print_jsonpath(types, options, as_list, sink);
    default: return print_lines(types, options, now, sink);
  }
}

std::set<const Object*> damaged_objects(const ResourceType& type,
                                        const std::vector<ObjectPtr>& objects, bool show_secrets) {
  DocumentReader documents(show_secrets);
  std::set<const Object*> damaged;
  for (const ObjectPtr& object : objects) {
    const std::size_t before = documents.damaged();
    documents.read(type, object, [](const JsonTree&, std::string_view) {});
    if (documents.damaged() > before) damaged.insert(object.get());
  }
  return damaged;
}

void sort_rows(const ResourceType& type, std::vector<ObjectPtr>& objects) {
  if (type.gvr.group_resource() != "flowschemas.flowcontrol.apiserver.k8s.io") return;
  std::ranges::stable_sort(objects, {}, [](const ObjectPtr& object) {
    const std::vector<TableColumn>& columns = row_columns(*object).columns;
    const auto found = std::ranges::find(columns, "MatchingPrecedence", &TableColumn::name);
    const auto cells = row_cells(*object, Clock::Wall());
    if (found == columns.end()) return std::int64_t{0};
    const std::string& cell = cells.at(static_cast<std::size_t>(found - columns.begin()));
    return parse_number<std::int64_t>(cell).value_or(0);
  });
}

Result<void> sort_objects(std::vector<PrintedObjects>& types, const SortOrder& order,
                          SortScope scope) {
  if (order.empty()) return {};
  std::vector<PrintedObjects> all;
  for (auto begin = types.begin(); begin != types.end();) {
    const auto is_other = [&](const PrintedObjects& one) {
      return one.resource->gvr.group_resource() != begin->resource->gvr.group_resource();
    };
    const auto end =
        scope == SortScope::table ? std::find_if(begin, types.end(), is_other) : types.end();
    std::vector<PrintedObjects> singles;
    std::vector<const Object*> objects;
    for (; begin != end; ++begin) {
      for (const ObjectPtr& object : begin->objects) {
        singles.push_back({begin->resource, {object}, begin->cluster});
        objects.push_back(object.get());
      }
    }
    const Result<std::vector<std::size_t>> positions = order.positions(objects);
    if (!positions) return fail(positions);
    for (const std::size_t position : *positions) all.push_back(std::move(singles[position]));
  }
  types = std::move(all);
  return {};
}

Result<ObjectsText> objects_text(const std::vector<PrintedObjects>& types,
                                 const PrintOptions& options, bool as_list, Clock::Wall now) {
  ObjectsText all;
  Result<void> done =
      assign(all.damaged, print_objects(types, options, as_list, now, [&](std::string& piece) {
               all.text += piece;
               piece.clear();
             }));
  if (!done) return fail(done);
  return all;
}

}  // namespace kinf
