// SPDX-License-Identifier: Apache-2.0
// ParsedFlags: the values of the flags of one command line, and the functions that make a command
// of them. For the parser of the command line only.
#pragma once

#include "kinf/cli/flags/command_line.h"

namespace kinf {

/// A command line has one command, so commands share fields.
struct ParsedFlags {
  const TypedLine& line;
  GlobalFlags global{};
  HelpFlags help{};
  InformerFlags informer{};
  OutputFlags output{};
  LimitFlags limits{};
  FlagTexts texts{};
  UpdateFilter filter{};
  WatchChoice choice{};
  WatchCommand watch{};  ///< also holds the flags that get and history share with it
  IndexCommand index{};
  RunCommand run{};
  WaitCommand wait{};
  DemoCommand demo{};
  SandboxCommand sandbox{};
  CheckCommand check{};
  ApiResourcesCommand api_resources{};

  bool is_set(std::string_view flag) const { return line.is_set(flag); }
};

/// Compiles what CLI11 leaves as text: selectors, expressions, paths and conditions. Errors: usage.
Result<void> compile_texts(ParsedFlags& parsed);

/// Rejects flags that do not fit each other or the command, as their rows say. Errors: usage.
Result<void> check_rows(const TypedLine& line);
/// Rejects the flags that need --watch. Errors: usage.
Result<void> check_needs_watch(const TypedLine& line);

/// Rejects the flags in `flags`, separated by spaces, that are set, because they do not fit
/// `other`, which is a flag or a command.
Result<void> reject(const TypedLine& line, std::string_view flags, std::string_view other);

/// Rejects --where outside metadata with --metadata, and other expressions if `reads_more`.
Result<void> check_metadata(const ParsedFlags& parsed, bool reads_more);
/// Returns whether -o or --sort-by certainly reads objects beyond their metadata. `prints_events`:
/// a JSONPath applies to events, and otherwise to objects or Lists.
bool reads_beyond_metadata(const OutputFlags& output, bool prints_events = false);
/// Rejects flags that do not fit a recording or a state. `watches`: the command follows changes.
Result<void> check_recordings(const ParsedFlags& parsed, bool watches);

/// Each function returns a command. Rejects flags that do not fit it. Errors: usage.
Result<CommandLine> watch_line(ParsedFlags& parsed);  ///< of watch and get
Result<CommandLine> history_line(ParsedFlags& parsed);
Result<CommandLine> index_line(ParsedFlags& parsed);
Result<CommandLine> run_line(ParsedFlags& parsed);
Result<CommandLine> wait_line(ParsedFlags& parsed);
Result<CommandLine> record_line(ParsedFlags& parsed);
Result<CommandLine> demo_line(ParsedFlags& parsed);
Result<CommandLine> sandbox_line(ParsedFlags& parsed);
Result<CommandLine> check_line(ParsedFlags& parsed);
Result<CommandLine> api_resources_line(ParsedFlags& parsed);
Result<CommandLine> completion_line(ParsedFlags& parsed);

}  // namespace kinf
