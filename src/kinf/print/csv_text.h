// SPDX-License-Identifier: Apache-2.0
// CSV: cells separated by commas, quoted where they must be (RFC 4180, with the line ends of the
// system).
#pragma once

#include <string>
#include <vector>

#include "kinf/print/objects_printer.h"

namespace kinf {

void append_csv_row(std::string& out, const std::vector<std::string>& cells);

/// The rows that a table of the objects of one type would have, with its columns; a header unless
/// the options say no.
std::string objects_csv(const PrintedObjects& objects, const PrintOptions& options,
                        Clock::Wall now);

}  // namespace kinf
