// SPDX-License-Identifier: Apache-2.0
// CSV as in RFC 4180, but with line feeds: cells separated by commas, quoted only if they must be.
#pragma once

#include <string>
#include <vector>

#include "kinf/print/objects_printer.h"

namespace kinf {

/// Appends one line. A cell with a comma, a quote or a line end is quoted.
void append_csv_row(std::string& out, const std::vector<std::string>& cells);

/// Returns the rows of the table that print_objects() would print for objects of one type. The
/// header is repeated when the columns change; `options.headers` turns it off. Ages are counted up
/// to `now`.
std::string objects_csv(const PrintedObjects& objects, const PrintOptions& options,
                        Clock::Wall now);

}  // namespace kinf
