// SPDX-License-Identifier: Apache-2.0
// `kinf completion` and `kinf __complete`, which the completion scripts call.

#include <cstdlib>
#include <future>
#include <thread>

#include "kinf/base/duration.h"
#include "kinf/base/log.h"
#include "kinf/cli/completion/completer.h"
#include "kinf/cli/completion/script_texts.h"
#include "kinf/cli/completion/server_world.h"
#include "kinf/cli/runtime/commands.h"
#include "kinf/cli/runtime/file_writer.h"
#include "kinf/cli/settings/command_reader.h"
#include "kinf/cli/settings/flag_defaults.h"

namespace kinf {
namespace {

/// Returns the script of a shell.
std::string_view completion_script(std::string_view shell) {
  if (shell == "bash") return kBashScript;
  return shell == "zsh" ? kZshScript : kFishScript;
}

/// Returns how long completion waits for the server. A longer wait would be worse than no
/// candidates.
Clock::Duration time_limit(const Environment& environment) {
  constexpr auto kDefault = std::chrono::milliseconds(300);
  const Result<Clock::Duration> given = parse_duration_flag(environment.completion_timeout);
  return given ? *given : Clock::Duration(kDefault);
}

/// Replaces an alias in `words` with the words that it stands for. Leaves the last word alone,
/// because the user is still typing it.
std::vector<std::string> without_alias(std::vector<std::string> words, const Settings& settings) {
  if (words.empty()) return words;
  const std::string last = std::move(words.back());
  words.pop_back();
  words = expand_alias(words, settings);
  words.push_back(last);
  return words;
}

std::string answer(const std::vector<std::string>& words, const Environment& environment,
                   Clock& clock, const std::stop_token& stop) {
  const Result<Settings> read = read_settings(words, environment);
  const Settings settings = read ? *read : Settings();
  const TypedLine line = read_typed_line(without_alias(words, settings));
  TypedLine with_defaults = line;
  if (const auto defaults = default_words(line, settings)) {
    const auto any = [](const std::vector<std::string>&) { return true; };
    for (const DefaultWords& one : taken_defaults(line.command_id, *defaults, any)) {
      for (const std::string& word : one.words) with_defaults.add(word);
    }
  }
  ServerWorld world(global_flags(with_defaults), settings.aliases, environment, clock, stop);
  return completion_text(complete(line, world));
}

}  // namespace

ExitCode completion_command(const CompletionCommand& command) {
  return write_stdout(completion_script(command.shell));
}

ExitCode complete_command(const CompleteCommand& command, const Environment& environment) {
  log::configure({.verbosity = 0, .quiet = true});
  Environment quiet = environment;
  quiet.stdin_is_terminal = false;  // a credential plugin must not prompt while the user types
  RealClock clock;
  std::stop_source stop;
  std::promise<std::string> promise;
  std::future<std::string> text = promise.get_future();
  // Use a thread, because name resolution, disks and servers may block for longer than the limit.
  std::jthread worker(
      [&] { promise.set_value(answer(command.words, quiet, clock, stop.get_token())); });
  if (text.wait_for(time_limit(environment)) == std::future_status::ready) {
    return write_stdout(text.get());
  }
  write_stdout(completion_text({}));
  std::_Exit(static_cast<int>(ExitCode::ok));  // does not wait for the thread
}

}  // namespace kinf
