// SPDX-License-Identifier: Apache-2.0
// Prints objects with the user's expressions, as kubectl does (-o custom-columns= and -o
// jsonpath=). Builds a tree of each document, which is too slow for streams of events.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kinf/print/objects_printer.h"
#include "kinf/query/jsonpath.h"

namespace kinf {

/// The columns of a spec such as `NAME:.metadata.name,NODE:.spec.nodeName`. Threads: immutable.
class CustomColumns {
 public:
  /// Parses the value of the flag. Errors: usage, worded as in kubectl.
  static Result<CustomColumns> parse(std::string_view text);

  /// Returns a table with one row per object. The cell of a missing value is `<none>`.
  std::string print(const PrintedObjects& objects, const PrintOptions& options) const;

 private:
  struct Column {
    std::string header;
    JsonPath path;
  };
  std::vector<Column> columns_;
};

/// Returns the output of a template for a single object. If `as_list` is true or the number of
/// objects is not one, returns its output for a List of all objects.
Result<std::string> objects_jsonpath(const JsonPath& expression, const PrintedObjects& objects,
                                     bool as_list, const PrintOptions& options);

/// Returns the output of a template for a JSON document.
Result<std::string> json_jsonpath(const JsonPath& expression, std::string_view json);

}  // namespace kinf
