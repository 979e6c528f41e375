// SPDX-License-Identifier: Apache-2.0
// Prints rows of comma- or tab-separated values.
#pragma once

#include <string>
#include <vector>

namespace kinf {

enum class Separator : char {
  comma = ',',  ///< RFC 4180, but with line feeds only; quotes a cell only if necessary
  tab = '\t',   ///< writes tabs, line ends and backslashes in cells as `\t`, `\n`, `\r` and `\\`
};

/// Appends one line.
void append_separated_row(std::string& out, const std::vector<std::string>& cells,
                          Separator separator);

}  // namespace kinf
