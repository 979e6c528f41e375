// SPDX-License-Identifier: Apache-2.0
#include "kinf/demo/line_writer.h"

#include <fmt/format.h>

#include <algorithm>

namespace kinf {

void LineWriter::line(std::string_view text, CellStyle style) {
  if (left() > 0) canvas_.write(area_.x, area_.y + used_++, area_.width, text, style);
}

void LineWriter::wrap(std::string_view text, CellStyle style, std::size_t reserve) {
  const std::size_t room = left() - std::min(left(), reserve);
  std::vector<std::string> lines = wrapped(text, area_.width);
  for (std::size_t i = room; i < lines.size() && room > 0; ++i) lines[room - 1] += " " + lines[i];
  for (std::size_t i = 0; i < std::min(room, lines.size()); ++i) line(lines[i], style);
}

void LineWriter::purpose(std::string_view text) {
  if (area_.height > 4) line(text, CellStyle::faint);
}

void LineWriter::list(const std::vector<std::string>& lines, std::size_t room) {
  room = std::min(room, left());
  const std::size_t shown =
      lines.size() <= room ? lines.size() : std::max<std::size_t>(room, 1) - 1;
  for (std::size_t i = 0; i < shown; ++i) line(lines[i]);
  if (shown < lines.size()) {
    line(fmt::format("and {} more", lines.size() - shown), CellStyle::faint);
  }
}

}  // namespace kinf
