// SPDX-License-Identifier: Apache-2.0
// `kinf demo --screen`: the diagram as text or as SVG, without a terminal.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <optional>

#include "kinf/base/ascii.h"
#include "kinf/cli/runtime/file_writer.h"
#include "kinf/demo/live/live.h"
#include "kinf/demo/live/live_session.h"
#include "kinf/demo/live/picture_layout.h"

namespace kinf {
namespace {

struct ScreenSize {
  std::size_t columns = 100;
  std::size_t lines = 30;
};

constexpr std::size_t kScreenCells = 500;  ///< in a line, and in a column

/// Parses a size such as 80x24.
std::optional<ScreenSize> screen_size(std::string_view text) {
  const std::size_t cross = std::min(text.find('x'), text.size());
  const auto columns = parse_number<std::size_t>(text.substr(0, cross));
  const auto lines = parse_number<std::size_t>(text.substr(std::min(cross + 1, text.size())));
  if (!columns || !lines || *columns > kScreenCells || *lines > kScreenCells) return std::nullopt;
  return ScreenSize{*columns, *lines};
}

std::string as_text(const std::vector<StyledRow>& rows) {
  std::string text;
  for (const StyledRow& row : rows) {
    std::string line;
    for (const StyledText& part : row) line += part.text;
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string svg_escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '<') {
      result += "&lt;";
    } else if (c == '&') {
      result += "&amp;";
    } else {
      result += c;
    }
  }
  return result;
}

std::string as_svg(const std::vector<StyledRow>& rows, const ScreenSize& size) {
  constexpr std::string_view kNames[] = {"plain", "faint", "strong", "accent", "warning"};
  constexpr std::size_t kCell = 8;
  constexpr std::size_t kLine = 16;
  constexpr std::size_t kMargin = 10;
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" role=\"img\">\n"
      "<title>An informer as a diagram of boxes and arrows</title>\n<style>\n"
      "text {{ font: 13px monospace; white-space: pre; fill: #1f2328; }}\n"
      ".faint {{ fill: #59636e; }}\n.strong {{ font-weight: bold; }}\n"
      ".accent {{ fill: #1a7f37; font-weight: bold; }}\n.warning {{ fill: #9a6700; }}\n"
      "</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
      size.columns * kCell + 2 * kMargin, size.lines * kLine + 2 * kMargin);
  for (std::size_t y = 0; y < rows.size(); ++y) {
    svg += fmt::format("<text x=\"{}\" y=\"{}\" textLength=\"{}\" xml:space=\"preserve\">", kMargin,
                       kMargin + (y + 1) * kLine - 4, size.columns * kCell);
    for (const auto& [text, style] : rows[y]) {
      svg += fmt::format("<tspan class=\"{}\">{}</tspan>", kNames[static_cast<std::size_t>(style)],
                         svg_escaped(text));
    }
    svg += "</text>\n";
  }
  return svg + "</svg>\n";
}

}  // namespace

Result<ExitCode> print_screen(const std::string& format, const DemoStage* stage,
                              const std::string& keys, QueueKind queue,
                              const CommandContext& context) {
  const bool is_svg = format == "svg";
  const std::optional<ScreenSize> size = is_svg ? ScreenSize() : screen_size(format);
  if (!size) {
    return std::unexpected(
        Error(ErrorKind::usage, fmt::format("--screen: \"{}\" is no size", format))
            .with_hint("such as 80x24, at most 500x500, or svg"));
  }
  if (stage != nullptr && !stage->scene) {
    return std::unexpected(
        Error(ErrorKind::usage, fmt::format("--screen: the stage {} has no diagram", stage->name)));
  }
  if (Result<void> known = check_keys(keys); !known) return std::unexpected(known.error());
  LiveSession session(stage == nullptr ? nullptr : &*stage->scene, queue);
  session.play(keys, [](char) {});
  PipelinePicture picture = session.picture();
  if (stage != nullptr) {
    picture.heading = fmt::format("kinf demo {}", stage->name);
    picture.question = stage->question;
  }
  const std::vector<StyledRow> rows =
      draw_picture(picture, size->columns, size->lines, ScreenCharacters::utf8);
  FileWriter out(STDOUT_FILENO, &context.exit_request);
  const bool done = out.write(is_svg ? as_svg(rows, *size) : as_text(rows));
  return done ? ExitCode::ok : out.exit_code();
}

}  // namespace kinf
