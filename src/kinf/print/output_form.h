// SPDX-License-Identifier: Apache-2.0
// OutputForm: the value of -o: a format, with the parsed expression of those that have one.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/print/custom_columns.h"
#include "kinf/query/jsonpath.h"

namespace kinf {

enum class DiffForm;
enum class TimeForm;

enum class OutputFormat {
  table,
  wide,
  json,
  json_lines,  ///< `kinf index` only
  yaml,
  name,
  keys,  ///< `kinf index` only
  csv,
  tsv,
  jsonpath,
  jsonpath_as_json,
  custom_columns,
};

/// Returns the words of -o; those that take an expression end with `=`. `of_index`: also the
/// formats of `kinf index`.
std::vector<std::string> output_words(bool of_index);
/// Returns the word of -o for a format, such as `custom-columns`.
std::string_view format_word(OutputFormat format);

struct OutputForm {
  OutputFormat format = OutputFormat::table;
  std::optional<JsonPath> jsonpath;  ///< of jsonpath and jsonpath_as_json
  std::string jsonpath_text;         ///< for messages
  std::optional<CustomColumns> columns;

  /// Returns true for table and wide.
  bool is_table() const { return format == OutputFormat::table || format == OutputFormat::wide; }
  /// Returns true for formats that print the columns of the server's table.
  bool has_cells() const {
    return is_table() || format == OutputFormat::csv || format == OutputFormat::tsv;
  }
  /// Returns true for json and yaml, which print complete documents.
  bool is_document() const { return format == OutputFormat::json || format == OutputFormat::yaml; }
  /// Returns true for formats with the user's expressions, which can read any field.
  bool has_expressions() const { return jsonpath || columns; }
};

/// The flags about objects that are printed, besides -o.
struct ShowOptions : OutputForm {
  bool show_kind = false;  ///< table: print names as TYPE/NAME
  bool group = false;      ///< several types: one table per type
  bool show_labels = false;
  std::vector<std::string> label_columns;
  bool show_secrets = false;
  bool allow_missing_keys = true;     ///< jsonpath: a missing field is not an error
  std::optional<DiffForm> diff;       ///< what changed in an updated object
  bool show_old = false;              ///< json, yaml: the state before an update
  std::optional<TimeForm> time_form;  ///< table: a TIME column
};

/// Parses the value of -o, such as `wide` or `jsonpath={.metadata.name}`. Reads the file of
/// `jsonpath-file=` and `custom-columns-file=`. `of_index` allows the formats of `kinf index`.
/// Errors: usage, in kubectl's words where it has them.
Result<OutputForm> parse_output(std::string_view text, bool of_index = false);

/// Applies the expression of `form` to a document. Errors: protocol, worded as in kubectl.
Result<std::string> jsonpath_text(const OutputForm& form, bool allow_missing_keys,
                                  const nlohmann::json& document);

}  // namespace kinf
