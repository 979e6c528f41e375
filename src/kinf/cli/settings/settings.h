// SPDX-License-Identifier: Apache-2.0
// Settings: the flag defaults, aliases and columns in the configuration file and the environment.
// The value of a flag comes from the first of these that sets it: the command line, the variable
// KINF_<FLAG>, the table of the command in the file, the top level of the file, the columns of the
// type.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/base/error.h"
namespace kinf {

/// Where a default is set. A default of a later level replaces one of an earlier level.
enum class SettingLevel { columns, top, table, environment };

/// A default: the values of a flag that is not on the command line.
struct FlagDefault {
  std::string flag;  ///< `--color`
  std::vector<std::string> values;
  std::string command{};  ///< empty means every command that has the flag
  SettingLevel level = SettingLevel::top;
  std::string origin;  ///< for messages: `/home/u/.config/kinf/config.toml:3`, `KINF_COLOR`
};

/// A command that the user has defined: `mine = "watch pods -l team=me"`.
struct Alias {
  std::string name;
  std::vector<std::string> words;
};

/// The columns of a type: `pods = "NAME:.metadata.name,NODE:.spec.nodeName"`.
struct TypeColumns {
  std::string type;  ///< `pods` or `po`
  std::string columns;
  std::string origin;
};

struct Settings {
  std::vector<FlagDefault> defaults;  ///< sorted by level, the lowest first
  std::vector<Alias> aliases;
  std::vector<TypeColumns> columns;

  const Alias* find_alias(std::string_view name) const;
};

/// Returns whether `flag` (`--color`) exists and may have a default. --help, --version and --config
/// may not.
bool can_have_default(std::string_view flag);

/// Splits a command at spaces. Text in quotes is one word. Returns nullopt if a quote is open.
std::optional<std::vector<std::string>> split_command(std::string_view text);

/// Returns the defaults that `variables` (NAME=value) set: those named KINF_<FLAG>. Skips the
/// variables that `kinf run` passes to its program, and empty variables.
std::vector<FlagDefault> environment_defaults(const std::vector<std::string>& variables);

/// Parses a configuration file. `path` is for messages. Errors: usage, with the file and the line.
Result<Settings> parse_settings(std::string_view text, const std::string& path);

}  // namespace kinf
