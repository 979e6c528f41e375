// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/flags/flag_table.h"

#include <algorithm>

#include "kinf/cli/flags/index_flags.h"
#include "kinf/cli/flags/inspect_flags.h"
#include "kinf/cli/flags/run_flags.h"
#include "kinf/cli/flags/sandbox_flags.h"
#include "kinf/cli/flags/wait_flags.h"
#include "kinf/cli/flags/watch_flags.h"

namespace kinf {
namespace {

/// Returns the first row that matches. Prefers a row that names the command to a global row.
template <class Matches>
const FlagRow* find_row(CommandSet command, const Matches& matches) {
  const FlagRow* global = nullptr;
  for (const FlagRow* row : flag_rows()) {
    if (!matches(*row)) continue;
    if (((row->commands | row->hidden | row->refused) & command) != 0) return row;
    const bool is_fitting = command == 0 ? row->is_global : row->is_known_to(command);
    if (global == nullptr && is_fitting) global = row;
  }
  return global;
}

}  // namespace

std::span<const FlagRow* const> flag_rows() {
  static const std::vector<const FlagRow*> rows = [] {
    std::vector<const FlagRow*> all;
    const auto add = [&all](std::span<const FlagRow> some) {
      for (const FlagRow& row : some) all.push_back(&row);
    };
    add(rows::kGlobal);
    add(rows::kSelection);
    add(rows::kConnection);
    add(rows::kQueue);
    add(rows::kParts);
    add(rows::kRecordings);
    add(rows::kOutput);
    add(rows::kWatch);
    add(rows::kIndex);
    add(rows::kRun);
    add(rows::kWait);
    add(rows::kDemo);
    add(rows::kSandbox);
    add(rows::kInspect);
    return all;
  }();
  return rows;
}

std::vector<const FlagRow*> flags_of(CommandSet command) {
  std::vector<const FlagRow*> flags;
  for (const FlagRow* row : flag_rows()) {
    if (find_flag(row->name, command) == row) flags.push_back(row);
  }
  return flags;
}

const FlagRow* find_flag(std::string_view name, CommandSet command) {
  return find_row(command, [&](const FlagRow& row) { return row.name == name; });
}

const FlagRow* find_flag(char letter, CommandSet command) {
  return find_row(command, [&](const FlagRow& row) { return row.letter == letter; });
}

bool are_rivals(const FlagRow& a, const FlagRow& b) {
  const auto replaces = [](const FlagRow& one, const FlagRow& other) {
    const std::vector<std::string_view> others = words_in(one.instead);
    return std::ranges::find(others, other.name) != others.end();
  };
  return replaces(a, b) || replaces(b, a);
}

}  // namespace kinf
