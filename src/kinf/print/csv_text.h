// SPDX-License-Identifier: Apache-2.0
// Prints CSV as in RFC 4180, but with line feeds only. Quotes a cell only if necessary.
#pragma once

#include <string>
#include <vector>

#include "kinf/print/objects_printer.h"

namespace kinf {

/// Appends one line. Quotes cells that contain a comma, a quote or a line end.
void append_csv_row(std::string& out, const std::vector<std::string>& cells);

/// Returns the rows of the table that print_objects() would print for objects of one type. Repeats
/// the header when the columns change. `options.headers` turns the header off. Ages are relative to
/// `now`.
std::string objects_csv(const std::vector<PrintedObjects>& objects, const PrintOptions& options,
                        Clock::Wall now);

}  // namespace kinf
