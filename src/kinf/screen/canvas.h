// SPDX-License-Identifier: Apache-2.0
// Canvas: a grid of terminal cells to draw boxes and text on. Text and lines are cut off at the
// edge of their area. Drawing needs no terminal: Screen shows the finished rows.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kinf {

enum class CellStyle {
  plain,
  faint,
  strong,
  accent,  ///< for what has just changed; green if the terminal has colours
  warning,
};

/// Text of one style. Takes one cell per character.
struct StyledText {
  std::string text;
  CellStyle style = CellStyle::plain;
  friend bool operator==(const StyledText&, const StyledText&) = default;
};

using StyledRow = std::vector<StyledText>;

/// The characters that a terminal can show.
enum class ScreenCharacters { utf8, ascii };

enum class LineStyle { plain, dashed };

struct CellArea {
  std::size_t x = 0;
  std::size_t y = 0;
  std::size_t width = 0;
  std::size_t height = 0;
};

/// Threads: one thread.
class Canvas {
 public:
  Canvas(std::size_t width, std::size_t height, ScreenCharacters characters);

  /// Writes ASCII text. Cuts it to `width` cells; the last cell of a cut text shows `…` (`~` in
  /// ASCII).
  void write(std::size_t x, std::size_t y, std::size_t width, std::string_view text,
             CellStyle style = CellStyle::plain);
  /// Draws a border with a title in it. A strong border has heavier lines. Returns the area inside
  /// the border, except for a margin of one cell at the left and the right.
  CellArea box(const CellArea& area, std::string_view title, bool is_strong);
  /// Draws an arrow of `length` cells that points right, or left.
  void arrow_right(std::size_t x, std::size_t y, std::size_t length);
  void arrow_left(std::size_t x, std::size_t y, std::size_t length,
                  LineStyle style = LineStyle::plain);
  void arrow_down(std::size_t x, std::size_t y);
  void arrow_up(std::size_t x, std::size_t y);
  /// Draws a line with two corners: from the right to column `x` in line `from`, along that column
  /// to line `to`, and back to an arrow that points right. Both ends are `width` cells wide.
  void route(std::size_t x, std::size_t from, std::size_t to, std::size_t width);

  /// Returns the rows, each as wide as the canvas.
  std::vector<StyledRow> rows() const;

 private:
  struct Cell {
    std::string_view glyph = " ";
    char letter = ' ';  ///< shown if `glyph` is empty
    CellStyle style = CellStyle::plain;
  };
  struct Border;

  static const Border& border(ScreenCharacters characters, bool is_strong);
  void put(std::size_t x, std::size_t y, std::string_view glyph, CellStyle style);
  void line(const CellArea& area, std::string_view glyph, CellStyle style);

  std::size_t width_;
  std::size_t height_;
  bool is_utf8_;
  std::vector<Cell> cells_;
};

/// Breaks text at spaces into lines of at most `width` cells. Longer words get a line of their own.
std::vector<std::string> wrapped(std::string_view text, std::size_t width);

/// Writes lines of text into an area of a Canvas, from top to bottom.
/// Threads: one thread.
class LineWriter {
 public:
  LineWriter(Canvas& canvas, const CellArea& area) : canvas_(canvas), area_(area) {}

  void line(std::string_view text, CellStyle style = CellStyle::plain);
  /// Breaks the text into lines and writes them. If not all lines fit, the last written line ends
  /// with `…` (`~` in ASCII).
  void wrap(std::string_view text, CellStyle style = CellStyle::plain);

 private:
  Canvas& canvas_;
  CellArea area_;
  std::size_t used_ = 0;
};

}  // namespace kinf
