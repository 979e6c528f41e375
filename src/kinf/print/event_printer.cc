// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/event_printer.h"

#include <nlohmann/json.hpp>

#include <array>
#include <map>
#include <utility>

#include "kinf/base/ascii.h"
#include "kinf/base/log.h"
#include "kinf/base/visible_text.h"
#include "kinf/print/event_document.h"
#include "kinf/print/event_note.h"
#include "kinf/print/event_table.h"
#include "kinf/print/json_tree.h"
#include "kinf/print/object_document.h"
#include "kinf/print/time_text.h"
#include "kinf/print/yaml_text.h"

namespace kinf {
namespace {

using Json = nlohmann::json;

/// Prints one line per change: `pod/web-1`, or `ADDED pod/web-1` with events (-o name).
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

/// The base class of the printers that print the documents of objects.
class DocumentPrinter : public EventPrinter {
 public:
  explicit DocumentPrinter(const PrintOptions& options) : document_(options) {}
  std::size_t unprinted() const override { return document_.unprinted(); }

 protected:
  EventDocument document_;
};

/// Prints one JSON document per line: the object, or {"type","object",…} with events (-o json).
class JsonPrinter final : public DocumentPrinter {
 public:
  using DocumentPrinter::DocumentPrinter;
  void print(const ResourceType& type, const Change& change, Clock::Wall,
             std::string& out) override {
    if (document_.append(out, type, change, cluster())) out += '\n';
  }
  void print_bookmark(const ResourceType& type, const Bookmark& bookmark,
                      std::string& out) override {
    append_bookmark_json(out, type, bookmark, cluster());
    out += '\n';
  }
  bool print_gap(const Gap& gap, std::string& out) override {
    append_gap_json(out, gap);
    out += '\n';
    return true;
  }
};

/// Prints one document per event, each followed by `---`, so that a reader can detect the end of a
/// document at once (-o yaml).
class YamlPrinter final : public DocumentPrinter {
 public:
  explicit YamlPrinter(const PrintOptions& options)
      : DocumentPrinter(options), with_events_(options.with_events) {}
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
    (void)append_line(line, out);  // the JSON of a bookmark is always valid
  }
  bool print_gap(const Gap& gap, std::string& out) override {
    std::string line;
    append_gap_json(line, gap);
    return append_line(line, out).has_value();
  }

 private:
  Result<void> append_line(std::string_view line, std::string& out) const {
    const Result<JsonTree> tree = JsonTree::parse(line);
    if (!tree) return fail(tree);
    if (with_events_) {
      append_event(out, *tree);
    } else {
      append_yaml(out, *tree, tree->root(), 0, YamlPlace::document);
    }
    out += "---\n";
    return {};
  }

  /// Appends the fields of the event in their order. Inside each field, sorts members by key.
  static void append_event(std::string& out, const JsonTree& tree) {
    for (const JsonTree::Node* field : tree.children(tree.root())) {
      out.append(field->key.substr(1, field->key.size() - 2)).append(":");
      append_yaml(out, tree, *field, 2, YamlPlace::behind_key);
    }
  }

  const bool with_events_;
};

/// Prints one table per type (--group, and several types in `kinf get`). Prints an empty line and
/// the headers whenever the type changes, as kubectl does. Threads: one thread at a time.
class GroupedTable final : public EventPrinter {
 public:
  explicit GroupedTable(const PrintOptions& options) : options_(options) {}
  void print(const ResourceType& type, const Change& change, Clock::Wall now,
             std::string& out) override {
    EventTable& table = table_of(type);
    if (&table != current_) {
      flush(out);
      if (current_ != nullptr && options_.headers) out += '\n';
      current_ = &table;
      table.repeat_headers();
    }
    table.set_cluster(cluster());
    table.print(type, change, now, out);
  }
  /// Prints the Event in the table of the last change.
  void print_note(const ResourceType& type, const Change& change, const EventNote& note,
                  Clock::Wall now, std::string& out) override {
    if (current_ == nullptr) current_ = &table_of(type);
    current_->set_cluster(cluster());
    current_->print_note(type, change, note, now, out);
  }
  void flush(std::string& out) override {
    if (current_ != nullptr) current_->flush(out);
  }

 private:
  /// Returns the table of a type.
  EventTable& table_of(const ResourceType& type) {
    return tables_.try_emplace(type.gvr.group_resource(), options_).first->second;
  }

  const PrintOptions options_;
  std::map<std::string, EventTable> tables_;  ///< by resource, such as `deployments.apps`
  EventTable* current_ = nullptr;             ///< the table of the last change
};

// The printers below evaluate the user's expressions. They parse each document completely, which
// takes longer than the other formats.

/// -o jsonpath=: applies the expression to each object, or to each event if
/// PrintOptions::with_events. Adds no line end, as in kubectl. If the expression fails for an
/// object, logs the error with the object's name.
class JsonPathPrinter final : public DocumentPrinter {
 public:
  explicit JsonPathPrinter(const PrintOptions& options)
      : DocumentPrinter(options), form_(options), allow_missing_keys_(options.allow_missing_keys) {}
  void print(const ResourceType& type, const Change& change, Clock::Wall,
             std::string& out) override {
    std::string text;
    if (!document_.append(text, type, change, cluster())) return;
    const Result<std::string> found =
        jsonpath_text(form_, allow_missing_keys_, parse_document(text));
    if (found) {
      out += *found;
    } else {
      log::warning("{}: {}: {}", type.gvr.group_resource(), change.key, found.error().message);
    }
  }

 private:
  const OutputForm form_;
  const bool allow_missing_keys_;
};

/// -o custom-columns=: prints one row per change. Holds the rows of the initial list back until
/// flush(), so that they are aligned with each other. PrintOptions::time_form, with_events and
/// with_cluster put TIME, EVENT and CLUSTER before the custom columns. TIME is not added if one of
/// the custom columns is TIME. Logs damaged documents and leaves them out.
class CustomColumnsPrinter final : public EventPrinter {
 public:
  explicit CustomColumnsPrinter(const PrintOptions& options)
      : options_(options),
        has_time_(options.time_form && !options.columns->shows_time()),
        table_(options.terminal_width) {
    const std::size_t time = time_width(options.time_form.value_or(TimeForm::short_form));
    std::vector<std::size_t> widths = options.columns->kept_widths(kEventWidth, time);
    if (options.with_cluster) widths.insert(widths.begin(), 0);
    if (options.with_events) widths.insert(widths.begin(), kEventWidth);
    if (has_time_) widths.insert(widths.begin(), time);
    if (has_time_) table_.set_roles({ColumnRole::fixed});
    for (std::size_t i = 0; i < widths.size(); ++i) {
      if (widths[i] > 0) table_.reserve(i, widths[i]);
    }
  }
  void print(const ResourceType& type, const Change& change, Clock::Wall,
             std::string& out) override {
    Scratch scratch;
    const Json object =
        parse_document(change_document(type, change, options_.show_secrets, scratch).text);
    if (object.is_discarded()) {
      ++unprinted_;
      log::warning("{} {}: {} event not printed: the server sent invalid JSON", type.gvr.resource,
                   change.key, wire_word(change.type));
      return;
    }
    const bool hold = comes_in_a_batch(change);
    if (!hold) flush(out);
    add_headers();
    std::optional<Json> old;
    if (change.old) {
      old = parse_document(object_document(type, *change.old, options_.show_secrets, scratch).text);
    }
    const std::string time = time_text(options_.time_form.value_or(TimeForm::short_form),
                                       shown_time(type, change), options_.start);
    const std::string_view event = event_word(change.type);
    add_row(time, event, cluster(),
            options_.columns->cells({&object, old ? &*old : nullptr, event, time}));
    if (!hold || rows_ >= kHeldRows) flush(out);
  }
  void flush(std::string& out) override {
    out += table_.flush();
    rows_ = 0;
  }
  void add_headers() override {
    if (std::exchange(has_headers_, true) || !options_.headers) return;
    add_row("TIME", "EVENT", "CLUSTER", options_.columns->headers());
  }
  std::size_t unprinted() const override { return unprinted_; }

 private:
  /// Adds a row: first `time`, `event` and `cluster`, if they have a column, then `cells`.
  void add_row(std::string_view time, std::string_view event, std::string_view cluster,
               const std::vector<std::string>& cells) {
    if (has_time_) table_.add_cell(time);
    if (options_.with_events) table_.add_cell(event);
    if (options_.with_cluster) table_.add_cell(cluster);
    table_.add_row(cells);
    ++rows_;
  }

  const PrintOptions options_;
  const bool has_time_;  ///< whether the first column is TIME
  TableText table_;
  std::size_t rows_ = 0;  ///< the number of rows since the last flush()
  std::size_t unprinted_ = 0;
  bool has_headers_ = false;
};

}  // namespace

std::unique_ptr<EventPrinter> make_event_printer(const PrintOptions& options) {
  switch (options.format) {
    case OutputFormat::json: return std::make_unique<JsonPrinter>(options);
    case OutputFormat::yaml: return std::make_unique<YamlPrinter>(options);
    case OutputFormat::name: return std::make_unique<NamePrinter>(options);
    case OutputFormat::jsonpath:
    case OutputFormat::jsonpath_as_json: return std::make_unique<JsonPathPrinter>(options);
    case OutputFormat::custom_columns: return std::make_unique<CustomColumnsPrinter>(options);
    case OutputFormat::table:
    case OutputFormat::wide:
      if (options.group || (options.several_types && !options.with_events)) {
        return std::make_unique<GroupedTable>(options);
      }
      break;
    case OutputFormat::csv:
    case OutputFormat::tsv:
    case OutputFormat::json_lines:
    case OutputFormat::keys: break;
  }
  return std::make_unique<EventTable>(options);
}

std::optional<Separator> separator_of(OutputFormat format) {
  if (format == OutputFormat::csv) return Separator::comma;
  if (format == OutputFormat::tsv) return Separator::tab;
  return std::nullopt;
}

void add_dates(PrintOptions& options) {
  const bool is_data = separator_of(options.format).has_value();
  if (is_data && options.time_form == TimeForm::short_form) options.time_form = TimeForm::rfc3339;
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
  constexpr std::array<std::string_view, 4> kWords = {"ADDED", "MODIFIED", "DELETED", "MODIFIED"};
  return kWords[static_cast<std::size_t>(type)];
}

std::string typed_name(const ResourceType& type, std::string_view name) {
  std::string text = to_lower(type.kind);
  if (!type.gvr.group.empty()) text += "." + type.gvr.group;
  return text + "/" + visible_line(name);
}

}  // namespace kinf
