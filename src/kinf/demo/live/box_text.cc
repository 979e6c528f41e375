// SPDX-License-Identifier: Apache-2.0
#include "kinf/demo/live/box_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <utility>

#include "kinf/base/number_text.h"

namespace kinf {
namespace {

/// Ranks of lines, see BoxLine.
constexpr std::size_t kUseful = 10;    ///< a line about the current state
constexpr std::size_t kNotNow = 40;    ///< a line that says that something is not so
constexpr std::size_t kOlder = 60;     ///< the first of the lines about the past
constexpr std::size_t kPurpose = 200;  ///< the line that says what a box is for

std::size_t height_of(const BoxText::Form& form, std::size_t width) {
  std::size_t height = 0;
  for (const BoxLine& line : form) height += wrapped(line.text, width).size();
  return height;
}

/// Leaves out the line with the highest rank. Returns false if all lines have rank 0.
bool leave_out(BoxText::Form& form) {
  const auto least = std::ranges::max_element(form, {}, &BoxLine::rank);
  if (least == form.end() || least->rank == 0) return false;
  form.erase(least);
  return true;
}

BoxText::Form broken(const BoxText::Form& form, std::size_t width) {
  BoxText::Form lines;
  for (const BoxLine& line : form) {
    for (std::string& part : wrapped(line.text, width)) {
      lines.push_back({std::move(part), line.style});
    }
  }
  return lines;
}

/// Returns entries in two columns, if these fit.
std::vector<std::string> in_two_columns(const std::vector<std::string>& entries,
                                        std::size_t width) {
  std::size_t widest = 0;
  for (const std::string& entry : entries) widest = std::max(widest, entry.size());
  if (2 * widest + 2 > width) return entries;
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < entries.size(); i += 2) {
    // The gap is text without spaces at its end, which wrapped() keeps.
    lines.push_back(i + 1 == entries.size() ? entries[i] : entries[i] + ", " + entries[i + 1]);
  }
  return lines;
}

/// Returns the pods of the store by phase: `Running: pod-1 v4, pod-3 v6`. Then those with a label.
std::vector<std::string> by_phase(const PipelinePicture& picture) {
  std::map<std::string, std::vector<std::string>> phases;
  std::map<std::string, std::vector<std::string>> labels;
  for (const auto& [name, version, phase] : picture.store) {
    // The phase may be followed by a label, which is no part of the value of the index.
    const std::size_t end = std::min(phase.find(' '), phase.size());
    phases[phase.substr(0, end)].push_back(fmt::format("{} v{}", name, version));
    if (end < phase.size()) labels[phase.substr(end + 1)].push_back(name);
  }
  std::vector<std::string> lines;
  for (const auto& [phase, pods] : phases) {
    lines.push_back(fmt::format("{}{}: {}", picture.index.empty() ? "" : "index ", phase,
                                fmt::join(pods, ", ")));
  }
  for (const auto& [label, pods] : labels) {
    const bool is_all = pods.size() == picture.store.size();
    lines.push_back(fmt::format("{}: {}", label,
                                is_all ? "all pods" : fmt::format("{}", fmt::join(pods, " "))));
  }
  return lines;
}

/// Returns texts in one line, each run of equal ones once: `update pod-3 (3 times), add pod-4`.
std::string counted_runs(const std::vector<std::string>& texts) {
  std::string line;
  for (std::size_t i = 0; i < texts.size();) {
    std::size_t end = i + 1;
    while (end < texts.size() && texts[end] == texts[i]) ++end;
    line += (i == 0 ? "" : ", ") + texts[i];
    if (end - i > 1) line += fmt::format(" ({} times)", end - i);
    i = end;
  }
  return line;
}

BoxText::Form plain_lines(const std::vector<std::string>& texts) {
  BoxText::Form form;
  for (const std::string& text : texts) form.push_back({text});
  return form;
}

}  // namespace

std::size_t BoxText::least_height(std::size_t width) const {
  Form form = forms_.back();
  while (leave_out(form)) {
  }
  return height_of(form, width);
}

BoxText::Form BoxText::fitted(std::size_t width, std::size_t room) const {
  for (Form form : forms_) {
    bool fits = height_of(form, width) <= room;
    while (!fits && leave_out(form)) fits = height_of(form, width) <= room;
    if (fits) return broken(form, width);
  }
  Form form = forms_.back();
  while (leave_out(form)) {
  }
  Form lines = broken(form, width);
  const std::size_t shown = std::max<std::size_t>(room, 1) - 1;
  const std::size_t missing = lines.size() - std::min(shown, lines.size());
  lines.resize(std::min(shown, lines.size()));
  if (room > 0) lines.push_back({fmt::format("and {} more", missing), CellStyle::faint});
  return lines;
}

BoxText server_text(const PipelinePicture::Server& server) {
  BoxText::Form form = {
      {"keeps the pods; v1 means resourceVersion 1", CellStyle::faint, kPurpose},
      {fmt::format("at v{}, with {}", server.version, counted(server.pods, "pod")),
       CellStyle::strong}};
  if (!server.cost.empty()) form.push_back({server.cost, CellStyle::strong});
  form.push_back(
      {fmt::format("can replay changes after v{}", server.oldest), CellStyle::plain, kNotNow});
  for (std::size_t i = 0; i < server.requests.size(); ++i) {
    const std::size_t age = server.requests.size() - i - 1;
    // A write is logged before the watch that stays open.
    const bool is_write = age == 1 && server.requests[i].starts_with("PATCH");
    const std::size_t rank = age == 0 || is_write ? 0 : age < 3 ? kUseful + age : kOlder + age;
    form.push_back({server.requests[i], CellStyle::plain, rank});
  }
  return BoxText({std::move(form)});
}

BoxText reflector_text(const PipelinePicture::Reflector& reflector) {
  const bool waits = reflector.back_off != "none";
  const bool failed = !reflector.last_error.empty();
  return BoxText({{
      {"asks the server and queues the answers", CellStyle::faint, kPurpose},
      {reflector.activity, CellStyle::strong},
      {"back-off: " + reflector.back_off, CellStyle::plain, waits ? 0 : kNotNow},
      {fmt::format("lists {}, watches {}, events {}", reflector.lists, reflector.watches,
                   reflector.events),
       CellStyle::plain, kUseful + 1},
      {"last version: " + (reflector.version.empty() ? "none" : "v" + reflector.version),
       CellStyle::plain, kUseful},
      {"last error: " + (failed ? reflector.last_error : "none"),
       failed ? CellStyle::warning : CellStyle::plain, failed ? 0 : kNotNow + 1},
  }});
}

BoxText queue_text(const std::vector<PipelinePicture::QueuedKey>& queue, std::size_t width) {
  std::vector<std::string> full;
  std::vector<std::string> names;
  bool fits = true;
  for (const auto& [key, deltas] : queue) {
    full.push_back(fmt::format("{}: {}", key, fmt::join(deltas, ", ")));
    fits = fits && full.back().size() <= width;
    names.push_back(full.back().substr(key.find('/') + 1));
  }
  BoxText::Form form = plain_lines(fits ? full : names);
  if (queue.empty()) form.push_back({"empty"});
  form.insert(form.begin(),
              {"what happened to each pod, oldest first", CellStyle::faint, kPurpose});
  return BoxText({form, plain_lines(in_two_columns(names, width))});
}

BoxText store_text(const PipelinePicture& picture, std::size_t width) {
  const BoxLine purpose = {"the cache that programs read", CellStyle::faint, kPurpose};
  if (picture.store.empty()) return BoxText({{purpose, {"empty"}}});
  std::vector<std::string> pods;
  for (const auto& [name, version, phase] : picture.store) {
    pods.push_back(fmt::format("{} v{} {}", name, version, phase));
  }
  BoxText::Form full = {purpose};
  BoxText::Form columns;
  for (const std::string& pod : pods) full.push_back({pod});
  for (const std::string& line : in_two_columns(pods, width)) columns.push_back({line});
  for (const auto& [value, keys] : picture.index) {
    full.push_back({fmt::format("index {}: {}", value, fmt::join(keys, " "))});
    columns.push_back(full.back());
  }
  return BoxText({full, columns, plain_lines(by_phase(picture))});
}

BoxText handler_text(const PipelinePicture::Handler& handler) {
  BoxText::Form form = {{handler.purpose, CellStyle::faint, kPurpose},
                        {handler.activity, CellStyle::strong}};
  if (!handler.last.empty()) {
    form.push_back({"last: " + handler.last});
  } else if (handler.waiting) {
    form.push_back({"not called yet", CellStyle::plain, kNotNow});
  }
  for (std::size_t i = 0; i < handler.lines.size(); ++i) {
    // Without changes that wait, the lines are the content of the box, the newest first.
    const std::size_t rank = handler.waiting ? kUseful : i < 3 ? 0 : kOlder + i;
    form.push_back({handler.lines[i], CellStyle::plain, rank});
  }
  if (!handler.waiting) return BoxText({std::move(form)});
  if (handler.waiting->empty()) {
    form.push_back({"nothing waits", CellStyle::plain, kNotNow + 1});
    return BoxText({std::move(form)});
  }
  const std::string count = counted(handler.waiting->size(), "change") + " waiting: ";
  BoxText::Form shorter = form;
  form.push_back({count + fmt::format("{}", fmt::join(*handler.waiting, ", "))});
  shorter.push_back({count + counted_runs(*handler.waiting)});
  return BoxText({std::move(form), std::move(shorter)});
}

}  // namespace kinf
