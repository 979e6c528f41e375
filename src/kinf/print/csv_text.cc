// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/csv_text.h"

#include <string_view>

namespace kinf {
namespace {

void append_quoted(std::string& out, std::string_view cell) {
  if (cell.find_first_of(",\"\r\n") == std::string_view::npos) {
    out += cell;
    return;
  }
  out += '"';
  for (const char c : cell) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

void append_escaped(std::string& out, std::string_view cell) {
  constexpr std::string_view kSpecial = "\t\n\r\\";
  constexpr std::string_view kNames = "tnr\\";
  for (const char c : cell) {
    const std::size_t special = kSpecial.find(c);
    if (special == std::string_view::npos) {
      out += c;
    } else {
      out += '\\';
      out += kNames[special];
    }
  }
}

}  // namespace

void append_separated_row(std::string& out, const std::vector<std::string>& cells,
                          Separator separator) {
  bool first = true;
  for (const std::string& cell : cells) {
    if (!first) out += static_cast<char>(separator);
    first = false;
    if (separator == Separator::comma) {
      append_quoted(out, cell);
    } else {
      append_escaped(out, cell);
    }
  }
  out += '\n';
}

}  // namespace kinf
