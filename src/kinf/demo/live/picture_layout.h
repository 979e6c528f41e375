// SPDX-License-Identifier: Apache-2.0
// Draws a PipelinePicture as rows of text for a terminal of any size. Pure functions.
#pragma once

#include <cstddef>
#include <vector>

#include "kinf/demo/live/pipeline_picture.h"
#include "kinf/screen/canvas.h"

namespace kinf {

/// The smallest terminal that the diagram fits in.
inline constexpr std::size_t kPictureColumns = 80;
inline constexpr std::size_t kPictureLines = 24;

/// Returns `lines` rows of `columns` cells. If there is little space, leaves out what matters
/// least, and says how many lines are missing if that is not enough. Returns a message instead if
/// the terminal is smaller than kPictureColumns × kPictureLines.
std::vector<StyledRow> draw_picture(const PipelinePicture& picture, std::size_t columns,
                                    std::size_t lines, ScreenCharacters characters);

}  // namespace kinf
