// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/controllers/container_program.h"

#include <algorithm>
#include <string>
#include <vector>

#include "kinf/base/ascii.h"
#include "kinf/base/duration.h"
#include "kinf/sandbox/controllers/object_mirror.h"

namespace kinf::sandbox {
namespace {

using Seconds = std::chrono::duration<double>;
using Words = std::vector<std::string>;

/// The minimum run time of a program, used for commands that would end at once.
constexpr Seconds kShortest(1);

std::optional<ContainerProgram> from_annotation(const Json& pod) {
  const std::string value = text(field(pod, "metadata", "annotations", kExitAnnotation));
  if (value.empty()) return std::nullopt;
  const std::size_t space = value.find(" after ");
  const auto code = parse_number<int>(value.substr(0, space));
  if (!code) return std::nullopt;
  ContainerProgram program{kShortest, *code};
  if (space != std::string::npos) {
    const auto after = parse_duration_flag(value.substr(space + std::string(" after ").size()));
    if (!after) return std::nullopt;
    program.runs = *after;
  }
  return program;
}

Words words_of(std::string_view command) {
  Words words;
  while (!command.empty()) {
    const std::string_view word = take_until(command, " \t\n");
    if (!word.empty()) words.emplace_back(word);
  }
  return words;
}

std::string base_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

/// Returns the run time and the exit code of a simple command. Returns nullopt if the command is
/// unknown.
std::optional<ContainerProgram> simple_command(const Words& words) {
  const std::string name = words.empty() ? "true" : base_name(words.front());
  if (name == "true" || name == "echo" || name == "printf" || name == "date" || name == ":") {
    return ContainerProgram{Seconds(0), 0};
  }
  if (name == "false") return ContainerProgram{Seconds(0), 1};
  if (name != "sleep" || words.size() < 2) return std::nullopt;
  if (words[1] == "infinity") return ContainerProgram{};
  const auto time = parse_duration_flag(words[1]);
  if (!time) return ContainerProgram{Seconds(0), 1};
  return ContainerProgram{Seconds(*time), 0};
}

/// Returns the end of the first command in a script. Ignores separators in quotes.
std::size_t command_end(std::string_view script) {
  char quote = 0;
  for (std::size_t i = 0; i < script.size(); ++i) {
    const char c = script[i];
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '\'' || c == '"') {
      quote = c;
    } else if (c == ';' || c == '\n' || c == '&' || c == '|') {
      return i;
    }
  }
  return script.size();
}

/// Returns the run time and the exit code of a shell script of simple commands. Returns nullopt if
/// the script has an unknown command, a pipe or a background job.
std::optional<ContainerProgram> script(std::string_view rest) {
  ContainerProgram sum{Seconds(0), 0};
  bool skip = false;
  while (!rest.empty()) {
    const std::size_t end = command_end(rest);
    const Words words = words_of(rest.substr(0, end));
    rest.remove_prefix(end);
    if (!words.empty() && !skip) {
      if (words.front() == "exit") {
        if (words.size() > 1) sum.exit_code = parse_number<int>(words[1]).value_or(2);
        return sum;
      }
      const auto step = simple_command(words);
      if (!step) return std::nullopt;
      if (!step->runs) return ContainerProgram{};
      *sum.runs += *step->runs;
      sum.exit_code = step->exit_code;
    }
    const bool is_and = rest.starts_with("&&");
    const bool is_or = rest.starts_with("||");
    if (!rest.empty() && !is_and && !is_or && (rest.front() == '&' || rest.front() == '|')) {
      return std::nullopt;
    }
    skip = (is_and && sum.exit_code != 0) || (is_or && sum.exit_code == 0);
    rest.remove_prefix(std::min<std::size_t>(is_and || is_or ? 2 : 1, rest.size()));
  }
  return sum;
}

std::optional<ContainerProgram> from_command(const Json& container) {
  Words words;
  for (const char* part : {"command", "args"}) {
    for (const Json& word : elements(field(container, part))) words.push_back(text(word));
  }
  if (words.empty()) return std::nullopt;
  const std::string name = base_name(words.front());
  const bool is_shell = name == "sh" || name == "bash" || name == "ash" || name == "dash";
  std::optional<ContainerProgram> program;
  if (!is_shell) {
    program = name == "exit" ? script("exit " + (words.size() > 1 ? words[1] : ""))
                             : simple_command(words);
  } else if (words.size() > 2 && words[1].starts_with("-") && words[1].ends_with("c")) {
    program = script(words[2]);
  }
  if (program && program->runs) program->runs = std::max(*program->runs, kShortest);
  return program;
}

}  // namespace

ContainerProgram program_of(const Json& pod, const Json& container, bool is_init) {
  if (!is_init) {
    if (const auto program = from_annotation(pod)) return *program;
  }
  if (const auto program = from_command(container)) return *program;
  const bool is_in_job = text(field(controller_reference(pod), "kind")) == "Job";
  return is_init || is_in_job ? ContainerProgram{kShortest, 0} : ContainerProgram{};
}

}  // namespace kinf::sandbox
