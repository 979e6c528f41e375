// SPDX-License-Identifier: Apache-2.0
// Writes the contents of the boxes of the diagram.
#pragma once

#include "kinf/demo/line_writer.h"
#include "kinf/demo/pipeline_picture.h"

namespace kinf {

void draw_server(LineWriter out, const PipelinePicture::Server& server);
void draw_reflector(LineWriter out, const PipelinePicture::Reflector& reflector);
void draw_queue(LineWriter out, const std::vector<PipelinePicture::QueuedKey>& queue);
/// Writes the store and the index.
void draw_store(LineWriter out, const PipelinePicture& picture);
void draw_handler(LineWriter out, const PipelinePicture::Handler& handler);

}  // namespace kinf
