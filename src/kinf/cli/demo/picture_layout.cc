// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/demo/picture_layout.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "kinf/cli/informer_monitor.h"

namespace kinf {
namespace {

constexpr std::size_t kGap = 5;  ///< columns between the boxes, for the arrows
constexpr std::string_view kKeys =
    "space step  p play  a add  u update  d delete  g 410  c cut  s slow  q ";

/// The areas of the diagram: three rows of two boxes.
struct Areas {
  CellArea question, server, reflector, queue, store, handler1, handler2, news;
  std::size_t keys = 0;  ///< the line with the keys
};

Areas areas_for(std::size_t columns, std::size_t lines, std::size_t question) {
  const std::size_t left = (columns - kGap) / 2;
  const std::size_t right = columns - kGap - left;
  const std::size_t news = std::min<std::size_t>(lines / 8, 6);
  const std::size_t boxes = lines - 4 - question - news;  // without title, arrows, keys
  const std::size_t bottom = boxes / 3;
  const std::size_t top = (boxes - bottom) / 2;
  const std::size_t middle = boxes - bottom - top;
  const std::size_t y1 = 1 + question;
  const std::size_t y2 = y1 + top + 1;
  const std::size_t y3 = y2 + middle + 1;
  const std::size_t x2 = left + kGap;
  return {.question = {0, 1, columns, question},
          .server = {0, y1, left, top},
          .reflector = {x2, y1, right, top},
          .queue = {x2, y2, right, middle},
          .store = {0, y2, left, middle},
          .handler1 = {0, y3, left, bottom},
          .handler2 = {x2, y3, right, bottom},
          .news = {0, y3 + bottom, columns, news},
          .keys = lines - 1};
}

/// Writes lines into an area from top to bottom.
class LineWriter {
 public:
  LineWriter(PictureCanvas& canvas, const CellArea& area) : canvas_(canvas), area_(area) {}

  std::size_t left() const { return area_.height - used_; }
  std::size_t width() const { return area_.width; }
  void line(std::string_view text, CellStyle style = CellStyle::plain) {
    if (left() > 0) canvas_.write(area_.x, area_.y + used_++, area_.width, text, style);
  }
  /// Breaks the text into lines, and leaves `reserve` lines free. If they do not fit, the last one
  /// shows that.
  void wrap(std::string_view text, CellStyle style = CellStyle::plain, std::size_t reserve = 0) {
    const std::size_t room = left() - std::min(left(), reserve);
    std::vector<std::string> lines = wrapped(text, area_.width);
    for (std::size_t i = room; i < lines.size() && room > 0; ++i) lines[room - 1] += " " + lines[i];
    for (std::size_t i = 0; i < std::min(room, lines.size()); ++i) line(lines[i], style);
  }
  /// Writes what a box is for, if the box has room to spare.
  void purpose(std::string_view text) {
    if (area_.height > 4) line(text, CellStyle::faint);
  }
  /// Writes as many of `lines` as fit into `room` lines, then how many are missing.
  void list(const std::vector<std::string>& lines, std::size_t room) {
    room = std::min(room, left());
    const std::size_t shown =
        lines.size() <= room ? lines.size() : std::max<std::size_t>(room, 1) - 1;
    for (std::size_t i = 0; i < shown; ++i) line(lines[i]);
    if (shown < lines.size()) {
      line(fmt::format("and {} more", lines.size() - shown), CellStyle::faint);
    }
  }

 private:
  PictureCanvas& canvas_;
  CellArea area_;
  std::size_t used_ = 0;
};

void draw_server(LineWriter out, const PipelinePicture::Server& server) {
  out.purpose("keeps the pods; v1 means resourceVersion 1");
  out.line(fmt::format("at v{}, with {}", server.version, counted(server.pods, "pod")),
           CellStyle::strong);
  if (out.left() > 3) out.line(fmt::format("can replay changes after v{}", server.oldest));
  // The newest requests matter most.
  const std::size_t shown = std::min(out.left(), server.requests.size());
  for (std::size_t i = server.requests.size() - shown; i < server.requests.size(); ++i) {
    out.line(server.requests[i]);
  }
}

void draw_reflector(LineWriter out, const PipelinePicture::Reflector& reflector) {
  out.purpose("asks the server and queues the answers");
  out.line(reflector.activity, CellStyle::strong);
  out.line("back-off: " + reflector.back_off);
  if (out.left() > 3) {
    out.line(fmt::format("lists {}, watches {}, events {}", reflector.lists, reflector.watches,
                         reflector.events));
  }
  if (out.left() > 2) {
    out.line("last version: " + (reflector.version.empty() ? "none" : "v" + reflector.version));
  }
  if (reflector.last_error.empty()) {
    out.line("last error: none");
  } else {
    out.wrap("last error: " + reflector.last_error, CellStyle::warning);
  }
}

void draw_queue(LineWriter out, const std::vector<PipelinePicture::QueuedKey>& queue) {
  out.purpose("what happened to each pod, oldest first");
  if (queue.empty()) out.line("empty");
  std::vector<std::string> lines;
  lines.reserve(queue.size());
  for (const auto& [key, deltas] : queue) {
    lines.push_back(fmt::format("{}: {}", key, fmt::join(deltas, ", ")));
    // Where there is little room, without the namespace.
    if (lines.back().size() > out.width()) lines.back().erase(0, key.find('/') + 1);
  }
  out.list(lines, out.left());
}

/// Arranges entries in as few columns as they need to fit into `room` lines.
std::vector<std::string> in_columns(const std::vector<std::string>& entries, std::size_t width,
                                    std::size_t room) {
  std::size_t widest = 1;
  for (const std::string& entry : entries) widest = std::max(widest, entry.size());
  const std::size_t most = std::max<std::size_t>((width + 3) / (widest + 3), 1);
  const std::size_t columns = std::clamp<std::size_t>(
      (entries.size() + room - 1) / std::max<std::size_t>(room, 1), 1, most);
  std::vector<std::string> lines((entries.size() + columns - 1) / columns);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    std::string& line = lines[i / columns];
    if (!line.empty()) line += "   ";
    line += fmt::format("{:<{}}", entries[i], widest);
  }
  return lines;
}

/// The phases are in the index, too.
std::vector<std::string> pod_lines(const std::vector<PipelinePicture::StoredPod>& store,
                                   bool with_phases, std::size_t width, std::size_t room) {
  std::vector<std::string> pods;
  for (const auto& [name, version, phase] : store) {
    pods.push_back(fmt::format("{} v{}{}", name, version, with_phases ? " " + phase : ""));
  }
  return in_columns(pods, width, room);
}

void draw_store(LineWriter out, const PipelinePicture& picture) {
  out.purpose("the cache that programs read");
  if (picture.store.empty()) out.line("empty");
  const std::size_t for_index = std::min(picture.index.size(), out.left() / 2);
  const std::size_t for_pods = out.left() - for_index;
  std::vector<std::string> pods = pod_lines(picture.store, true, out.width(), for_pods);
  if (pods.size() > for_pods) pods = pod_lines(picture.store, false, out.width(), for_pods);
  out.list(pods, for_pods);
  std::size_t reserve = for_index;
  for (const auto& [value, keys] : picture.index) {
    if (reserve > 0)
      out.wrap(fmt::format("index {}: {}", value, fmt::join(keys, " ")), CellStyle::plain,
               --reserve);
  }
}

void draw_handler(LineWriter out, const PipelinePicture::Handler& handler) {
  out.purpose("your code, called for each change");
  out.line(handler.activity, CellStyle::strong);
  out.line(handler.last.empty() ? "not called yet" : "last: " + handler.last);
  std::string text = "nothing waits";
  for (std::size_t i = 0; i < handler.waiting.size(); ++i) {
    text = i == 0 ? counted(handler.waiting.size(), "change") + " waiting: " : text + ", ";
    text += handler.waiting[i];
  }
  out.wrap(text);
}

void draw_heading(PictureCanvas& canvas, const PipelinePicture& picture, std::size_t columns) {
  const std::string state = fmt::format(
      "{}  step {}  {}", picture.is_playing ? "playing" : "paused", picture.step, picture.time);
  canvas.write(0, 0, columns - state.size() - 2, "kinf demo: how an informer works",
               CellStyle::strong);
  canvas.write(columns - state.size(), 0, state.size(), state,
               picture.is_playing ? CellStyle::moved : CellStyle::plain);
}

void draw_arrows(PictureCanvas& canvas, const Areas& areas) {
  const std::size_t gap = areas.server.width;
  canvas.arrow_right(gap + 1, areas.server.y + areas.server.height / 2, kGap - 2);
  canvas.arrow_left(gap + 1, areas.store.y + areas.store.height / 2, kGap - 2);
  canvas.arrow_down(areas.queue.x + areas.queue.width / 2, areas.queue.y - 1);
  canvas.arrow_down(areas.store.x + areas.store.width / 2, areas.handler1.y - 1);
  canvas.arrow_down(areas.queue.x + areas.queue.width / 2, areas.handler2.y - 1);
}

std::vector<StyledRow> too_small(std::size_t columns, std::size_t lines,
                                 PictureCharacters characters) {
  PictureCanvas canvas(columns, lines, characters);
  LineWriter out(canvas, {0, 0, columns, lines});
  out.wrap(
      fmt::format("This terminal has {} x {} cells. The diagram needs {} x {}: make the "
                  "window larger, or press q to quit.",
                  columns, lines, kPictureColumns, kPictureLines));
  return canvas.rows();
}

}  // namespace

std::vector<StyledRow> draw_picture(const PipelinePicture& picture, std::size_t columns,
                                    std::size_t lines, PictureCharacters characters) {
  if (columns < kPictureColumns || lines < kPictureLines) {
    return too_small(columns, lines, characters);
  }
  PictureCanvas canvas(columns, lines, characters);
  const std::vector<std::string> question = wrapped(picture.question, columns);
  const Areas areas = areas_for(columns, lines, std::min<std::size_t>(question.size(), 2));
  const auto box = [&](const CellArea& area, PicturePart part, const std::string& title) {
    return LineWriter(canvas, canvas.box(area, title, picture.moved.contains(part)));
  };
  draw_heading(canvas, picture, columns);
  LineWriter(canvas, areas.question).wrap(picture.question, CellStyle::strong);
  draw_arrows(canvas, areas);
  draw_server(box(areas.server, PicturePart::server, "API server"), picture.server);
  draw_reflector(box(areas.reflector, PicturePart::reflector, "Reflector: lists, then watches"),
                 picture.reflector);
  draw_queue(box(areas.queue, PicturePart::queue,
                 fmt::format("Queue (DeltaFIFO): {}", counted(picture.queue.size(), "key"))),
             picture.queue);
  draw_store(box(areas.store, PicturePart::store,
                 fmt::format("Store and index: {}", counted(picture.store.size(), "pod"))),
             picture);
  draw_handler(box(areas.handler1, PicturePart::handler1, picture.handler1.title),
               picture.handler1);
  draw_handler(box(areas.handler2, PicturePart::handler2, picture.handler2.title),
               picture.handler2);
  LineWriter news(canvas, areas.news);
  news.wrap(fmt::format("{}", fmt::join(picture.news, " ")));
  canvas.write(0, areas.keys, columns,
               std::string(kKeys) + (picture.question.empty() ? "quit" : "answer"),
               CellStyle::faint);
  return canvas.rows();
}

}  // namespace kinf
