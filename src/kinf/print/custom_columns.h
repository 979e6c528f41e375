// SPDX-License-Identifier: Apache-2.0
// -o custom-columns= and -o jsonpath=: prints objects by the user's own expressions, as kubectl
// does. Builds a tree of each document, which is too slow for streams of events.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kinf/print/objects_printer.h"
#include "kinf/query/jsonpath.h"

namespace kinf {

/// The columns of `NAME:.metadata.name,NODE:.spec.nodeName`. Threads: immutable.
class CustomColumns {
 public:
  /// Parses the value of the flag. Errors: usage, worded as in kubectl.
  static Result<CustomColumns> parse(std::string_view text);

  /// Returns a table with one row per object; `<none>` where an object has no such value.
  std::string print(const PrintedObjects& objects, const PrintOptions& options) const;

 private:
  struct Column {
    std::string header;
    JsonPath path;
  };
  std::vector<Column> columns_;
};

/// Returns what a template prints for the only object, or, if `as_list` or if there are several,
/// for a List of all.
Result<std::string> objects_jsonpath(const JsonPath& expression, const PrintedObjects& objects,
                                     bool as_list, const PrintOptions& options);

/// Returns what a template prints for a JSON text.
Result<std::string> json_jsonpath(const JsonPath& expression, std::string_view json);

}  // namespace kinf
