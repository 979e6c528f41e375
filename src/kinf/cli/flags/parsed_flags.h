// SPDX-License-Identifier: Apache-2.0
// ParsedFlags: the values of the flags of one command line, and the functions that make a command
// from them. Only the parser of the command line uses them.
#pragma once

#include "kinf/cli/flags/command_line.h"

namespace kinf {

/// Commands share some of the fields, because a command line has only one command.
struct ParsedFlags {
  // With a constructor, because g++ 12 warns about the members of an aggregate here.
  explicit ParsedFlags(const TypedLine& line_in) : line(line_in) {}

  const TypedLine& line;
  GlobalFlags global{};
  HelpFlags help{};
  InformerFlags informer{};
  OutputFlags output{};
  LimitFlags limits{};
  FlagTexts texts{};
  UpdateFilter filter{};
  WatchChoice choice{};
  WatchCommand watch{};  ///< also holds the flags that get and history share with watch
  IndexCommand index{};
  RunCommand run{};
  WaitCommand wait{};
  DemoCommand demo{};
  SandboxCommand sandbox{};
  CheckCommand check{};
  ApiResourcesCommand api_resources{};
  RecordCommand record{};
  InfoCommand info{};
  CopyCommand copy{};

  bool is_set(std::string_view flag) const { return line.is_set(flag); }
};

/// Compiles values that CLI11 leaves as text: selectors, expressions, paths and conditions. Errors:
/// usage.
Result<void> compile_texts(ParsedFlags& parsed);

/// Rejects flags that do not fit each other or the command, according to their rows. Errors: usage.
Result<void> check_rows(const TypedLine& line);
/// Rejects the flags that need --watch. Errors: usage.
Result<void> check_needs_watch(const TypedLine& line);

/// Fails if one of `flags`, which are separated by spaces, is set. The message says that it cannot
/// be used with `other`, a flag or a command. Errors: usage.
Result<void> reject(const TypedLine& line, std::string_view flags, std::string_view other);

/// With --metadata, fails if --where or another expression (`reads_more`) reads fields outside
/// metadata. Errors: usage.
Result<void> check_metadata(const ParsedFlags& parsed, bool reads_more);
/// Returns whether -o or --sort-by is known to read more of the objects than their metadata.
/// `prints_events`: the JSONPath of -o applies to events, not to objects or Lists.
bool reads_beyond_metadata(const OutputFlags& output, bool prints_events = false);
/// Rejects flags that do not fit a recording or a state. `watches`: the command follows changes.
Result<void> check_recordings(const ParsedFlags& parsed, bool watches);

/// Each of these functions makes a command, and rejects flags that do not fit it. Errors: usage.
Result<CommandLine> watch_line(ParsedFlags& parsed);  ///< for watch and get
Result<CommandLine> raw_line(ParsedFlags& parsed);    ///< for get --raw
Result<CommandLine> history_line(ParsedFlags& parsed);
Result<CommandLine> index_line(ParsedFlags& parsed);
Result<CommandLine> run_line(ParsedFlags& parsed);
Result<CommandLine> wait_line(ParsedFlags& parsed);
Result<CommandLine> record_line(ParsedFlags& parsed);
Result<CommandLine> demo_line(ParsedFlags& parsed);
Result<CommandLine> sandbox_line(ParsedFlags& parsed);
Result<CommandLine> check_line(ParsedFlags& parsed);
Result<CommandLine> api_resources_line(ParsedFlags& parsed);
Result<CommandLine> info_line(ParsedFlags& parsed);
Result<CommandLine> copy_line(ParsedFlags& parsed);
Result<CommandLine> completion_line(ParsedFlags& parsed);

}  // namespace kinf
