// SPDX-License-Identifier: Apache-2.0
#include "kinf/demo/live/picture_layout.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

#include "kinf/base/number_text.h"
#include "kinf/demo/live/box_text.h"

namespace kinf {
namespace {

constexpr std::size_t kGap = 5;      ///< columns between the boxes, for the arrows
constexpr std::size_t kChannel = 3;  ///< columns at the left, for the arrows of the worker
constexpr std::size_t kBorders = 2;  ///< lines or columns that the border of a box takes
constexpr std::size_t kMargins = 4;  ///< columns that the border and the margins of a box take
/// The controller has a line of text of its own if the diagram has so many lines.
constexpr std::size_t kControllerLines = 30;

bool has_controller(PictureFlow flow) {
  return flow == PictureFlow::informer || flow == PictureFlow::worker;
}

/// The areas of the diagram: three rows of two boxes, and the controller above the last row.
struct Areas {
  CellArea question, server, reflector, queue, store, controller, left, right, news;
  std::size_t keys = 0;  ///< the number of the line with the keys
};

/// A row of boxes: how many lines of text its boxes need and get.
struct BoxRow {
  std::size_t least = 0;
  std::size_t room = 0;
};

/// Moves lines from rows that do not need them to rows that do.
void balance(std::array<BoxRow, 3>& rows) {
  for (BoxRow& poor : rows) {
    while (poor.room < poor.least) {
      const auto rich = std::ranges::max_element(rows, {}, [](const BoxRow& row) {
        return row.room - std::min(row.room, std::max<std::size_t>(row.least, 1));
      });
      if (rich->room <= std::max<std::size_t>(rich->least, 1)) return;
      --rich->room;
      ++poor.room;
    }
  }
}

/// The texts of the boxes of one picture.
struct BoxTexts {
  std::size_t left_width = 0;
  std::size_t right_width = 0;
  BoxText server, reflector, queue, store, left, right;

  /// Returns how many lines each row needs.
  std::array<BoxRow, 3> rows(PictureFlow flow) const {
    const std::size_t whole = left_width + right_width + kGap + kMargins;
    if (flow == PictureFlow::clients) {
      return {BoxRow{server.least_height(whole)},
              BoxRow{std::max(store.least_height(left_width), queue.least_height(right_width))},
              BoxRow{std::max(left.least_height(left_width), right.least_height(right_width))}};
    }
    const bool is_output = !has_controller(flow);
    return {BoxRow{std::max(server.least_height(left_width), reflector.least_height(right_width))},
            BoxRow{std::max(store.least_height(left_width), queue.least_height(right_width))},
            BoxRow{is_output
                       ? right.least_height(whole)
                       : std::max(left.least_height(left_width), right.least_height(right_width))}};
  }
};

BoxTexts texts_of(const PipelinePicture& picture, std::size_t left, std::size_t right) {
  const bool is_clients = picture.flow == PictureFlow::clients;
  const bool is_worker = picture.flow == PictureFlow::worker;
  BoxText store = store_text(picture, left);
  if (picture.flow == PictureFlow::reflector) {
    store = BoxText({{{"The queue has no store to look in."}}});
  }
  return {left,
          right,
          server_text(picture.server),
          reflector_text(picture.reflector),
          is_clients ? handler_text(picture.client2) : queue_text(picture.queue, right),
          is_clients ? handler_text(picture.client1) : std::move(store),
          handler_text(is_worker ? picture.handler2 : picture.handler1),
          handler_text(is_worker ? picture.handler1 : picture.handler2)};
}

Areas areas_for(std::size_t columns, std::size_t lines, std::size_t question,
                const PipelinePicture& picture) {
  const std::size_t x1 = picture.flow == PictureFlow::worker ? kChannel : 0;
  const std::size_t left = (columns - kGap - x1) / 2;
  const std::size_t right = columns - kGap - x1 - left;
  // Four lines, so that an answer of the tour fits.
  const std::size_t news = std::clamp<std::size_t>(lines / 8, picture.question.empty() ? 3 : 4, 6);
  const std::size_t controller = !has_controller(picture.flow) ? 0
                                 : lines < kControllerLines    ? kBorders
                                                               : kBorders + 1;
  const std::size_t room = lines - 2 - question - news - controller - 3 * kBorders;
  std::array<BoxRow, 3> rows =
      texts_of(picture, left - kMargins, right - kMargins).rows(picture.flow);
  rows[2].room = room / 3;
  rows[0].room = (room - rows[2].room) / 2;
  rows[1].room = room - rows[2].room - rows[0].room;
  balance(rows);
  const std::size_t y1 = 1 + question;
  const std::size_t y2 = y1 + rows[0].room + kBorders;
  const std::size_t yc = y2 + rows[1].room + kBorders;
  const std::size_t y3 = yc + controller;
  const std::size_t x2 = x1 + left + kGap;
  return {.question = {0, 1, columns, question},
          .server = {x1, y1, left, y2 - y1},
          .reflector = {x2, y1, right, y2 - y1},
          .queue = {x2, y2, right, yc - y2},
          .store = {x1, y2, left, yc - y2},
          .controller = {x1, yc, columns - x1, controller},
          .left = {x1, y3, left, rows[2].room + kBorders},
          .right = {x2, y3, right, rows[2].room + kBorders},
          .news = {0, y3 + rows[2].room + kBorders, columns, news},
          .keys = lines - 1};
}

/// Returns the area from `first` to `last`, including the gap between them. `last` is right of
/// `first` or below it.
CellArea joined(const CellArea& first, const CellArea& last) {
  return {first.x, first.y, last.x + last.width - first.x, last.y + last.height - first.y};
}

std::size_t middle_of(const CellArea& area) { return area.x + area.width / 2; }
std::size_t bottom_of(const CellArea& area) { return area.y + area.height - 1; }

/// Draws the boxes of one picture, and the arrows between them. The numbers on the arrows are those
/// of the picture that client-go's documents show.
class BoxDrawer {
 public:
  BoxDrawer(Canvas& canvas, const PipelinePicture& picture, const Areas& areas)
      : canvas_(canvas),
        picture_(picture),
        areas_(areas),
        texts_(texts_of(picture, areas.store.width - kMargins, areas.queue.width - kMargins)) {}

  void draw() {
    if (picture_.flow == PictureFlow::clients) return draw_clients();
    box(areas_.server, PicturePart::server, "API server", texts_.server);
    box(areas_.reflector, PicturePart::reflector, "Reflector: lists, then watches",
        texts_.reflector);
    box(areas_.queue, PicturePart::queue,
        fmt::format("Queue ({}): {}", picture_.queue_name, counted(picture_.queue.size(), "key")),
        texts_.queue);
    arrow_between(areas_.server, areas_.reflector, '1');
    arrow_below(areas_.reflector, middle_of(areas_.reflector), '2');
    if (has_controller(picture_.flow)) {
      draw_controller();
    } else {
      draw_output();
    }
  }

 private:
  /// Draws the queue's output in place of the handlers.
  void draw_output() {
    box(joined(areas_.left, areas_.right), PicturePart::handler2, picture_.handler2.title,
        texts_.right);
    if (picture_.flow == PictureFlow::known) {
      box(areas_.store, PicturePart::store, store_title("Store"), texts_.store);
      canvas_.arrow_up(middle_of(areas_.store), bottom_of(areas_.store));
      draw_known_objects();
    } else {
      box(areas_.store, PicturePart::store, "No store", texts_.store);
    }
    arrow_below(areas_.queue, middle_of(areas_.queue), 0);
  }

  void draw_controller() {
    box(areas_.store, PicturePart::store, store_title("Store and index"), texts_.store);
    draw_controller_box();
    const bool is_worker = picture_.flow == PictureFlow::worker;
    box(areas_.left, is_worker ? PicturePart::handler2 : PicturePart::handler1,
        is_worker ? picture_.handler2.title : picture_.handler1.title, texts_.left);
    box(areas_.right, is_worker ? PicturePart::handler1 : PicturePart::handler2,
        is_worker ? picture_.handler1.title : picture_.handler2.title, texts_.right);
    draw_known_objects();
    arrow_below(areas_.queue, middle_of(areas_.queue), '3');
    canvas_.arrow_up(middle_of(areas_.store), bottom_of(areas_.store));
    number(middle_of(areas_.store) - 1, bottom_of(areas_.store), '4');
    number(areas_.store.x + areas_.store.width - 2, areas_.store.y, '5');
    arrow_below(areas_.controller, middle_of(areas_.right), '6');
    if (is_worker) {
      draw_worker();
    } else {
      arrow_below(areas_.controller, middle_of(areas_.left), '6');
    }
  }

  void draw_controller_box() {
    const std::string does = picture_.controller.empty()
                                 ? "pops a key, changes the store, calls handlers"
                                 : picture_.controller;
    const bool has_line = areas_.controller.height > kBorders;
    const std::string title = has_line ? "Controller" : "Controller: " + does;
    box(areas_.controller, PicturePart::controller, title,
        BoxText({has_line ? BoxText::Form{{does}} : BoxText::Form()}));
  }

  /// Draws the arrows from the handler to the work queue, from the worker to the server, and from
  /// the store to the worker.
  void draw_worker() {
    const std::size_t enqueue = areas_.left.y + areas_.left.height / 2;
    canvas_.arrow_left(areas_.left.x + areas_.left.width + 1, enqueue, kGap - 2);
    number(areas_.left.x + areas_.left.width + 2, enqueue, '7');
    const std::size_t server = areas_.server.y + areas_.server.height / 2;
    canvas_.route(0, bottom_of(areas_.left) - 1, server, kChannel);
    const std::size_t store = areas_.store.y + areas_.store.height / 2;
    canvas_.route(1, store, areas_.left.y + 1, kChannel - 1);
    number(1, areas_.controller.y, '9');
  }

  /// Draws the dashed arrow from the queue to the store in which it looks up known objects.
  void draw_known_objects() {
    const std::size_t y = bottom_of(areas_.queue);
    canvas_.arrow_left(areas_.store.x + areas_.store.width + 1, y, kGap - 2, LineStyle::dashed);
    canvas_.write(areas_.queue.x + 2, y, areas_.queue.width, "known objects", CellStyle::faint);
  }

  void draw_clients() {
    const CellArea server = joined(areas_.server, areas_.reflector);
    box(server, PicturePart::server, "API server", texts_.server);
    const bool has_handlers = !picture_.handler1.title.empty();
    const auto column = [&](const CellArea& client, const CellArea& handler) {
      return has_handlers ? client : joined(client, handler);
    };
    box(column(areas_.store, areas_.left), PicturePart::client1, picture_.client1.title,
        texts_.store);
    box(column(areas_.queue, areas_.right), PicturePart::client2, picture_.client2.title,
        texts_.queue);
    arrow_below(server, middle_of(areas_.store), 0);
    arrow_below(server, middle_of(areas_.queue), 0);
    if (!has_handlers) return;
    box(areas_.left, PicturePart::handler1, picture_.handler1.title, texts_.left);
    box(areas_.right, PicturePart::handler2, picture_.handler2.title, texts_.right);
    arrow_below(areas_.store, middle_of(areas_.left), 0);
    arrow_below(areas_.queue, middle_of(areas_.right), 0);
  }

  void box(const CellArea& area, PicturePart part, const std::string& title, const BoxText& text) {
    const CellArea inside = canvas_.box(area, title, picture_.moved.contains(part));
    LineWriter out(canvas_, inside);
    for (const BoxLine& line : text.fitted(inside.width, inside.height)) {
      out.line(line.text, line.style);
    }
  }
  std::string store_title(std::string_view name) const {
    return fmt::format("{}: {}", name, counted(picture_.store.size(), "pod"));
  }
  void arrow_between(const CellArea& left, const CellArea& right, char step) {
    const std::size_t y = right.y + right.height / 2;
    canvas_.arrow_right(left.x + left.width + 1, y, kGap - 2);
    number(left.x + left.width + 2, y, step);
  }
  /// Draws an arrow down from the lower border of `above`, with a number unless `step` is 0.
  void arrow_below(const CellArea& above, std::size_t x, char step) {
    canvas_.arrow_down(x, bottom_of(above));
    if (step != 0) number(x - 1, bottom_of(above), step);
  }
  void number(std::size_t x, std::size_t y, char step) {
    canvas_.write(x, y, 1, std::string(1, step), CellStyle::strong);
  }

  Canvas& canvas_;
  const PipelinePicture& picture_;
  const Areas& areas_;
  const BoxTexts texts_;
};

void draw_heading(Canvas& canvas, const PipelinePicture& picture, std::size_t columns) {
  const std::string state = fmt::format(
      "{}  step {}  {}", picture.is_playing ? "playing" : "paused", picture.step, picture.time);
  canvas.write(0, 0, columns - state.size() - 2, picture.heading, CellStyle::strong);
  canvas.write(columns - state.size(), 0, state.size(), state,
               picture.is_playing ? CellStyle::accent : CellStyle::plain);
}

std::vector<StyledRow> too_small(std::size_t columns, std::size_t lines,
                                 ScreenCharacters characters) {
  Canvas canvas(columns, lines, characters);
  LineWriter out(canvas, {0, 0, columns, lines});
  out.wrap(
      fmt::format("This terminal has {} x {} cells. The diagram needs {} x {}: make the "
                  "window larger, or press q to quit.",
                  columns, lines, kPictureColumns, kPictureLines));
  return canvas.rows();
}

}  // namespace

std::vector<StyledRow> draw_picture(const PipelinePicture& picture, std::size_t columns,
                                    std::size_t lines, ScreenCharacters characters) {
  if (columns < kPictureColumns || lines < kPictureLines) {
    return too_small(columns, lines, characters);
  }
  Canvas canvas(columns, lines, characters);
  const std::vector<std::string> question = wrapped(picture.question, columns);
  const Areas areas = areas_for(columns, lines, std::min<std::size_t>(question.size(), 2), picture);
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
