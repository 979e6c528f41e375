// SPDX-License-Identifier: Apache-2.0
#include "kinf/demo/live/picture_layout.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "kinf/base/number_text.h"

namespace kinf {
namespace {

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

/// Returns the pods of the store in columns. `with_phases` may be false, because the index shows
/// the phases, too.
std::vector<std::string> pod_lines(const std::vector<PipelinePicture::StoredPod>& store,
                                   bool with_phases, std::size_t width, std::size_t room) {
  std::vector<std::string> pods;
  for (const auto& [name, version, phase] : store) {
    pods.push_back(fmt::format("{} v{}{}", name, version, with_phases ? " " + phase : ""));
  }
  return in_columns(pods, width, room);
}

// The functions below draw the contents of the boxes.

void draw_server(LineWriter out, const PipelinePicture::Server& server) {
  out.purpose("keeps the pods; v1 means resourceVersion 1");
  out.line(fmt::format("at v{}, with {}", server.version, counted(server.pods, "pod")),
           CellStyle::strong);
  if (!server.cost.empty()) out.line(server.cost, CellStyle::strong);
  if (out.left() > 3) out.line(fmt::format("can replay changes after v{}", server.oldest));
  // If not all requests fit, show the newest ones.
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
  std::vector<std::string> long_lines;
  for (const auto& [key, deltas] : queue) {
    std::string line = fmt::format("{}: {}", key, fmt::join(deltas, ", "));
    // If the line is too long, omit the namespace.
    if (line.size() > out.width()) line.erase(0, key.find('/') + 1);
    for (std::string& part : wrapped(line, out.width())) long_lines.push_back(std::move(part));
    lines.push_back(std::move(line));
  }
  if (long_lines.size() <= out.left()) lines = std::move(long_lines);
  out.list(lines, out.left());
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
  out.purpose(handler.purpose);
  out.line(handler.activity, CellStyle::strong);
  if (!handler.last.empty()) {
    out.wrap("last: " + handler.last, CellStyle::plain,
             handler.lines.size() + (handler.waiting ? 1 : 0));
  } else if (handler.waiting) {
    out.line("not called yet");
  }
  out.list(handler.lines, out.left());
  if (!handler.waiting) return;
  std::string text = "nothing waits";
  for (std::size_t i = 0; i < handler.waiting->size(); ++i) {
    text = i == 0 ? counted(handler.waiting->size(), "change") + " waiting: " : text + ", ";
    text += (*handler.waiting)[i];
  }
  out.wrap(text);
}

constexpr std::size_t kGap = 5;  ///< columns between the boxes, for the arrows

/// The areas of the diagram: three rows of two boxes.
struct Areas {
  CellArea question, server, reflector, queue, store, handler1, handler2, news;
  std::size_t keys = 0;  ///< the number of the line with the keys
};

Areas areas_for(std::size_t columns, std::size_t lines, std::size_t question) {
  const std::size_t left = (columns - kGap) / 2;
  const std::size_t right = columns - kGap - left;
  const std::size_t news = std::min<std::size_t>(lines / 8, 6);
  const std::size_t boxes = lines - 4 - question - news;  // 4 lines: title, arrows and keys
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

/// Returns the area from `first` to `last`, including the gap between them. `last` is right of
/// `first` or below it.
CellArea joined(const CellArea& first, const CellArea& last) {
  return {first.x, first.y, last.x + last.width - first.x, last.y + last.height - first.y};
}

std::size_t middle_of(const CellArea& area) { return area.x + area.width / 2; }

/// Draws the boxes of one picture, and the arrows between them.
class BoxDrawer {
 public:
  BoxDrawer(Canvas& canvas, const PipelinePicture& picture, const Areas& areas)
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
  /// Draws the queue's output in place of the handlers.
  void draw_output() {
    const CellArea output = joined(areas_.handler1, areas_.handler2);
    draw(output, PicturePart::handler2, picture_.handler2);
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
    draw(areas_.handler1, PicturePart::handler1, picture_.handler1);
    draw(areas_.handler2, PicturePart::handler2, picture_.handler2);
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
    draw(column(areas_.store, areas_.handler1), PicturePart::client1, picture_.client1);
    draw(column(areas_.queue, areas_.handler2), PicturePart::client2, picture_.client2);
    if (!has_handlers) return;
    draw(areas_.handler1, PicturePart::handler1, picture_.handler1);
    draw(areas_.handler2, PicturePart::handler2, picture_.handler2);
    arrow_below(areas_.handler1, areas_.store);
    arrow_below(areas_.handler2, areas_.queue);
  }

  void draw(const CellArea& area, PicturePart part, const PipelinePicture::Handler& handler) {
    draw_handler(box(area, part, handler.title), handler);
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
  /// Draws an arrow down from the area `above` to `area`, in the middle of the narrower area.
  void arrow_below(const CellArea& area, const CellArea& above) {
    const CellArea& smaller = area.width < above.width ? area : above;
    canvas_.arrow_down(middle_of(smaller), area.y - 1);
  }

  Canvas& canvas_;
  const PipelinePicture& picture_;
  const Areas& areas_;
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
