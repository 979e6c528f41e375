// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include <algorithm>

#include "kinf/cli/flags/command_table.h"
#include "kinf/cli/flags/flag_table.h"
#include "kinf/version.h"

namespace kinf {
namespace {

constexpr std::size_t kWidth = 80;
constexpr char kNoBreak = '\v';  ///< stands for a space at which no line may end

constexpr std::string_view kProgramStart =
    R"(kinf watches Kubernetes objects. It is kubectl get -w that reconnects and
resumes, watches several types in one stream, and keeps an index to query.

Examples:
  kinf watch pods -n default --sandbox=nettool       # needs no cluster
  kinf watch deploy,rs,po -l app=web                 # several types, one stream
  kinf watch pods -o json | jq .object.metadata.name
  kinf index pods --by app                           # count pods per app
  kinf run cm -- sh -c 'echo $KINF_TYPE $KINF_KEY'   # act on every change

Usage: kinf COMMAND [TYPE[,TYPE...] [NAME...] | TYPE/NAME ...] [flags]

Commands:
)";

constexpr std::string_view kProgramEnd = R"(
Run "kinf COMMAND --help" to list the flags of a command, or read its page:
"man kinf-COMMAND". KINF_<FLAG> and ~/.config/kinf/config.toml set their
defaults, and aliases: see "man kinf".
)";

constexpr std::string_view kLastLine =
    "D is a duration such as 500ms or 5m. \"man kinf-options\" describes these flags.\n";

/// A paragraph at the end of a command's help. It lists flags, separated by commas.
struct Paragraph {
  HelpPart part;
  std::string_view title;
  std::string_view end{};
  CommandSet ends = 0;  ///< the commands whose paragraph ends with `end`
};
constexpr Paragraph kParagraphs[] = {
    {HelpPart::selection, "Selection:", ".\nTYPE may be a category (all), NAME a glob ('web-*').",
     commands::informers & ~commands::record},
    {HelpPart::connection, "Connection:"},
    {HelpPart::queue, "Queue and resync:"},
    {HelpPart::parts, "Parts of objects:"},
    {HelpPart::recordings, "Recordings:"},
    {HelpPart::cluster, "Cluster and user:"},
    {HelpPart::logging, "Logging:"},
};

/// Appends `words` to `text`, wrapped at spaces. New lines begin with `indent` spaces. Line breaks
/// in `words` are kept.
void append_wrapped(std::string& text, std::string_view words, std::size_t indent) {
  while (!words.empty()) {
    const std::size_t end = std::min(words.find_first_of(" \n"), words.size());
    const std::string_view word = words.substr(0, end);
    const std::size_t column = text.size() - (text.rfind('\n') + 1);
    if (column + 1 + word.size() > kWidth) {
      text += "\n" + std::string(indent, ' ');
    } else if (!text.ends_with(' ')) {
      text += ' ';
    }
    text += word;
    if (words.substr(end).starts_with('\n')) text += "\n" + std::string(indent, ' ');
    words.remove_prefix(std::min(end + 1, words.size()));
  }
}

/// Returns `-o, --output FORMAT` or `--diff[=FORM]`.
std::string flag_form(const FlagRow& row) {
  std::string form(row.name);
  if (row.letter != 0) form = fmt::format("-{}, {}", row.letter, row.name);
  if (row.value.empty()) return form;
  const bool is_optional = !row.bare.empty() && row.kind != ValueKind::level;
  return form + fmt::format(fmt::runtime(is_optional ? "[={}]" : " {}"), row.value);
}

/// Returns the help of a flag in a command.
std::string_view help_of(const FlagRow& row, CommandSet command) {
  return (row.help_in.commands & command) != 0 ? row.help_in.text : row.help;
}

/// Returns the lines of the flags of `command` that belong to `part`.
std::string lines_of(const CommandRow& command, HelpPart part) {
  std::string text;
  for (const FlagRow* row : flag_rows()) {
    const std::string_view help = help_of(*row, command.id);
    const bool is_listed = (row->commands & command.id) != 0 && row->part == part;
    // In the help of `get`, the text of --watch lists the flags that need --watch.
    const bool is_elsewhere = command.id == commands::get && (row->needs_watch & command.id) != 0;
    if (!is_listed || is_elsewhere || help.empty()) continue;
    if (help.starts_with(' ')) {
      text += help;
      continue;
    }
    text += (row->letter == 0 ? "      " : "  ") + flag_form(*row);
    const std::size_t used = text.size() - (text.rfind('\n') + 1);
    text += std::string(std::max(command.column, used + 2) - used, ' ');
    append_wrapped(text, help, command.column);
    text += '\n';
  }
  return text;
}

std::string paragraph_text(const CommandRow& command, HelpPart part) {
  const Paragraph& paragraph = *std::ranges::find(kParagraphs, part, &Paragraph::part);
  std::string items;
  for (const FlagRow* row : flag_rows()) {
    if ((row->commands & command.id) == 0 || row->part != part) continue;
    const std::string_view help = help_of(*row, command.id);
    if (items.ends_with('\n')) {
      items.insert(items.size() - 1, ",");
    } else if (!items.empty()) {
      items += ", ";
    }
    std::string form = flag_form(*row);
    std::ranges::replace(form, ' ', kNoBreak);
    items += form;
    if (!help.empty() && help.front() != ':') items += ' ';
    items += help;
  }
  if ((paragraph.ends & command.id) != 0) items += paragraph.end;
  std::string text(paragraph.title);
  append_wrapped(text, items, 2);
  std::ranges::replace(text, kNoBreak, ' ');
  return text + "\n";
}

std::string command_help(const CommandRow& command) {
  std::string text(command.text);
  if (!command.flags_title.empty()) {
    text += fmt::format("\n{}\n", command.flags_title) + lines_of(command, HelpPart::flags);
    const std::string output = lines_of(command, HelpPart::output);
    if (!command.output_title.empty()) text += fmt::format("\n{}\n", command.output_title);
    text += output;
  }
  text += command.after_flags;
  const bool has_gap = (command.id & commands::informers) != 0 && command.after_flags.empty();
  if (has_gap && !command.paragraphs.empty()) text += '\n';
  for (const HelpPart part : command.paragraphs) text += paragraph_text(command, part);
  if (command.id != commands::completion) text += kLastLine;
  return text;
}

std::string program_help() {
  std::string text(kProgramStart);
  for (const CommandRow& command : command_rows()) {
    text += fmt::format("  {:<13}  {}\n", command.name, command.summary);
  }
  return text + std::string(kProgramEnd);
}

}  // namespace

std::string help_text(std::string_view topic) {
  const CommandRow* const command = find_command(topic);
  const bool has_help = command != nullptr && !command->text.empty();
  return has_help ? command_help(*command) : program_help();
}

std::string version_text() {
#if defined(__clang__)
  // clang also defines __GNUC__, as version 4.2.1.
  const std::string compiler =
      fmt::format("clang {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#else
  const std::string compiler =
      fmt::format("g++ {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#endif
  return fmt::format("kinf {} ({})\n", KINF_VERSION_STRING, compiler);
}

}  // namespace kinf
