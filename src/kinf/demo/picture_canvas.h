// SPDX-License-Identifier: Apache-2.0
// PictureCanvas: a grid of terminal cells to draw boxes and text on. Everything that leaves its
// area is cut.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kinf {

enum class CellStyle { plain, faint, strong, moved, warning };

/// Text of one style. Takes one cell per character.
struct StyledText {
  std::string text;
  CellStyle style = CellStyle::plain;
  friend bool operator==(const StyledText&, const StyledText&) = default;
};

using StyledRow = std::vector<StyledText>;

/// The characters that a terminal can show.
enum class PictureCharacters { utf8, ascii };

struct CellArea {
  std::size_t x = 0;
  std::size_t y = 0;
  std::size_t width = 0;
  std::size_t height = 0;
};

class PictureCanvas {
 public:
  PictureCanvas(std::size_t width, std::size_t height, PictureCharacters characters);

  /// Writes ASCII text. If it is longer than `width` cells, its end is replaced with a mark.
  void write(std::size_t x, std::size_t y, std::size_t width, std::string_view text,
             CellStyle style = CellStyle::plain);
  /// Draws a border with a title in it. A strong border has other lines. Returns the area inside,
  /// without a margin of one cell left and right.
  CellArea box(const CellArea& area, std::string_view title, bool is_strong);
  /// Draws an arrow of `length` cells to the right, or to the left.
  void arrow_right(std::size_t x, std::size_t y, std::size_t length);
  void arrow_left(std::size_t x, std::size_t y, std::size_t length);
  void arrow_down(std::size_t x, std::size_t y);
  void arrow_up(std::size_t x, std::size_t y);

  /// Returns the rows, each as wide as the canvas.
  std::vector<StyledRow> rows() const;

 private:
  struct Cell {
    std::string_view glyph = " ";
    char letter = ' ';  ///< shown if `glyph` is empty
    CellStyle style = CellStyle::plain;
  };
  struct Border;

  static const Border& border(PictureCharacters characters, bool is_strong);
  void put(std::size_t x, std::size_t y, std::string_view glyph, CellStyle style);
  void line(const CellArea& area, std::string_view glyph, CellStyle style);

  std::size_t width_;
  std::size_t height_;
  bool is_utf8_;
  std::vector<Cell> cells_;
};

/// Breaks text at spaces into lines of at most `width` cells. Longer words get a line of their own.
std::vector<std::string> wrapped(std::string_view text, std::size_t width);

}  // namespace kinf
