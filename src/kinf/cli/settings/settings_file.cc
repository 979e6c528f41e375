// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/settings/settings_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#define TOML_EXCEPTIONS 0
// toml++ 3 asserts, or tells the compiler, that no key begins with a mark and that no letter such
// as `é` stands outside of strings. Its checks after that are complete.
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

#include "kinf/cli/completion/flag_notes.h"
#include "kinf/cli/parse_error.h"
#include "kinf/client/similar_names.h"

namespace kinf {
namespace {

bool is_command(std::string_view name) {
  return std::ranges::find(kCommands, name) != kCommands.end();
}

/// Returns a hint that names a flag similar to `flag`, or nothing.
std::string similar_setting(std::string_view flag) {
  constexpr std::size_t kMostEdits = 2;
  for (const FlagNote& note : flag_notes()) {
    if (can_have_default(note.flag) && edit_distance(flag, note.flag) <= kMostEdits) {
      return fmt::format("did you mean {}?", note.flag.substr(2));
    }
  }
  return {};
}

/// Returns a text, a number or a boolean as the text of a flag; nullopt for other values.
std::optional<std::string> scalar_text(const toml::node& node) {
  if (const auto text = node.value_exact<std::string>()) return *text;
  if (const auto is_set = node.value_exact<bool>()) return *is_set ? "true" : "false";
  if (const auto whole = node.value_exact<std::int64_t>()) return fmt::format("{}", *whole);
  if (const auto number = node.value_exact<double>()) return fmt::format("{}", *number);
  return std::nullopt;
}

/// Reads the tables of one file. Threads: one owner.
class FileReader {
 public:
  explicit FileReader(const std::string& path) : path_(path) {}

  Result<Settings> read(const toml::table& root) {
    for (const auto& [key, node] : root) {
      Result<void> fine =
          node.is_table() ? read_table(key, *node.as_table()) : read_flag(key, node, std::string());
      if (!fine) return std::unexpected(std::move(fine).error());
    }
    // The tables of commands come after the top of the file, which they replace.
    std::ranges::stable_sort(settings_.defaults, {},
                             [](const FlagDefault& one) { return !one.command.empty(); });
    return std::move(settings_);
  }

 private:
  std::string origin_of(const toml::source_region& source) const {
    return fmt::format("{}:{}", path_, source.begin.line);
  }

  std::unexpected<Error> wrong(const toml::source_region& source, const std::string& what) const {
    return fail(ErrorKind::usage, fmt::format("{}: {}", origin_of(source), what));
  }

  Result<void> read_table(const toml::key& name, const toml::table& table) {
    const std::string command(name.str());
    if (command != "alias" && command != "columns" && !is_command(command)) {
      return wrong(name.source(), fmt::format("unknown table [{}]", command));
    }
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
    one.origin = origin_of(key.source());
    if (!can_have_default(one.flag)) {
      auto failure = wrong(key.source(), fmt::format("unknown setting \"{}\"", key.str()));
      failure.error().hint = similar_setting(one.flag);
      return failure;
    }
    Result<std::vector<std::string>> values = values_of(key, node);
    if (!values) return std::unexpected(std::move(values).error());
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
    if (!values) return std::unexpected(std::move(values).error());
    alias.words = node.is_array() ? *std::move(values) : split_command(values->front());
    if (alias.words.empty()) {
      return wrong(key.source(), fmt::format("the alias \"{}\" is empty", alias.name));
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
    return fail(ErrorKind::usage, fmt::format("{}:{}: {}", path, parsed.error().source().begin.line,
                                              parsed.error().description()));
  }
  return FileReader(path).read(parsed.table());
}

}  // namespace kinf
