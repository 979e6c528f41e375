// SPDX-License-Identifier: Apache-2.0
#include "kinf/demo/tour.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <vector>

#include "kinf/cli/runtime/file_writer.h"

namespace kinf {
namespace {

/// How often read_line() looks whether the command has ended.
constexpr int kPollMilliseconds = 100;

/// Waits for a line on stdin. Returns false if it is `q`, at the end of the input, and on stop.
bool read_line(const std::stop_token& stop) {
  std::string line;
  while (!stop.stop_requested()) {
    pollfd input{STDIN_FILENO, POLLIN, 0};
    if (::poll(&input, 1, kPollMilliseconds) <= 0) continue;
    std::array<char, 64> buffer{};
    const ssize_t size = ::read(STDIN_FILENO, buffer.data(), buffer.size());
    if (size <= 0) return false;
    line.append(buffer.data(), static_cast<std::size_t>(size));
    if (line.size() > 4096 || line.find('\n') != std::string::npos) break;
  }
  return !stop.stop_requested() && !line.starts_with('q');
}

class Tour {
 public:
  Tour(const CommandContext& context, const TourSteps& steps) : context_(context), steps_(steps) {
    for (const DemoStage& stage : demo_stages()) {
      if (!stage.question.empty()) stages_.push_back(&stage);
    }
  }

  Result<> run() {
    say(stage_list());
    say(fmt::format("\nThe tour asks {} questions about them. [Enter starts it, q ends it] ",
                    stages_.size()));
    if (!read_line(context_.stop)) return {};
    for (std::size_t i = 0; i < stages_.size() && !context_.stop.stop_requested(); ++i) {
      const Result<bool> goes_on = visit(*stages_[i], fmt::format("{}/{}", i + 1, stages_.size()));
      if (!goes_on) return std::unexpected(goes_on.error());
      if (!*goes_on) break;
    }
    return {};
  }

 private:
  /// Returns false if the user has ended the tour.
  Result<bool> visit(const DemoStage& stage, const std::string& number) {
    const SceneEnd end = steps_.show(stage, fmt::format("kinf demo {} {}", number, stage.name));
    // The question and the answer stay on the terminal when the diagram is gone.
    say(fmt::format("\n{}  {}: {}\n\n{}\n", number, stage.name, stage.summary, stage.question));
    if (end == SceneEnd::quit) return false;
    if (end == SceneEnd::not_shown) {
      say("\n[Enter runs it, q ends the tour] ");
      if (!read_line(context_.stop)) return false;
      if (const Result<> done = steps_.run(stage); !done) return std::unexpected(done.error());
      if (context_.stop.stop_requested()) return false;
    }
    say(fmt::format("\n{}\n", stage.answer));
    return true;
  }

  void say(const std::string& text) {
    if (!out_.write(text)) context_.exit_request.set(out_.exit_code());
  }

  const CommandContext& context_;
  const TourSteps& steps_;
  std::vector<const DemoStage*> stages_;
  FileWriter out_{STDOUT_FILENO, &context_.exit_request};
};

}  // namespace

Result<ExitCode> tour(const CommandContext& context, const TourSteps& steps) {
  const Result<> done = Tour(context, steps).run();
  if (!done && !context.exit_request.code()) return std::unexpected(done.error());
  return context.exit_request.code().value_or(ExitCode::ok);
}

}  // namespace kinf
