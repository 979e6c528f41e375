// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/demo/tour.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <vector>

#include "kinf/cli/file_writer.h"

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

}  // namespace

Result<ExitCode> tour(const CommandContext& context,
                      const std::function<Result<>(const DemoStage&)>& run) {
  std::vector<const DemoStage*> stages;
  for (const DemoStage& stage : demo_stages()) {
    if (!stage.question.empty()) stages.push_back(&stage);
  }
  FileWriter out(STDOUT_FILENO, &context.exit_request);
  const auto say = [&](const std::string& text) {
    if (!out.write(text)) context.exit_request.set(out.exit_code());
  };
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const DemoStage& stage = *stages[i];
    say(fmt::format("\n{}/{}  {}: {}\n\n{}\n\n[Enter runs it, q ends the tour] ", i + 1,
                    stages.size(), stage.name, stage.summary, stage.question));
    if (!read_line(context.stop)) break;
    if (const Result<> done = run(stage); !done && !context.exit_request.code()) {
      return std::unexpected(done.error());
    }
    if (context.stop.stop_requested()) break;
    say(fmt::format("\n{}\n", stage.answer));
  }
  return context.exit_request.code().value_or(ExitCode::ok);
}

}  // namespace kinf
