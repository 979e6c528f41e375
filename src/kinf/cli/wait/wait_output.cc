// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/wait/wait_output.h"

#include "kinf/print/objects_printer.h"

namespace kinf {
namespace {

Result<std::string> object_text(const AwaitedObject& object, const WaitCommand& command) {
  const WaitSource& source = *object.source;
  std::string text;
  if (!command.has_output) {
    if (!source.cluster.empty()) text = source.cluster + ": ";
    return text + typed_name(*source.type, object.name) + " condition met\n";
  }
  PrintOptions options;
  static_cast<OutputForm&>(options) = command.output;
  options.show_secrets = command.output.show_secrets;
  options.allow_missing_keys = command.output.allow_missing_keys;
  const auto take = [&text](std::string& piece) {
    text += piece;
    piece.clear();
  };
  const Result<std::size_t> printed =
      print_objects({{source.type, {object.last}}}, options, false, object.changed, take);
  if (!printed) return std::unexpected(printed.error());
  return text;
}

}  // namespace

Result<std::string> met_text(const WaitTracker& tracker, const WaitCommand& command) {
  const std::size_t times = command.goal.any ? 1 : command.goal.conditions.size();
  const bool is_yaml = command.has_output && command.output.format == OutputFormat::yaml;
  std::string text;
  for (const AwaitedObject& object : tracker.objects()) {
    if (!object.is_satisfied || !object.last) continue;
    const Result<std::string> one = object_text(object, command);
    if (!one) return one;
    for (std::size_t i = 0; i < times; ++i) {
      if (is_yaml && !text.empty()) text += "---\n";
      text += *one;
    }
  }
  return text;
}

}  // namespace kinf
