// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/objects_printer.h"

#include <optional>

#include "kinf/base/log.h"
#include "kinf/print/event_table.h"
#include "kinf/print/json_check.h"
#include "kinf/print/json_text.h"
#include "kinf/print/json_tree.h"
#include "kinf/print/object_document.h"
#include "kinf/print/yaml_text.h"

namespace kinf {
namespace {

constexpr std::size_t kPieceSize = 64 * 1024;

/// Calls `use(type, object)` for each object. Passes `out` to the sink whenever it is long.
template <class Use>
void for_each_object(const std::vector<PrintedObjects>& types, std::string& out,
                     const TextSink& sink, Use use) {
  for (const PrintedObjects& type : types) {
    for (const ObjectPtr& object : type.objects) {
      use(*type.resource, object);
      if (out.size() >= kPieceSize) sink(out);
    }
  }
}

void print_tables(const std::vector<PrintedObjects>& types, PrintOptions options, Clock::Wall now,
                  const TextSink& sink) {
  options.with_events = false;
  std::optional<EventTable> table;
  std::string shown;  // the type of the table
  std::string out;
  for (const PrintedObjects& type : types) {
    if (type.objects.empty()) continue;
    if (!table || type.resource->gvr.group_resource() != shown) {
      if (table) {
        table->flush(out);
        out += '\n';
      }
      table.emplace(options);
      shown = type.resource->gvr.group_resource();
    }
    table->set_cluster(type.cluster);
    for (const ObjectPtr& object : type.objects) {
      const Change listed{
          .origin = {.source = ChangeSource::list}, .key = object->key(), .object = object};
      table->print(*type.resource, listed, now, out);
      if (out.size() >= kPieceSize) sink(out);
    }
  }
  if (table) table->flush(out);
  sink(out);
}

/// Reads the documents of objects. Logs the damaged ones.
class DocumentReader {
 public:
  explicit DocumentReader(bool show_secrets) : show_secrets_(show_secrets) {}

  /// Calls `use(tree)` with the document of an object, unless it is damaged.
  template <class Use>
  void read(const ResourceType& type, const ObjectPtr& object, Use use) {
    const ObjectDocument document = object_document(type, *object, show_secrets_, scratch_);
    const Result<void> checked = check_.check(document.text);
    const Result<JsonTree> tree =
        checked ? JsonTree::parse(document.text) : std::unexpected(checked.error());
    if (tree) return use(*tree);
    ++damaged_;
    log::warning("{} {}: not printed: {}", type.gvr.resource, object->key(), tree.error().message);
  }
  std::size_t damaged() const { return damaged_; }

 private:
  const bool show_secrets_;
  Scratch scratch_;
  JsonCheck check_;
  std::size_t damaged_ = 0;
};

std::size_t print_json(const std::vector<PrintedObjects>& types, bool show_secrets, bool as_list,
                       const TextSink& sink) {
  DocumentReader documents(show_secrets);
  std::string out;
  if (as_list) out += "{\n    \"apiVersion\": \"v1\",\n    \"items\": [";
  const std::size_t depth = as_list ? 2 : 0;
  bool first = true;
  for_each_object(types, out, sink, [&](const ResourceType& type, const ObjectPtr& object) {
    documents.read(type, object, [&](const JsonTree& tree) {
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

std::size_t print_yaml(const std::vector<PrintedObjects>& types, bool show_secrets, bool as_list,
                       const TextSink& sink) {
  DocumentReader documents(show_secrets);
  std::string out;
  if (as_list) out += "apiVersion: v1\nitems:";
  bool first = true;
  for_each_object(types, out, sink, [&](const ResourceType& type, const ObjectPtr& object) {
    documents.read(type, object, [&](const JsonTree& tree) {
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

void print_names(const std::vector<PrintedObjects>& types, const TextSink& sink) {
  std::string out;
  for_each_object(types, out, sink, [&](const ResourceType& type, const ObjectPtr& object) {
    out += typed_name(type, object->name());
    out += '\n';
  });
  sink(out);
}

}  // namespace

std::size_t print_objects(const std::vector<PrintedObjects>& types, const PrintOptions& options,
                          bool as_list, Clock::Wall now, const TextSink& sink) {
  switch (options.format) {
    case OutputFormat::json:
      return print_json(types, options.show_secrets, as_list, sink);
    case OutputFormat::yaml:
      return print_yaml(types, options.show_secrets, as_list, sink);
    case OutputFormat::name:
      print_names(types, sink);
      return 0;
    case OutputFormat::table:
    case OutputFormat::wide:
      break;
  }
  print_tables(types, options, now, sink);
  return 0;
}

}  // namespace kinf
