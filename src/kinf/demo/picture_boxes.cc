// SPDX-License-Identifier: Apache-2.0
#include "kinf/demo/picture_boxes.h"

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

/// The phases are in the index, too.
std::vector<std::string> pod_lines(const std::vector<PipelinePicture::StoredPod>& store,
                                   bool with_phases, std::size_t width, std::size_t room) {
  std::vector<std::string> pods;
  for (const auto& [name, version, phase] : store) {
    pods.push_back(fmt::format("{} v{}{}", name, version, with_phases ? " " + phase : ""));
  }
  return in_columns(pods, width, room);
}

}  // namespace

void draw_server(LineWriter out, const PipelinePicture::Server& server) {
  out.purpose("keeps the pods; v1 means resourceVersion 1");
  out.line(fmt::format("at v{}, with {}", server.version, counted(server.pods, "pod")),
           CellStyle::strong);
  if (!server.cost.empty()) out.line(server.cost, CellStyle::strong);
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
  std::vector<std::string> long_lines;
  for (const auto& [key, deltas] : queue) {
    std::string line = fmt::format("{}: {}", key, fmt::join(deltas, ", "));
    // Where there is little room, without the namespace.
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

}  // namespace kinf
