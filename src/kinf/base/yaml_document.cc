// SPDX-License-Identifier: Apache-2.0
// Values are built while the parser reports them, never from its node tree: that tree costs some
// 300 bytes a value and follows aliases for ever.
#include "kinf/base/yaml_document.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "kinf/base/base64.h"
#include "kinf/base/unicode.h"

namespace kinf {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMaxDepth = 100;
constexpr std::size_t kMaxValues = 500'000;
constexpr std::size_t kMaxValuesOfManifest = 20 * kMaxValues;
constexpr std::size_t kMaxBytes = std::size_t{64} << 20;

/// Stays within this file.
class Refused : public std::runtime_error {
 public:
  Refused(const YAML::Mark& mark, const std::string& what)
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

/// YAML 1.1 numbers: decimal, 0x, 0b, 0o and leading-zero octal, `_` between digits, floats.
std::optional<Json> read_number(std::string_view text) {
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
    switch (digits[1]) {
      case 'x':
      case 'X':
        base = 16;
        skip = 2;
        break;
      case 'b':
      case 'B':
        base = 2;
        skip = 2;
        break;
      case 'o':
      case 'O':
        base = 8;
        skip = 2;
        break;
      default:
        base = 8;
        skip = 1;
    }
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

class Builder final : public YAML::EventHandler {
 public:
  explicit Builder(std::size_t most_values) : most_values_(most_values) {}
  Json take() { return std::move(root_); }

  /// Where the document begins; outside a document, anywhere.
  const YAML::Mark& begin() const { return begin_; }

  void OnDocumentStart(const YAML::Mark& mark) override { begin_ = mark; }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    count(mark, 1, 0);
    remember(anchor, nullptr, 1, 0);
    add(mark, nullptr, "null", true);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override;
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override;
  void OnSequenceStart(const YAML::Mark& mark, const std::string& /*tag*/, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value /*style*/) override {
    open(mark, anchor, Json::array());
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& /*tag*/, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value /*style*/) override {
    open(mark, anchor, Json::object());
  }
  void OnMapEnd() override { close(); }

 private:
  struct Open {
    Json value;
    std::optional<std::string> key;
    bool key_is_merge = false;
    std::vector<Json> merged;  ///< what `<<` brings in: for keys the map itself does not have
    YAML::Mark mark;
    YAML::anchor_t anchor;
    std::size_t values_before;
    std::size_t bytes_before;
  };
  struct Anchored {
    Json value;
    std::size_t values;
    std::size_t bytes;
  };

  void count(const YAML::Mark& mark, std::size_t values, std::size_t bytes) {
    values_ += values;
    bytes_ += bytes;
    if (values_ > most_values_ || bytes_ > kMaxBytes) throw Refused(mark, "too large a document");
  }
  void remember(YAML::anchor_t anchor, const Json& value, std::size_t values, std::size_t bytes) {
    if (anchor != 0) anchored_[anchor] = {value, values, bytes};
  }
  void open(const YAML::Mark& mark, YAML::anchor_t anchor, Json empty);
  void close();
  void add(const YAML::Mark& mark, Json value, const std::string& as_key, bool plain);
  static void merge(Open& map);

  const std::size_t most_values_;
  YAML::Mark begin_ = YAML::Mark::null_mark();
  Json root_;
  std::vector<Open> stack_;
  std::map<YAML::anchor_t, Anchored> anchored_;
  std::size_t values_ = 0;
  std::size_t bytes_ = 0;
};

void Builder::OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) {
  const auto found = anchored_.find(anchor);
  if (found == anchored_.end()) throw Refused(mark, "an alias inside what it stands for");
  const Anchored& source = found->second;
  count(mark, source.values, source.bytes);
  std::string key;  // a map or list is refused as a key, whatever its text
  if (source.value.is_string()) {
    key = source.value.get<std::string>();
  } else if (!source.value.is_structured()) {
    key = source.value.dump();
  }
  add(mark, source.value, key, false);
}

void Builder::OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       const std::string& value) {
  static constexpr std::string_view kCore = "tag:yaml.org,2002:";
  count(mark, 1, value.size());
  if (!is_utf8(value)) throw Refused(mark, "not UTF-8");
  const std::string_view type =
      tag.starts_with(kCore) ? std::string_view(tag).substr(kCore.size()) : std::string_view(tag);
  const bool plain =
      type == "?" || type == "int" || type == "float" || type == "bool" || type == "null";
  Json scalar = plain ? read_plain(value) : Json(value);
  if (type == "binary") {
    auto decoded = base64_decode(value);
    if (!decoded || !is_utf8(*decoded)) throw Refused(mark, "illegal base64 data");
    scalar = *std::move(decoded);
  }
  remember(anchor, scalar, 1, value.size());
  add(mark, std::move(scalar), value, plain);
}

void Builder::open(const YAML::Mark& mark, YAML::anchor_t anchor, Json empty) {
  if (stack_.size() >= kMaxDepth) throw Refused(mark, "nested too deeply");
  const bool is_key = !stack_.empty() && stack_.back().value.is_object() && !stack_.back().key;
  if (is_key) throw Refused(mark, "a map or list as the key of a map");
  stack_.push_back({std::move(empty), std::nullopt, false, {}, mark, anchor, values_, bytes_});
  count(mark, 1, 0);
}

void Builder::close() {
  Open done = std::move(stack_.back());
  stack_.pop_back();
  merge(done);
  if (done.anchor != 0) {
    // The copy kept for aliases costs as much as the value itself.
    const std::size_t values = values_ - done.values_before;
    const std::size_t bytes = bytes_ - done.bytes_before;
    count(done.mark, values, bytes);
    remember(done.anchor, done.value, values, bytes);
  }
  add(done.mark, std::move(done.value), "", false);
}

void Builder::add(const YAML::Mark& mark, Json value, const std::string& as_key, bool plain) {
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
    const bool maps = value.is_array() &&
                      std::ranges::all_of(value, [](const Json& item) { return item.is_object(); });
    if (!maps) throw Refused(mark, "map merge requires map or sequence of maps as the value");
    for (Json& item : value) parent.merged.push_back(std::move(item));
  } else {
    parent.value[*parent.key] = std::move(value);
    parent.key.reset();
  }
}

void Builder::merge(Open& map) {
  for (Json& source : map.merged) {
    for (auto& [key, value] : source.items()) {
      if (!map.value.contains(key)) map.value[key] = std::move(value);
    }
  }
}

/// `read` with the library's exceptions as errors.
template <class Read>
auto guarded(Read read) -> Result<decltype(read())> {
  try {
    return read();
  } catch (const Refused& refused) {
    return fail(ErrorKind::usage, refused.what());
  } catch (const YAML::Exception& error) {
    return fail(ErrorKind::usage, fmt::format("yaml: line {}: {}", error.mark.line + 1, error.msg));
  }
}

}  // namespace

Result<Json> parse_yaml(std::string_view text) {
  return guarded([&] {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    Builder builder(kMaxValues);
    parser.HandleNextDocument(builder);
    return builder.take();
  });
}

Result<std::vector<Json>> parse_yaml_documents(std::string_view text) {
  return guarded([&] {
    std::vector<Json> documents;
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    int last_begin = -1;
    for (;;) {
      Builder builder(kMaxValuesOfManifest);
      if (!parser.HandleNextDocument(builder)) return documents;
      // A stray "," or ":" begins an empty document, and another one, and never ends.
      if (builder.begin().pos == last_begin) throw Refused(builder.begin(), "a value is expected");
      last_begin = builder.begin().pos;
      documents.push_back(builder.take());
    }
  });
}

}  // namespace kinf
