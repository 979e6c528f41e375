// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/event_printer.h"

#include "kinf/base/ascii.h"
#include "kinf/base/log.h"
#include "kinf/base/visible_text.h"
#include "kinf/print/event_json.h"
#include "kinf/print/event_table.h"
#include "kinf/print/json_check.h"
#include "kinf/print/json_tree.h"
#include "kinf/print/object_document.h"
#include "kinf/print/shown_diff.h"
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
class JsonPrinter : public EventPrinter {
 public:
  explicit JsonPrinter(const PrintOptions& options)
      : with_events_(options.with_events),
        show_secrets_(options.show_secrets),
        show_old_(options.show_old),
        diff_(options) {}
  void print(const ResourceType& type, const Change& change, Clock::Wall,
             std::string& out) override {
    if (append_line(type, change, out)) out += '\n';
  }
  std::size_t unprinted() const override { return unprinted_; }

 protected:
  /// Returns false, and appends nothing, if a document is not valid JSON.
  bool append_line(const ResourceType& type, const Change& change, std::string& out) {
    const ObjectDocument document = change_document(type, change, show_secrets_, scratch_);
    if (!is_valid(type, change, document)) return false;
    if (!with_events_) {
      append_document(out, document);
      return true;
    }
    ObjectDocument old_document;
    if (show_old_ && change.type != ChangeType::resync && change.old) {
      old_document = object_document(type, *change.old, show_secrets_, old_scratch_);
      if (!is_valid(type, change, old_document)) old_document = {};
    }
    append_event_json(out, type, change, document, old_document,
                      {diff_field(type, change), cluster()});
    return true;
  }
  void report_unprinted(const ResourceType& type, const Change& change, const Error& error) {
    ++unprinted_;
    log::warning("{} {}: {} event not printed: {}", type.gvr.resource, change.key,
                 wire_word(change.type), error.message);
  }

  const bool with_events_;

 private:
  bool is_valid(const ResourceType& type, const Change& change, const ObjectDocument& document) {
    const Result<void> checked = check_.check(document.text);
    if (!checked) report_unprinted(type, change, checked.error());
    return checked.has_value();
  }
  /// `"diff":[…]` or `"patch":[…]` of an update; empty if there is none.
  std::string diff_field(const ResourceType& type, const Change& change) {
    const ObjectDiff* const found = diff_.form() ? diff_.of(type, change) : nullptr;
    std::string field;
    if (found == nullptr) return field;
    if (diff_.form() == DiffForm::patch) {
      field = "\"patch\":";
      append_patch_json(field, *found);
    } else {
      field = "\"diff\":";
      append_diff_json(field, *found);
    }
    return field;
  }

  const bool show_secrets_;
  const bool show_old_;
  ShownDiff diff_;
  JsonCheck check_;
  std::size_t unprinted_ = 0;
  Scratch scratch_;
  Scratch old_scratch_;
};

/// Prints one document per event, each followed by `---`, so that a reader can detect the end of a
/// document at once (-o yaml).
class YamlPrinter final : public JsonPrinter {
 public:
  using JsonPrinter::JsonPrinter;
  void print(const ResourceType& type, const Change& change, Clock::Wall,
             std::string& out) override {
    std::string line;
    if (!append_line(type, change, line)) return;
    const Result<JsonTree> tree = JsonTree::parse(line);
    if (!tree) return report_unprinted(type, change, tree.error());
    if (with_events_) {
      append_event(out, *tree);
    } else {
      append_yaml(out, *tree, tree->root(), 0, YamlPlace::document);
    }
    out += "---\n";
  }

 private:
  /// Appends the fields of the event in their order. Sorts the members of their values by key.
  static void append_event(std::string& out, const JsonTree& tree) {
    for (const JsonTree::Node* field : tree.children(tree.root())) {
      out.append(field->key.substr(1, field->key.size() - 2)).append(":");
      append_yaml(out, tree, *field, 2, YamlPlace::behind_key);
    }
  }
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
    case OutputFormat::table:
    case OutputFormat::wide:
      break;
  }
  return std::make_unique<EventTable>(options);
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
