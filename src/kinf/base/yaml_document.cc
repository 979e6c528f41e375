// SPDX-License-Identifier: Apache-2.0
// Builds values from the events of libyaml's parser, not from its node tree, which costs several
// times as much memory. kubectl uses go-yaml, which is a translation of libyaml, so kinf accepts
// the same YAML.
#include "kinf/base/yaml_document.h"

#include <fmt/format.h>
#include <yaml.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "kinf/base/base64.h"
#include "kinf/base/limits.h"
#include "kinf/base/unicode.h"

namespace kinf {
namespace {

using Json = nlohmann::json;

/// The error for text that is not accepted. Thrown and caught in this file only.
class Refused : public std::runtime_error {
 public:
  Refused(const yaml_mark_t& mark, std::string_view what)
      : std::runtime_error(fmt::format("yaml: line {}: {}", mark.line + 1, what)) {}
};

bool is_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const Rune rune = decode_rune(text, at);
    if (rune.value == 0xfffd && rune.size == 1) return false;
    at += rune.size;
  }
  return true;
}

template <std::size_t N>
bool is_one_of(std::string_view text, const std::array<std::string_view, N>& words) {
  return std::ranges::find(words, text) != words.end();
}

std::optional<Json> read_integer(std::string_view digits, bool negative, int base) {
  std::uint64_t value = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  if (digits.empty() || error != std::errc() || end != digits.data() + digits.size()) {
    return std::nullopt;
  }
  if (!negative) return Json(value);
  if (value > std::uint64_t{1} << 63) return std::nullopt;
  return Json(static_cast<std::int64_t>(~value + 1));
}

/// Parses YAML 1.1 numbers: decimal, 0x, 0b, octal with 0o or a leading 0, `_` between digits, and
/// floats.
std::optional<Json> read_number(std::string_view text) {
  // As in go-yaml, `_1` and `._1` are strings.
  if (text.starts_with('_') || (text.starts_with('.') && text.contains('_'))) return std::nullopt;
  std::string plain(text);
  std::erase(plain, '_');
  std::string_view digits = plain;
  const bool negative = digits.starts_with('-');
  if (negative || digits.starts_with('+')) digits.remove_prefix(1);
  if (digits.empty() ||
      !(digits.front() == '.' || (digits.front() >= '0' && digits.front() <= '9')))
    return std::nullopt;
  int base = 10;
  std::size_t skip = 0;
  if (digits.size() > 1 && digits.front() == '0') {
    const std::string_view mark = digits.substr(1, 1);
    base = mark == "x" || mark == "X" ? 16 : mark == "b" || mark == "B" ? 2 : 8;
    skip = base != 8 || mark == "o" || mark == "O" ? 2 : 1;
  }
  if (auto integer = read_integer(digits.substr(skip), negative, base)) return integer;
  if (skip == 2) return std::nullopt;
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return Json(negative ? -value : value);
}

Json read_plain(const std::string& text) {
  static constexpr std::array<std::string_view, 5> kNull = {"", "~", "null", "Null", "NULL"};
  static constexpr std::array<std::string_view, 11> kTrue = {
      "y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"};
  static constexpr std::array<std::string_view, 11> kFalse = {
      "n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"};
  if (is_one_of(text, kNull)) return nullptr;
  if (is_one_of(text, kTrue)) return true;
  if (is_one_of(text, kFalse)) return false;
  if (auto number = read_number(text)) return *std::move(number);
  return text;
}

std::string text_of(const yaml_char_t* text) {
  return text == nullptr ? std::string() : std::string(reinterpret_cast<const char*>(text));
}

/// Builds one document from the parser's events.
class Builder {
 public:
  explicit Builder(std::size_t most_values) : most_values_(most_values) {}

  void on(const yaml_event_t& event) {
    switch (event.type) {
      case YAML_ALIAS_EVENT: return alias(event);
      case YAML_SCALAR_EVENT: return scalar(event);
      case YAML_SEQUENCE_START_EVENT:
        return open(event.start_mark, text_of(event.data.sequence_start.anchor), Json::array());
      case YAML_MAPPING_START_EVENT:
        return open(event.start_mark, text_of(event.data.mapping_start.anchor), Json::object());
      case YAML_SEQUENCE_END_EVENT:
      case YAML_MAPPING_END_EVENT: return close();
      default: return;
    }
  }
  Json take() { return std::move(root_); }

 private:
  struct Open {
    Json value;
    std::optional<std::string> key;
    bool key_is_merge = false;
    /// The maps under `<<`. Their values are used for keys that the map itself does not have.
    std::vector<Json> merged;
    yaml_mark_t mark;
    std::string anchor;
    std::size_t values_before;
    std::size_t bytes_before;
  };
  struct Anchored {
    Json value;
    std::size_t values;
    std::size_t bytes;
  };

  void scalar(const yaml_event_t& event) {
    static constexpr std::string_view kCore = "tag:yaml.org,2002:";
    const auto& scalar = event.data.scalar;
    const std::string value(reinterpret_cast<const char*>(scalar.value), scalar.length);
    const std::string anchor = text_of(scalar.anchor);
    const std::string tag = text_of(scalar.tag);
    const std::string_view type =
        tag.starts_with(kCore) ? std::string_view(tag).substr(kCore.size()) : std::string_view(tag);
    count(event.start_mark, 1, value.size());
    const bool plain = type.empty()
                           ? scalar.plain_implicit != 0
                           : type == "int" || type == "float" || type == "bool" || type == "null";
    Json read = plain ? read_plain(value) : Json(value);
    if (type == "binary") {
      auto decoded = base64_decode(value);
      if (!decoded || !is_utf8(*decoded)) throw Refused(event.start_mark, "illegal base64 data");
      read = *std::move(decoded);
    }
    remember(anchor, read, 1, value.size());
    const std::string as_key = read.is_null() ? "null" : value;
    add(event.start_mark, std::move(read), as_key, plain);
  }
  void alias(const yaml_event_t& event) {
    const std::string name = text_of(event.data.alias.anchor);
    const auto found = anchored_.find(name);
    if (found == anchored_.end()) {
      const bool inside =
          std::ranges::any_of(stack_, [&](const Open& open) { return open.anchor == name; });
      throw Refused(event.start_mark, inside ? "an alias inside the value that it refers to"
                                             : fmt::format("unknown anchor '{}'", name));
    }
    const Anchored& source = found->second;
    count(event.start_mark, source.values, source.bytes);
    std::string key;  // empty for a map or list, which add() refuses as a key
    if (source.value.is_string()) {
      key = source.value.get<std::string>();
    } else if (!source.value.is_structured()) {
      key = source.value.dump();
    }
    add(event.start_mark, source.value, key, false);
  }
  void open(const yaml_mark_t& mark, std::string anchor, Json empty) {
    if (stack_.size() >= limits::kYamlDepth) throw Refused(mark, "nested too deeply");
    const bool is_key = !stack_.empty() && stack_.back().value.is_object() && !stack_.back().key;
    if (is_key) throw Refused(mark, "a map or list as the key of a map");
    stack_.push_back(
        {std::move(empty), std::nullopt, false, {}, mark, std::move(anchor), values_, bytes_});
    count(mark, 1, 0);
  }
  void close() {
    Open done = std::move(stack_.back());
    stack_.pop_back();
    merge(done);
    if (!done.anchor.empty()) {
      // The copy kept for aliases counts against the limits too.
      const std::size_t values = values_ - done.values_before;
      const std::size_t bytes = bytes_ - done.bytes_before;
      count(done.mark, values, bytes);
      remember(done.anchor, done.value, values, bytes);
    }
    add(done.mark, std::move(done.value), "", false);
  }
  void add(const yaml_mark_t& mark, Json value, const std::string& as_key, bool plain) {
    if (stack_.empty()) {
      root_ = std::move(value);
      return;
    }
    Open& parent = stack_.back();
    if (parent.value.is_array()) {
      parent.value.push_back(std::move(value));
    } else if (!parent.key) {
      if (value.is_structured()) throw Refused(mark, "a map or list as the key of a map");
      parent.key = as_key;
      parent.key_is_merge = plain && as_key == "<<";
    } else if (parent.key_is_merge) {
      parent.key.reset();
      if (value.is_object()) value = Json::array({std::move(value)});
      const bool maps = value.is_array() && std::ranges::all_of(value, [](const Json& item) {
                          return item.is_object();
                        });
      if (!maps) throw Refused(mark, "map merge requires map or sequence of maps as the value");
      for (Json& item : value) parent.merged.push_back(std::move(item));
    } else {
      parent.value[*parent.key] = std::move(value);
      parent.key.reset();
    }
  }
  static void merge(Open& map) {
    for (Json& source : map.merged) {
      for (auto& [key, value] : source.items()) {
        if (!map.value.contains(key)) map.value[key] = std::move(value);
      }
    }
  }
  void count(const yaml_mark_t& mark, std::size_t values, std::size_t bytes) {
    values_ += values;
    bytes_ += bytes;
    if (values_ > most_values_ || bytes_ > limits::kManifestBytes)
      throw Refused(mark, "the document is too large");
  }
  void remember(const std::string& anchor, const Json& value, std::size_t values,
                std::size_t bytes) {
    if (!anchor.empty()) anchored_[anchor] = {value, values, bytes};
  }

  const std::size_t most_values_;
  Json root_;
  std::vector<Open> stack_;
  std::map<std::string, Anchored> anchored_;
  std::size_t values_ = 0;
  std::size_t bytes_ = 0;
};

/// Reads the events of a text. The text must outlive the parser.
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {
    if (yaml_parser_initialize(&parser_) == 0) throw std::bad_alloc();
    yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(text.data()),
                                 text.size());
  }
  ~Parser() {
    yaml_event_delete(&event_);
    yaml_parser_delete(&parser_);
  }
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;

  /// Returns the next event, which is valid until the next call.
  const yaml_event_t& next() {
    yaml_event_delete(&event_);
    if (yaml_parser_parse(&parser_, &event_) == 0) {
      if (parser_.error == YAML_MEMORY_ERROR) throw std::bad_alloc();
      throw Refused(place_of_problem(), parser_.problem == nullptr ? "not YAML" : parser_.problem);
    }
    return event_;
  }

 private:
  /// Returns the position of the error. For bytes that are not valid text, libyaml reports only the
  /// offset, so the line is counted here.
  yaml_mark_t place_of_problem() const {
    if (parser_.error != YAML_READER_ERROR) return parser_.problem_mark;
    const std::string_view before = text_.substr(0, parser_.problem_offset);
    return {.index = before.size(),
            .line = static_cast<std::size_t>(std::ranges::count(before, '\n')),
            .column = 0};
  }

  const std::string_view text_;
  yaml_parser_t parser_{};
  yaml_event_t event_{};
};

/// Returns the next document; nullopt at the end.
std::optional<Json> next_document(Parser& parser, std::size_t most_values) {
  Builder builder(most_values);
  for (;;) {
    const yaml_event_t& event = parser.next();
    if (event.type == YAML_STREAM_END_EVENT) return std::nullopt;
    if (event.type == YAML_DOCUMENT_END_EVENT) return builder.take();
    builder.on(event);
  }
}

}  // namespace

Result<Json> parse_yaml(std::string_view text) {
  try {
    Parser parser(text);
    return next_document(parser, limits::kYamlValues).value_or(nullptr);
  } catch (const Refused& refused) {
    return fail(ErrorKind::usage, refused.what());
  }
}

Result<std::vector<Json>> parse_yaml_documents(std::string_view text) {
  try {
    Parser parser(text);
    std::vector<Json> documents;
    while (auto document = next_document(parser, limits::kManifestValues)) {
      documents.push_back(*std::move(document));
    }
    return documents;
  } catch (const Refused& refused) {
    return fail(ErrorKind::usage, refused.what());
  }
}

}  // namespace kinf
