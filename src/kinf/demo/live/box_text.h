// SPDX-License-Identifier: Apache-2.0
// BoxText: the text in a box of the diagram, in several forms, so that no line of it is cut. Each
// form is shorter than the one before, and lines that matter less are left out first. The functions
// below return the texts of the boxes. picture_layout.h places the boxes.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "kinf/demo/live/pipeline_picture.h"
#include "kinf/screen/canvas.h"

namespace kinf {

struct BoxLine {
  std::string text;
  CellStyle style = CellStyle::plain;
  /// Lines with the highest rank are left out first. Lines with rank 0 stay.
  std::size_t rank = 0;
};

/// Threads: not thread-safe.
class BoxText {
 public:
  using Form = std::vector<BoxLine>;

  /// `forms` begins with the longest form. It must not be empty.
  explicit BoxText(std::vector<Form> forms) : forms_(std::move(forms)) {}

  /// Returns how many lines of `width` cells the shortest form needs.
  std::size_t least_height(std::size_t width) const;
  /// Returns lines of at most `width` cells, with rank 0, for a box with room for `room` lines. If
  /// even the shortest form does not fit, the last line says how many lines are missing.
  Form fitted(std::size_t width, std::size_t room) const;

 private:
  std::vector<Form> forms_;
};

BoxText server_text(const PipelinePicture::Server& server);
BoxText reflector_text(const PipelinePicture::Reflector& reflector);
/// Shows the namespaces of either all keys or none. `width` is that of the box's text.
BoxText queue_text(const std::vector<PipelinePicture::QueuedKey>& queue, std::size_t width);
/// Each form has the version and the phase of each pod. `width` is that of the box's text.
BoxText store_text(const PipelinePicture& picture, std::size_t width);
BoxText handler_text(const PipelinePicture::Handler& handler);

}  // namespace kinf
