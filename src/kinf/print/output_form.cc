// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/output_form.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "kinf/base/files.h"
#include "kinf/base/limits.h"

namespace kinf {
namespace {

struct FormatWord {
  std::string_view word;
  OutputFormat format;
  bool of_index = false;
};
constexpr std::array<FormatWord, 9> kFormats = {{{"table", OutputFormat::table},
                                                 {"wide", OutputFormat::wide},
                                                 {"json", OutputFormat::json},
                                                 {"jsonl", OutputFormat::json_lines, true},
                                                 {"yaml", OutputFormat::yaml},
                                                 {"name", OutputFormat::name},
                                                 {"keys", OutputFormat::keys, true},
                                                 {"csv", OutputFormat::csv},
                                                 {"tsv", OutputFormat::tsv}}};

constexpr std::array<std::string_view, 5> kExpressions = {
    "jsonpath", "jsonpath-file", "jsonpath-as-json", "custom-columns", "custom-columns-file"};

std::unexpected<Error> unknown_format(std::string_view text, bool of_index) {
  std::string hint;
  if (text == "yml") {
    hint = "did you mean yaml?";
  } else if (text.starts_with("go-template")) {
    hint = fmt::format("kinf has no Go templates; use {}-o jsonpath= or -o custom-columns=",
                       of_index ? "" : "--jq, ");
  }
  return fail(ErrorKind::usage,
              "invalid argument \"{}\" for \"--output\" flag: it must be one of {}", text,
              fmt::join(output_words(of_index), ", "))
      .with_hint(std::move(hint));
}

Result<OutputForm> parse_jsonpath(OutputFormat format, std::string_view text) {
  OutputForm form;
  form.format = format;
  form.jsonpath_text = text;
  Result<JsonPath> path = JsonPath::parse(text);
  if (!path) {
    return fail(ErrorKind::usage, "error parsing jsonpath {}, {}", text, path.error().message);
  }
  form.jsonpath = *std::move(path);
  return form;
}

Result<OutputForm> parse_columns(Result<CustomColumns> columns) {
  if (!columns) return fail(columns);
  OutputForm form;
  form.format = OutputFormat::custom_columns;
  form.columns = *std::move(columns);
  return form;
}

/// Parses `word=value`. `value` is the contents of the file if the word ends in `-file`.
Result<OutputForm> parse_expression(std::string_view word, const std::string& value) {
  if (word.starts_with("jsonpath")) {
    if (value.empty())
      return fail(ErrorKind::usage, "template format specified but no template given");
    return parse_jsonpath(
        word == "jsonpath-as-json" ? OutputFormat::jsonpath_as_json : OutputFormat::jsonpath,
        value);
  }
  return parse_columns(word == "custom-columns" ? CustomColumns::parse(value)
                                                : CustomColumns::parse_lines(value));
}

}  // namespace

std::vector<std::string> output_words(bool of_index) {
  std::vector<std::string> words;
  for (const FormatWord& word : kFormats) {
    if (!word.of_index || of_index) words.emplace_back(word.word);
  }
  for (const std::string_view word : kExpressions) words.push_back(std::string(word) + "=");
  return words;
}

std::string_view format_word(OutputFormat format) {
  const auto word = std::ranges::find(kFormats, format, &FormatWord::format);
  if (word != kFormats.end()) return word->word;
  if (format == OutputFormat::custom_columns) return "custom-columns";
  return format == OutputFormat::jsonpath ? "jsonpath" : "jsonpath-as-json";
}

Result<OutputForm> parse_output(std::string_view text, bool of_index) {
  for (const FormatWord& word : kFormats) {
    if (text != word.word || (word.of_index && !of_index)) continue;
    OutputForm form;
    form.format = word.format;
    return form;
  }
  const std::size_t equals = std::min(text.find('='), text.size());
  const std::string_view word = text.substr(0, equals);
  if (std::ranges::find(kExpressions, word) == kExpressions.end()) {
    return unknown_format(text, of_index);
  }
  std::string value(text.substr(std::min(equals + 1, text.size())));
  if (!word.ends_with("-file")) return parse_expression(word, value);
  Result<std::string> contents = read_file(value, limits::kExpressionFileBytes);
  if (!contents) return fail(ErrorKind::usage, "-o {}: {}", word, contents.error().message);
  return parse_expression(word, *contents);
}

Result<std::string> jsonpath_text(const OutputForm& form, bool allow_missing_keys,
                                  const nlohmann::json& document) {
  JsonPathOptions options;
  options.allow_missing_keys = allow_missing_keys;
  options.json_output = form.format == OutputFormat::jsonpath_as_json;
  Result<std::string> text = form.jsonpath->print(document, options);
  if (text) return text;
  return fail(ErrorKind::protocol, "error executing jsonpath \"{}\": {}", form.jsonpath_text,
              text.error().message);
}

}  // namespace kinf
