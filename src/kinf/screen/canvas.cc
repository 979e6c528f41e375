// SPDX-License-Identifier: Apache-2.0
#include "kinf/screen/canvas.h"

#include <algorithm>

#include "kinf/base/ascii.h"

namespace kinf {

struct Canvas::Border {
  std::string_view across, down, top_left, top_right, bottom_left, bottom_right;
};

Canvas::Canvas(std::size_t width, std::size_t height, ScreenCharacters characters)
    : width_(width),
      height_(height),
      is_utf8_(characters == ScreenCharacters::utf8),
      cells_(width * height) {}

const Canvas::Border& Canvas::border(ScreenCharacters characters, bool is_strong) {
  static constexpr Border kLight = {"─", "│", "┌", "┐", "└", "┘"};
  static constexpr Border kHeavy = {"━", "┃", "┏", "┓", "┗", "┛"};
  static constexpr Border kAscii = {"-", "|", "+", "+", "+", "+"};
  static constexpr Border kStrongAscii = {"=", "#", "#", "#", "#", "#"};
  if (characters == ScreenCharacters::ascii) return is_strong ? kStrongAscii : kAscii;
  return is_strong ? kHeavy : kLight;
}

void Canvas::put(std::size_t x, std::size_t y, std::string_view glyph, CellStyle style) {
  if (x < width_ && y < height_) cells_[y * width_ + x] = {glyph, ' ', style};
}

void Canvas::write(std::size_t x, std::size_t y, std::size_t width, std::string_view text,
                   CellStyle style) {
  if (y >= height_ || x >= width_) return;
  width = std::min(width, width_ - x);
  for (std::size_t i = 0; i < std::min(width, text.size()); ++i) {
    cells_[y * width_ + x + i] = {"", text[i], style};
  }
  if (text.size() > width && width > 0) put(x + width - 1, y, is_utf8_ ? "…" : "~", style);
}

void Canvas::line(const CellArea& area, std::string_view glyph, CellStyle style) {
  for (std::size_t y = 0; y < area.height; ++y) {
    for (std::size_t x = 0; x < area.width; ++x) put(area.x + x, area.y + y, glyph, style);
  }
}

CellArea Canvas::box(const CellArea& area, std::string_view title, bool is_strong) {
  if (area.width < 6 || area.height < 2) return {};
  const Border& glyphs =
      border(is_utf8_ ? ScreenCharacters::utf8 : ScreenCharacters::ascii, is_strong);
  const CellStyle style = is_strong ? CellStyle::accent : CellStyle::faint;
  const std::size_t right = area.x + area.width - 1;
  const std::size_t bottom = area.y + area.height - 1;
  line({area.x, area.y, area.width, 1}, glyphs.across, style);
  line({area.x, bottom, area.width, 1}, glyphs.across, style);
  line({area.x, area.y, 1, area.height}, glyphs.down, style);
  line({right, area.y, 1, area.height}, glyphs.down, style);
  put(area.x, area.y, glyphs.top_left, style);
  put(right, area.y, glyphs.top_right, style);
  put(area.x, bottom, glyphs.bottom_left, style);
  put(right, bottom, glyphs.bottom_right, style);
  write(area.x + 2, area.y, area.width - 4, " " + std::string(title) + " ",
        is_strong ? CellStyle::accent : CellStyle::strong);
  return {area.x + 2, area.y + 1, area.width - 4, area.height - 2};
}

void Canvas::arrow_right(std::size_t x, std::size_t y, std::size_t length) {
  line({x, y, length, 1}, is_utf8_ ? "─" : "-", CellStyle::plain);
  put(x + length - 1, y, is_utf8_ ? "►" : ">", CellStyle::plain);
}

void Canvas::arrow_left(std::size_t x, std::size_t y, std::size_t length, LineStyle style) {
  const bool is_dashed = style == LineStyle::dashed;
  const std::string_view ascii = is_dashed ? "." : "-";
  line({x, y, length, 1}, !is_utf8_ ? ascii : is_dashed ? "╌" : "─", CellStyle::plain);
  put(x, y, is_utf8_ ? "◄" : "<", CellStyle::plain);
}

void Canvas::arrow_down(std::size_t x, std::size_t y) {
  put(x, y, is_utf8_ ? "▼" : "v", CellStyle::plain);
}

void Canvas::arrow_up(std::size_t x, std::size_t y) {
  put(x, y, is_utf8_ ? "▲" : "^", CellStyle::plain);
}

void Canvas::route(std::size_t x, std::size_t from, std::size_t to, std::size_t width) {
  const std::size_t top = std::min(from, to);
  const std::size_t bottom = std::max(from, to);
  line({x, top, 1, bottom - top + 1}, is_utf8_ ? "│" : "|", CellStyle::plain);
  line({x + 1, from, width - 1, 1}, is_utf8_ ? "─" : "-", CellStyle::plain);
  line({x + 1, to, width - 1, 1}, is_utf8_ ? "─" : "-", CellStyle::plain);
  put(x, top, is_utf8_ ? "┌" : "+", CellStyle::plain);
  put(x, bottom, is_utf8_ ? "└" : "+", CellStyle::plain);
  put(x + width - 1, to, is_utf8_ ? "►" : ">", CellStyle::plain);
}

std::vector<StyledRow> Canvas::rows() const {
  std::vector<StyledRow> rows(height_);
  for (std::size_t y = 0; y < height_; ++y) {
    for (std::size_t x = 0; x < width_; ++x) {
      const Cell& cell = cells_[y * width_ + x];
      if (rows[y].empty() || rows[y].back().style != cell.style) {
        rows[y].push_back({"", cell.style});
      }
      std::string& text = rows[y].back().text;
      cell.glyph.empty() ? text.push_back(cell.letter) : void(text.append(cell.glyph));
    }
  }
  return rows;
}

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::string_view word = take_until(text, " ");
    if (word.empty()) continue;
    if (lines.empty() || lines.back().size() + 1 + word.size() > width) {
      lines.emplace_back(word);
    } else {
      lines.back().append(" ").append(word);
    }
  }
  return lines;
}

void LineWriter::line(std::string_view text, CellStyle style) {
  if (used_ < area_.height) canvas_.write(area_.x, area_.y + used_++, area_.width, text, style);
}

void LineWriter::wrap(std::string_view text, CellStyle style) {
  const std::size_t room = area_.height - used_;
  std::vector<std::string> lines = wrapped(text, area_.width);
  for (std::size_t i = room; i < lines.size() && room > 0; ++i) lines[room - 1] += " " + lines[i];
  for (std::size_t i = 0; i < std::min(room, lines.size()); ++i) line(lines[i], style);
}

}  // namespace kinf
