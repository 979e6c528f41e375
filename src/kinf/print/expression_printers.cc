// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/expression_printers.h"

#include <nlohmann/json.hpp>
#include <optional>

#include "kinf/base/log.h"
#include "kinf/print/object_document.h"

namespace kinf {
namespace {

using Json = nlohmann::json;

}  // namespace

JsonPathPrinter::JsonPathPrinter(const PrintOptions& options)
    : form_(options), allow_missing_keys_(options.allow_missing_keys), document_(options) {}

void JsonPathPrinter::print(const ResourceType& type, const Change& change, Clock::Wall,
                            std::string& out) {
  std::string text;
  if (!document_.append(text, type, change, cluster())) return;
  const Result<std::string> found = jsonpath_text(form_, allow_missing_keys_, parse_document(text));
  if (found) {
    out += *found;
  } else {
    log::warning("{}: {}: {}", type.gvr.group_resource(), change.key, found.error().message);
  }
}

CustomColumnsPrinter::CustomColumnsPrinter(const PrintOptions& options)
    : options_(options),
      has_time_(options.time_form && !options.columns->shows_time()),
      table_(options.terminal_width) {
  const std::size_t time = time_width(options.time_form.value_or(TimeForm::short_form));
  std::vector<std::size_t> widths = options.columns->kept_widths(kEventWidth, time);
  if (options.with_cluster) widths.insert(widths.begin(), 0);
  if (options.with_events) widths.insert(widths.begin(), kEventWidth);
  if (has_time_) widths.insert(widths.begin(), time);
  for (std::size_t i = 0; i < widths.size(); ++i) {
    if (widths[i] > 0) table_.reserve(i, widths[i]);
  }
}

void CustomColumnsPrinter::print(const ResourceType& type, const Change& change, Clock::Wall,
                                 std::string& out) {
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
  if (options_.headers && !has_headers_) {
    add_row("TIME", "EVENT", "CLUSTER", options_.columns->headers());
  }
  has_headers_ = true;
  std::optional<Json> old;
  if (change.old) {
    old = parse_document(object_document(type, *change.old, options_.show_secrets, scratch).text);
  }
  const std::string time = time_text(options_.time_form.value_or(TimeForm::short_form),
                                     change.origin.arrived, options_.start);
  const std::string_view event = event_word(change.type);
  add_row(time, event, cluster(),
          options_.columns->cells({&object, old ? &*old : nullptr, event, time}));
  if (!hold || rows_ >= kMostHeldRows) flush(out);
}

void CustomColumnsPrinter::add_row(std::string_view time, std::string_view event,
                                   std::string_view cluster,
                                   const std::vector<std::string>& cells) {
  if (has_time_) table_.add_cell(time);
  if (options_.with_events) table_.add_cell(event);
  if (options_.with_cluster) table_.add_cell(cluster);
  for (const std::string& cell : cells) table_.add_cell(cell);
  table_.end_row();
  ++rows_;
}

void CustomColumnsPrinter::flush(std::string& out) {
  out += table_.flush();
  rows_ = 0;
}

}  // namespace kinf
