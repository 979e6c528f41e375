// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/settings/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#define TOML_EXCEPTIONS 0
// toml++ 3 asserts, or tells the compiler to assume, that every key begins with a letter, a digit,
// `_`, `-` or a quote, and that no letter such as `é` is outside of strings. A file of the user may
// violate this. The checks that follow in toml++ report such a file, so these macros remove the
// assumptions.
#include <toml++/impl/preprocessor.h>
#undef TOML_ASSERT
#undef TOML_ASSERT_ASSUME
#undef TOML_UNREACHABLE
#define TOML_ASSERT(condition) static_assert(true)
#define TOML_ASSERT_ASSUME(condition) static_assert(true)
#define TOML_UNREACHABLE return false
#include <toml++/impl/forward_declarations.h>
#include <toml++/impl/unicode.h>
#undef TOML_UNREACHABLE
#define TOML_UNREACHABLE __builtin_unreachable()
#include <toml++/toml.h>

#include "kinf/base/ascii.h"
#include "kinf/cli/flags/command_table.h"
#include "kinf/cli/flags/flag_table.h"
#include "kinf/cli/flags/typed_line.h"
#include "kinf/client/type_names.h"

namespace kinf {
namespace {

/// Returns a hint that names the flag with the short name `key`, or flags with similar names. Empty
/// if there are none.
std::string similar_setting(std::string_view key) {
  if (key.size() == 1) {
    for (const FlagRow* row : flag_rows()) {
      const bool is_meant = row->letter == key.front() && can_have_default(row->name);
      if (is_meant) return fmt::format("did you mean {}?", row->name.substr(2));
    }
    return {};
  }
  std::vector<std::pair<std::size_t, std::string>> names;
  for (const FlagRow* row : flag_rows()) {
    if (!can_have_default(row->name)) continue;
    const std::string_view name = row->name.substr(2);
    names.emplace_back(edit_distance(key, name), name);
  }
  return std::string(trimmed(similar_names_hint(key, std::move(names))));
}

/// Returns whether a table of this name may be in the file.
bool is_table(std::string_view name) {
  return name == "alias" || name == "columns" || is_command(name);
}

/// Returns why an alias cannot run, or an empty string.
std::string problem_of(const Alias& alias) {
  if (alias.words.empty()) return "is empty";
  const std::string command = read_complete_line(alias.words).command;
  if (command.empty()) return "names no command";
  return is_command(command) ? "" : fmt::format("runs \"{}\", which is not a command", command);
}

/// Returns a TOML string, number or boolean as the text of a flag value; nullopt for other values.
std::optional<std::string> scalar_text(const toml::node& node) {
  if (const auto text = node.value_exact<std::string>()) return *text;
  if (const auto is_set = node.value_exact<bool>()) return *is_set ? "true" : "false";
  if (const auto whole = node.value_exact<std::int64_t>()) return fmt::format("{}", *whole);
  if (const auto number = node.value_exact<double>()) return fmt::format("{}", *number);
  return std::nullopt;
}

/// Returns line `number` of `text`. The first line has the number 1.
std::string_view line_of(std::string_view text, std::size_t number) {
  for (; number > 1 && !text.empty(); --number) {
    text.remove_prefix(std::min(text.size(), text.find('\n')));
    text.remove_prefix(std::min<std::size_t>(text.size(), 1));
  }
  return text.substr(0, text.find('\n'));
}

/// Returns whether `message` is probably about missing quotes: the value in `line` begins with a
/// letter, and the message is not about a comment or a redefinition.
bool lacks_quotes(std::string_view line, std::string_view message) {
  if (message.contains("comment") || message.contains("redefine")) return false;
  const std::size_t equals = line.find('=');
  const std::string_view value =
      trimmed(line.substr(std::min(line.size(), equals == line.npos ? equals : equals + 1)));
  return !value.empty() && std::isalpha(static_cast<unsigned char>(value.front())) != 0;
}

/// Reads the tables of one file. Threads: one owner.
class FileReader {
 public:
  explicit FileReader(const std::string& path) : path_(path) {}

  Result<Settings> read(const toml::table& root) {
    for (const auto& [key, node] : root) {
      Result<void> fine =
          node.is_table() ? read_table(key, *node.as_table()) : read_flag(key, node, std::string());
      if (!fine) return fail(fine);
    }
    // Defaults in the tables of commands come last, because later defaults replace earlier ones.
    std::ranges::stable_sort(settings_.defaults, {},
                             [](const FlagDefault& one) { return !one.command.empty(); });
    return std::move(settings_);
  }

 private:
  std::string origin_of(const toml::source_region& source) const {
    return fmt::format("{}:{}", path_, source.begin.line);
  }

  std::unexpected<Error> wrong(const toml::source_region& source, const std::string& what) const {
    return fail(ErrorKind::usage, "{}: {}", origin_of(source), what);
  }

  Result<void> read_table(const toml::key& name, const toml::table& table) {
    const std::string command(name.str());
    if (!is_table(command)) return wrong(name.source(), fmt::format("unknown table [{}]", command));
    for (const auto& [key, node] : table) {
      Result<void> fine = command == "alias"     ? read_alias(key, node)
                          : command == "columns" ? read_columns(key, node)
                                                 : read_flag(key, node, command);
      if (!fine) return fine;
    }
    return {};
  }

  Result<std::vector<std::string>> values_of(const toml::key& key, const toml::node& node) const {
    std::vector<std::string> values;
    const auto add = [&](const toml::node& one) {
      const std::optional<std::string> text = scalar_text(one);
      if (text) values.push_back(*text);
      return text.has_value();
    };
    bool is_fine = true;
    if (const toml::array* list = node.as_array()) {
      for (const toml::node& one : *list) is_fine = is_fine && add(one);
    } else {
      is_fine = add(node);
    }
    if (is_fine) return values;
    return wrong(key.source(), fmt::format("{}: not a text, a number, true, false or a list of "
                                           "them",
                                           key.str()));
  }

  Result<void> read_flag(const toml::key& key, const toml::node& node, const std::string& command) {
    FlagDefault one;
    one.flag = "--" + std::string(key.str());
    one.command = command;
    one.level = command.empty() ? SettingLevel::top : SettingLevel::table;
    one.origin = origin_of(key.source());
    if (node.is_array_of_tables() && command.empty()) {
      return wrong(key.source(),
                   fmt::format("[[{0}]] is a list of tables: write [{0}]", key.str()));
    }
    if (!can_have_default(one.flag)) {
      auto failure = wrong(key.source(), fmt::format("unknown setting \"{}\"", key.str()));
      failure.error().hint = similar_setting(key.str());
      return failure;
    }
    Result<std::vector<std::string>> values = values_of(key, node);
    if (!values) return fail(values);
    one.values = *std::move(values);
    settings_.defaults.push_back(std::move(one));
    return {};
  }

  Result<void> read_alias(const toml::key& key, const toml::node& node) {
    Alias alias{std::string(key.str()), {}};
    if (is_command(alias.name) || alias.name.starts_with('-')) {
      return wrong(key.source(), fmt::format("\"{}\" cannot be an alias", alias.name));
    }
    Result<std::vector<std::string>> values = values_of(key, node);
    if (!values) return fail(values);
    std::optional<std::vector<std::string>> words =
        node.is_array() ? *std::move(values) : split_command(values->front());
    if (!words) {
      return wrong(key.source(), fmt::format("the alias \"{}\" has an open quote", alias.name));
    }
    alias.words = *std::move(words);
    if (const std::string problem = problem_of(alias); !problem.empty()) {
      return wrong(key.source(), fmt::format("the alias \"{}\" {}", alias.name, problem));
    }
    settings_.aliases.push_back(std::move(alias));
    return {};
  }

  Result<void> read_columns(const toml::key& key, const toml::node& node) {
    const auto columns = node.value_exact<std::string>();
    if (!columns) {
      return wrong(key.source(),
                   fmt::format("{}: not a text such as \"NAME:.metadata.name\"", key.str()));
    }
    settings_.columns.push_back({std::string(key.str()), *columns, origin_of(key.source())});
    return {};
  }

  const std::string& path_;
  Settings settings_;
};

}  // namespace

Result<Settings> parse_settings(std::string_view text, const std::string& path) {
  const toml::parse_result parsed = toml::parse(text, path);
  if (!parsed) {
    const std::size_t line = parsed.error().source().begin.line;
    Error error(ErrorKind::usage,
                fmt::format("{}:{}: {}", path, line, parsed.error().description()));
    if (lacks_quotes(line_of(text, line), error.message))
      error.hint = "a text needs quotes: color = \"never\"";
    return fail(std::move(error));
  }
  return FileReader(path).read(parsed.table());
}

}  // namespace kinf
