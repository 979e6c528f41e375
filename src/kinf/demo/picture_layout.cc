// SPDX-License-Identifier: Apache-2.0
#include "kinf/demo/picture_layout.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "kinf/base/number_text.h"
#include "kinf/demo/line_writer.h"
#include "kinf/demo/picture_boxes.h"

namespace kinf {
namespace {

constexpr std::size_t kGap = 5;  ///< columns between the boxes, for the arrows

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

/// Joins two areas, one right of the other or one below the other, with what is between them.
CellArea joined(const CellArea& first, const CellArea& last) {
  return {first.x, first.y, last.x + last.width - first.x, last.y + last.height - first.y};
}

std::size_t middle_of(const CellArea& area) { return area.x + area.width / 2; }

/// Draws the boxes of one picture, and the arrows between them.
class BoxDrawer {
 public:
  BoxDrawer(PictureCanvas& canvas, const PipelinePicture& picture, const Areas& areas)
      : canvas_(canvas), picture_(picture), areas_(areas) {}

  void draw() {
    if (picture_.flow == PictureFlow::clients) return draw_clients();
    draw_server(box(areas_.server, PicturePart::server, "API server"), picture_.server);
    draw_reflector(box(areas_.reflector, PicturePart::reflector, "Reflector: lists, then watches"),
                   picture_.reflector);
    draw_queue(box(areas_.queue, PicturePart::queue,
                   fmt::format("Queue (DeltaFIFO): {}", counted(picture_.queue.size(), "key"))),
               picture_.queue);
    arrow_between(areas_.server, areas_.reflector);
    arrow_below(areas_.queue, areas_.reflector);
    if (picture_.flow == PictureFlow::reflector || picture_.flow == PictureFlow::known) {
      draw_output();
    } else {
      draw_handlers();
    }
  }

 private:
  /// The queue's output, in place of the handlers.
  void draw_output() {
    const CellArea output = joined(areas_.handler1, areas_.handler2);
    draw_handler(box(output, PicturePart::handler2, picture_.handler2.title), picture_.handler2);
    arrow_below(output, areas_.queue);
    if (picture_.flow == PictureFlow::known) {
      draw_store(box(areas_.store, PicturePart::store, store_title("Store")), picture_);
      canvas_.arrow_up(middle_of(areas_.store), output.y - 1);
      arrow_between(areas_.store, areas_.queue);
    } else {
      box(areas_.store, PicturePart::store, "No store").wrap("The queue has no store to look in.");
    }
  }

  void draw_handlers() {
    draw_store(box(areas_.store, PicturePart::store, store_title("Store and index")), picture_);
    draw_handler(box(areas_.handler1, PicturePart::handler1, picture_.handler1.title),
                 picture_.handler1);
    draw_handler(box(areas_.handler2, PicturePart::handler2, picture_.handler2.title),
                 picture_.handler2);
    canvas_.arrow_left(areas_.store.width + 1, areas_.store.y + areas_.store.height / 2, kGap - 2);
    arrow_below(areas_.handler1, areas_.store);
    if (picture_.flow == PictureFlow::worker) {
      arrow_between(areas_.handler1, areas_.handler2);
    } else {
      arrow_below(areas_.handler2, areas_.queue);
    }
  }

  void draw_clients() {
    const CellArea server = joined(areas_.server, areas_.reflector);
    draw_server(box(server, PicturePart::server, "API server"), picture_.server);
    const bool has_handlers = !picture_.handler1.title.empty();
    const auto column = [&](CellArea client, const CellArea& handler) {
      arrow_below(client, server);
      return has_handlers ? client : joined(client, handler);
    };
    draw_handler(
        box(column(areas_.store, areas_.handler1), PicturePart::client1, picture_.client1.title),
        picture_.client1);
    draw_handler(
        box(column(areas_.queue, areas_.handler2), PicturePart::client2, picture_.client2.title),
        picture_.client2);
    if (!has_handlers) return;
    draw_handler(box(areas_.handler1, PicturePart::handler1, picture_.handler1.title),
                 picture_.handler1);
    draw_handler(box(areas_.handler2, PicturePart::handler2, picture_.handler2.title),
                 picture_.handler2);
    arrow_below(areas_.handler1, areas_.store);
    arrow_below(areas_.handler2, areas_.queue);
  }

  LineWriter box(const CellArea& area, PicturePart part, const std::string& title) {
    return {canvas_, canvas_.box(area, title, picture_.moved.contains(part))};
  }
  std::string store_title(std::string_view name) const {
    return fmt::format("{}: {}", name, counted(picture_.store.size(), "pod"));
  }
  void arrow_between(const CellArea& left, const CellArea& right) {
    canvas_.arrow_right(left.width + 1, right.y + right.height / 2, kGap - 2);
  }
  /// Draws an arrow from the area above to `area`, in the middle of the smaller one.
  void arrow_below(const CellArea& area, const CellArea& above) {
    const CellArea& smaller = area.width < above.width ? area : above;
    canvas_.arrow_down(middle_of(smaller), area.y - 1);
  }

  PictureCanvas& canvas_;
  const PipelinePicture& picture_;
  const Areas& areas_;
};

void draw_heading(PictureCanvas& canvas, const PipelinePicture& picture, std::size_t columns) {
  const std::string state = fmt::format(
      "{}  step {}  {}", picture.is_playing ? "playing" : "paused", picture.step, picture.time);
  canvas.write(0, 0, columns - state.size() - 2, picture.heading, CellStyle::strong);
  canvas.write(columns - state.size(), 0, state.size(), state,
               picture.is_playing ? CellStyle::moved : CellStyle::plain);
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
  draw_heading(canvas, picture, columns);
  LineWriter(canvas, areas.question).wrap(picture.question, CellStyle::strong);
  BoxDrawer(canvas, picture, areas).draw();
  LineWriter news(canvas, areas.news);
  if (picture.answer.empty()) {
    news.wrap(fmt::format("{}", fmt::join(picture.news, " ")));
  } else {
    news.wrap(picture.answer, CellStyle::strong);
  }
  canvas.write(0, areas.keys, columns, picture.keys, CellStyle::faint);
  return canvas.rows();
}

}  // namespace kinf
