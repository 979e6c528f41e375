// SPDX-License-Identifier: Apache-2.0
#include "kinf/demo/key_trace.h"

#include <fmt/format.h>
#include <unistd.h>

#include "kinf/cli/runtime/file_writer.h"
#include "kinf/demo/live_pipeline.h"
#include "kinf/demo/picture_json.h"

namespace kinf {

Result<ExitCode> trace_keys(const std::string& keys, const CommandContext& context) {
  constexpr std::string_view kKeys = " .audgcs";
  if (const std::size_t wrong = keys.find_first_not_of(kKeys); wrong != std::string::npos) {
    Error error(ErrorKind::usage, fmt::format("--keys: unknown key \"{}\"", keys[wrong]));
    error.hint = "keys: space (one step), . (steps until nothing is to do), a, u, d, g, c and s";
    return std::unexpected(std::move(error));
  }
  LivePipeline pipeline;
  FileWriter out(STDOUT_FILENO, &context.exit_request);
  const auto print = [&](const std::string& key) {
    return out.write(picture_json(pipeline.picture(), key) + "\n");
  };
  bool goes_on = print("");
  for (std::size_t i = 0; i < keys.size() && goes_on; ++i) {
    pipeline.play(keys.substr(i, 1), [&](char key) { goes_on = goes_on && print({key}); });
    goes_on = goes_on && !context.stop.stop_requested();
  }
  return context.exit_request.code().value_or(out.exit_code());
}

}  // namespace kinf
