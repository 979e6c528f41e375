// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/event_printer.h"

#include <array>

#include "kinf/base/ascii.h"
#include "kinf/base/log.h"
#include "kinf/base/visible_text.h"
#include "kinf/print/event_document.h"
#include "kinf/print/event_json.h"
#include "kinf/print/event_table.h"
#include "kinf/print/expression_printers.h"
#include "kinf/print/grouped_table.h"
#include "kinf/print/json_tree.h"
#include "kinf/print/yaml_text.h"

namespace kinf {
namespace {

/// Prints `pod/web-1` per line, or `ADDED pod/web-1` with events (-o name).
class NamePrinter final : public EventPrinter {
 public:
  explicit NamePrinter(const PrintOptions& options) : with_events_(options.with_events) {}
  void print(const ResourceType& type, const Change& change, Clock::Wall,
             std::string& out) override {
    if (with_events_) out.append(wire_word(change.type)).append(" ");
    out += typed_name(type, change.key.substr(change.key.rfind('/') + 1));
    out += '\n';
  }

 private:
  bool with_events_;
};

/// Prints one JSON document per line: the object, or {"type","object",…} with events (-o json).
class JsonPrinter final : public EventPrinter {
 public:
  explicit JsonPrinter(const PrintOptions& options) : document_(options) {}
  void print(const ResourceType& type, const Change& change, Clock::Wall,
             std::string& out) override {
    if (document_.append(out, type, change, cluster())) out += '\n';
  }
  void print_bookmark(const ResourceType& type, const Bookmark& bookmark,
                      std::string& out) override {
    append_bookmark_json(out, type, bookmark, cluster());
    out += '\n';
  }
  std::size_t unprinted() const override { return document_.unprinted(); }

 private:
  EventDocument document_;
};

/// Prints one document per event, each followed by `---`, so that a reader can detect the end of a
/// document at once (-o yaml).
class YamlPrinter final : public EventPrinter {
 public:
  explicit YamlPrinter(const PrintOptions& options)
      : with_events_(options.with_events), document_(options) {}
  void print(const ResourceType& type, const Change& change, Clock::Wall,
             std::string& out) override {
    std::string line;
    if (!document_.append(line, type, change, cluster())) return;
    const Result<void> done = append_line(line, out);
    if (!done) document_.report_unprinted(type, change, done.error());
  }
  void print_bookmark(const ResourceType& type, const Bookmark& bookmark,
                      std::string& out) override {
    std::string line;
    append_bookmark_json(line, type, bookmark, cluster());
    (void)append_line(line, out);  // always valid
  }
  std::size_t unprinted() const override { return document_.unprinted(); }

 private:
  Result<void> append_line(std::string_view line, std::string& out) const {
    const Result<JsonTree> tree = JsonTree::parse(line);
    if (!tree) return std::unexpected(tree.error());
    if (with_events_) {
      append_event(out, *tree);
    } else {
      append_yaml(out, *tree, tree->root(), 0, YamlPlace::document);
    }
    out += "---\n";
    return {};
  }

  /// Appends the fields of the event in their order. Sorts the members of their values by key.
  static void append_event(std::string& out, const JsonTree& tree) {
    for (const JsonTree::Node* field : tree.children(tree.root())) {
      out.append(field->key.substr(1, field->key.size() - 2)).append(":");
      append_yaml(out, tree, *field, 2, YamlPlace::behind_key);
    }
  }

  const bool with_events_;
  EventDocument document_;
};

}  // namespace

std::unique_ptr<EventPrinter> make_event_printer(const PrintOptions& options) {
  switch (options.format) {
    case OutputFormat::json:
      return std::make_unique<JsonPrinter>(options);
    case OutputFormat::yaml:
      return std::make_unique<YamlPrinter>(options);
    case OutputFormat::name:
      return std::make_unique<NamePrinter>(options);
    case OutputFormat::jsonpath:
    case OutputFormat::jsonpath_as_json:
      return std::make_unique<JsonPathPrinter>(options);
    case OutputFormat::custom_columns:
      return std::make_unique<CustomColumnsPrinter>(options);
    case OutputFormat::table:
    case OutputFormat::wide:
      if (options.group || (options.several_types && !options.with_events)) {
        return std::make_unique<GroupedTable>(options);
      }
      break;
    case OutputFormat::csv:
    case OutputFormat::tsv:
    case OutputFormat::json_lines:
    case OutputFormat::keys:
      break;
  }
  return std::make_unique<EventTable>(options);
}

bool comes_in_a_batch(const Change& change) {
  return change.type == ChangeType::resync ||
         (change.origin.source == ChangeSource::list && change.type == ChangeType::added);
}

std::string_view event_word(ChangeType type) {
  constexpr std::array<std::string_view, 4> kWords = {"Added", "Updated", "Deleted", "Resync"};
  return kWords[static_cast<std::size_t>(type)];
}

std::string_view wire_word(ChangeType type) {
  switch (type) {
    case ChangeType::added:
      return "ADDED";
    case ChangeType::deleted:
      return "DELETED";
    case ChangeType::updated:
    case ChangeType::resync:
      break;
  }
  return "MODIFIED";
}

std::string typed_name(const ResourceType& type, std::string_view name) {
  std::string text = to_lower(type.kind);
  if (!type.gvr.group.empty()) text += "." + type.gvr.group;
  return text + "/" + visible_line(name);
}

}  // namespace kinf
