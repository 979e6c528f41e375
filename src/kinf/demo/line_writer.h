// SPDX-License-Identifier: Apache-2.0
// LineWriter: writes lines of text into an area of a PictureCanvas, from top to bottom.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/demo/picture_canvas.h"

namespace kinf {

/// Threads: one.
class LineWriter {
 public:
  LineWriter(PictureCanvas& canvas, const CellArea& area) : canvas_(canvas), area_(area) {}

  /// Returns how many lines are free.
  std::size_t left() const { return area_.height - used_; }
  std::size_t width() const { return area_.width; }
  void line(std::string_view text, CellStyle style = CellStyle::plain);
  /// Breaks the text into lines, and leaves `reserve` lines free. If they do not fit, the last one
  /// shows that.
  void wrap(std::string_view text, CellStyle style = CellStyle::plain, std::size_t reserve = 0);
  /// Writes what a box is for, if the box has room to spare.
  void purpose(std::string_view text);
  /// Writes as many of `lines` as fit into `room` lines, then how many are missing.
  void list(const std::vector<std::string>& lines, std::size_t room);

 private:
  PictureCanvas& canvas_;
  CellArea area_;
  std::size_t used_ = 0;
};

}  // namespace kinf
