// SPDX-License-Identifier: Apache-2.0
// OutputForm: the parsed value of -o: a format and, for some formats, an expression.
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

/// Returns the words that -o accepts. Those that take an expression end with `=`. `of_index` adds
/// the formats of `kinf index`.
std::vector<std::string> output_words(bool of_index);
/// Returns the word of -o for a format, such as `custom-columns`.
std::string_view format_word(OutputFormat format);

struct OutputForm {
  OutputFormat format = OutputFormat::table;
  std::optional<JsonPath> jsonpath;  ///< set for jsonpath and jsonpath_as_json
  std::string jsonpath_text;         ///< the JSONPath as the user wrote it, for messages
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

/// The value of -o, and the other flags that control how objects are printed.
struct ShowOptions : OutputForm {
  bool show_kind = false;  ///< table: print names as TYPE/NAME
  bool group = false;      ///< several types: print one table per type
  bool show_labels = false;
  bool no_truncate = false;  ///< do not fit text into the width of the terminal
  std::vector<std::string> label_columns;
  bool show_secrets = false;
  bool neat = false;                  ///< json, yaml: omit what the server added
  bool allow_missing_keys = true;     ///< jsonpath: a missing field is not an error
  std::optional<DiffForm> diff;       ///< print the differences of an update in this form
  bool show_old = false;              ///< json, yaml: print the object before an update, too
  std::optional<TimeForm> time_form;  ///< table: print a TIME column
};

/// Parses the value of -o, such as `wide` or `jsonpath={.metadata.name}`. Reads the file of
/// `jsonpath-file=` and `custom-columns-file=`. `of_index` allows the formats of `kinf index`.
/// Errors: usage, in kubectl's words if kubectl has the same error.
Result<OutputForm> parse_output(std::string_view text, bool of_index = false);

/// Applies the expression of `form` to a document. Errors: protocol, worded as in kubectl.
Result<std::string> jsonpath_text(const OutputForm& form, bool allow_missing_keys,
                                  const nlohmann::json& document);

}  // namespace kinf
