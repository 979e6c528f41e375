// SPDX-License-Identifier: Apache-2.0
// -o custom-columns= and -o jsonpath=: objects at rest through the user's own expressions, as
// kubectl prints them. Costs a tree of each document: not for streams of events.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kinf/print/objects_printer.h"
#include "kinf/query/jsonpath.h"

namespace kinf {

/// `NAME:.metadata.name,NODE:.spec.nodeName`. Threads: immutable.
class CustomColumns {
 public:
  /// A usage error in kubectl's words.
  static Result<CustomColumns> parse(std::string_view text);

  /// A table; `<none>` where an object has no such value.
  std::string print(const PrintedObjects& objects, const PrintOptions& options) const;

 private:
  struct Column {
    std::string header;
    JsonPath path;
  };
  std::vector<Column> columns_;
};

/// What a template prints for one object, or for the List of them all.
Result<std::string> objects_jsonpath(const JsonPath& expression, const PrintedObjects& objects,
                                     bool as_list, const PrintOptions& options);

/// What it prints for a JSON text.
Result<std::string> json_jsonpath(const JsonPath& expression, std::string_view json);

}  // namespace kinf
