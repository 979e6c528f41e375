// SPDX-License-Identifier: Apache-2.0
#include "kinf/query/jsonpath_syntax.h"

#include <fmt/format.h>

#include <charconv>

#include "kinf/base/ascii.h"
#include "kinf/base/limits.h"
#include "kinf/base/unicode.h"

namespace kinf::jsonpath {
namespace {

struct ParseError {
  std::string message;
};
using Status = std::optional<ParseError>;

ParseError error(std::string message) { return {std::move(message)}; }

bool is_end_of_line(char32_t rune) { return rune == '\r' || rune == '\n'; }

bool is_digit(char32_t rune) { return rune >= '0' && rune <= '9'; }

/// Returns whether `rune` ends a field or an identifier. The end of the text (size 0) does, too.
bool is_terminator(const Rune& rune) {
  if (rune.size == 0 || is_end_of_line(rune.value)) return true;
  return rune.value < 0x80 &&
         std::string_view(" \t.,[]$@{}").find(static_cast<char>(rune.value)) != std::string::npos;
}

/// Formats a character like Go's %#U: the code point, and the character itself if it is printable.
std::string describe(char32_t rune) {
  std::string text = fmt::format("U+{:04X}", static_cast<std::uint32_t>(rune));
  if (rune >= 0x20 && rune != 0x7F && !(rune >= 0x80 && rune < 0xA1)) {
    text += " '";
    append_utf8(text, rune);
    text += "'";
  }
  return text;
}

Node make(NodeType type, std::string text = {}) { return {.type = type, .text = std::move(text)}; }

/// Removes the double or single quotes of a string and decodes Go's escapes.
class Unquoter {
 public:
  explicit Unquoter(std::string_view quoted)
      : text_(quoted.substr(1, quoted.size() - 2)), quote_(quoted.front()) {}

  std::optional<std::string> run() {
    std::string out;
    while (at_ < text_.size()) {
      const char c = text_[at_++];
      if (c == quote_ || (c == '\\' && !escape(out))) return std::nullopt;
      if (c != '\\') out += c;
    }
    return out;
  }

 private:
  bool escape(std::string& out) {
    if (at_ == text_.size()) return false;
    const char c = text_[at_++];
    constexpr std::string_view kNames = "abfnrtv\\";
    constexpr std::string_view kValues = "\a\b\f\n\r\t\v\\";
    if (const auto simple = kNames.find(c); simple != std::string_view::npos) {
      out += kValues[simple];
      return true;
    }
    if (c == quote_) {
      out += c;
      return true;
    }
    if (c >= '0' && c <= '7') {
      --at_;
      const auto byte = digits(3, 8);
      if (!byte || *byte > 255) return false;
      out += static_cast<char>(*byte);
      return true;
    }
    if (c == 'x') {
      const auto byte = digits(2, 16);
      if (byte) out += static_cast<char>(*byte);
      return byte.has_value();
    }
    if (c != 'u' && c != 'U') return false;
    const auto rune = digits(c == 'u' ? 4 : 8, 16);
    if (!rune || *rune > 0x10FFFF || (*rune >= 0xD800 && *rune <= 0xDFFF)) return false;
    append_utf8(out, static_cast<char32_t>(*rune));
    return true;
  }

  std::optional<std::uint32_t> digits(std::size_t count, int base) {
    if (at_ + count > text_.size()) return std::nullopt;
    std::uint32_t value = 0;
    const char* begin = text_.data() + at_;
    const auto [end, failed] = std::from_chars(begin, begin + count, value, base);
    if (failed != std::errc{} || end != begin + count) return std::nullopt;
    at_ += count;
    return value;
  }

  std::string_view text_;
  char quote_;
  std::size_t at_ = 0;
};

std::optional<std::int64_t> parse_integer(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  return parse_number<std::int64_t>(text);
}

/// Parses `from:to:step`.
Status parse_slice(std::string_view text, Node& node) {
  const auto bad = [&] { return error(fmt::format("invalid array index {}", text)); };
  std::size_t part = 0;
  std::size_t at = 0;
  std::array<bool, 3> present{};
  while (true) {
    const std::size_t colon = std::min(text.find(':', at), text.size());
    const std::string_view number = text.substr(at, colon - at);
    const std::size_t sign = number.starts_with('-') ? 1 : 0;
    if (part == 3 || number.find_first_not_of("0123456789", sign) != std::string_view::npos) {
      return bad();
    }
    present[part] = true;
    if (!number.empty()) {
      const auto value = parse_integer(number);
      if (!value) return error(fmt::format("array index {} is not a number", number));
      node.slice[part] = {*value, true, false};
    }
    ++part;
    if (colon == text.size()) break;
    at = colon + 1;
  }
  if (!present[1]) node.slice[1] = {node.slice[0].value + 1, true, true};
  return std::nullopt;
}

class Parser {
 public:
  Parser(std::string_view input, int depth, Dialect dialect)
      : input_(input), depth_(depth), dialect_(dialect) {}

  Status parse(std::vector<Node>& top) {
    if (depth_ > limits::kExpressionDepth) return error("filters nested too deep");
    while (at_ < input_.size()) {
      const std::size_t brace = std::min(input_.find('{', at_), input_.size());
      if (brace > at_) {
        top.push_back(make(NodeType::text, std::string(input_.substr(at_, brace - at_))));
      }
      at_ = brace;
      if (at_ == input_.size()) break;
      ++at_;
      Node action;
      if (Status failed = parse_action(action.children)) return failed;
      top.push_back(std::move(action));
    }
    return std::nullopt;
  }

 private:
  /// Parses the steps of an action, up to and including its closing brace.
  Status parse_action(std::vector<Node>& nodes) {
    while (true) {
      if (rest().starts_with('}')) {
        ++at_;
        return std::nullopt;
      }
      if (Status failed = parse_step(nodes)) return failed;
    }
  }

  Status parse_step(std::vector<Node>& nodes) {
    if (rest().starts_with("[?(")) return parse_filter(nodes);
    if (rest().starts_with("..")) return parse_recursive(nodes);
    const Rune rune = decode_rune(input_, at_);
    if (rune.size == 0 || is_end_of_line(rune.value)) return error("unclosed action");
    switch (rune.value) {
      case ' ':
      case '@':
      case '$': ++at_; return std::nullopt;
      case '[': return parse_array(nodes);
      case '"':
      case '\'': return parse_quoted(nodes, static_cast<char>(rune.value));
      case '.':
        ++at_;
        parse_field(nodes);
        return std::nullopt;
      default: break;
    }
    if (rune.value == '+' || rune.value == '-' || is_digit(rune.value)) return parse_number(nodes);
    if (is_word_rune(rune.value)) {
      parse_identifier(nodes);
      return std::nullopt;
    }
    return error("unrecognized character in action: " + describe(rune.value));
  }

  Status parse_recursive(std::vector<Node>& nodes) {
    if (!nodes.empty() && nodes.back().type == NodeType::recursive) {
      return error("invalid multiple recursive descent");
    }
    at_ += 2;
    nodes.push_back(make(NodeType::recursive));
    const Rune next = decode_rune(input_, at_);
    if (next.size > 0 && is_word_rune(next.value)) parse_field(nodes);
    return std::nullopt;
  }

  /// Parses a name up to a terminator. A backslash escapes the next character.
  void parse_field(std::vector<Node>& nodes) {
    std::string name;
    bool plain_star = true;
    for (Rune rune = decode_rune(input_, at_); !is_terminator(rune);
         rune = decode_rune(input_, at_)) {
      if (rune.value == '\\') {
        plain_star = false;
        at_ += rune.size;
        rune = decode_rune(input_, at_);
        if (rune.size == 0) break;
        if (rune.value == '\\') {
          at_ += rune.size;
          continue;
        }
      }
      name += input_.substr(at_, rune.size);
      at_ += rune.size;
    }
    nodes.push_back(plain_star && name == "*" ? make(NodeType::wildcard)
                                              : make(NodeType::field, std::move(name)));
  }

  void parse_identifier(std::vector<Node>& nodes) {
    const std::size_t start = at_;
    for (Rune rune = decode_rune(input_, at_); !is_terminator(rune);
         rune = decode_rune(input_, at_)) {
      at_ += rune.size;
    }
    std::string word(input_.substr(start, at_ - start));
    if (word != "true" && word != "false") {
      nodes.push_back(make(NodeType::identifier, std::move(word)));
      return;
    }
    nodes.push_back(make(NodeType::boolean));
    nodes.back().integer = word == "true" ? 1 : 0;
  }

  Status parse_number(std::vector<Node>& nodes) {
    const std::size_t start = at_;
    at_ = input_.find_first_not_of("0123456789.", at_ + 1);
    if (at_ == std::string_view::npos) at_ = input_.size();
    const std::string text(input_.substr(start, at_ - start));
    if (const auto integer = parse_integer(text)) {
      nodes.push_back(make(NodeType::integer));
      nodes.back().integer = *integer;
      return std::nullopt;
    }
    const auto value =
        kinf::parse_number<double>(std::string_view(text).substr(text.front() == '+' ? 1 : 0));
    if (!value) return error(fmt::format("cannot parse number {}", text));
    nodes.push_back(make(NodeType::number));
    nodes.back().number = *value;
    return std::nullopt;
  }

  Status parse_quoted(std::vector<Node>& nodes, char quote) {
    const std::size_t start = at_++;
    while (true) {
      if (at_ == input_.size() || input_[at_] == '\n') return error("unterminated quoted string");
      const char c = input_[at_++];
      if (c == quote && input_[at_ - 2] != '\\') break;
    }
    const std::string_view quoted = input_.substr(start, at_ - start);
    auto text = Unquoter(quoted).run();
    if (!text) return error(fmt::format("unquote string {} error invalid syntax", quoted));
    nodes.push_back(make(NodeType::text, std::move(*text)));
    return std::nullopt;
  }

  Status parse_array(std::vector<Node>& nodes) {
    const std::size_t start = ++at_;
    at_ = input_.find_first_of("]\n", at_);
    if (at_ == std::string_view::npos || input_[at_] == '\n') return error("unterminated array");
    std::string_view text = input_.substr(start, at_++ - start);
    if (text == "*") text = ":";
    if (text.find(',') != std::string_view::npos) return parse_union(nodes, text);
    const bool quoted = text.size() >= 2 && text.front() == '\'' && text.back() == '\'' &&
                        text.substr(1, text.size() - 2).find('\'') == std::string_view::npos;
    if (quoted) {
      Node action;
      const std::string path = fmt::format(".{}", text.substr(1, text.size() - 2));
      if (Status failed = parse_nested(path, action)) return failed;
      for (Node& node : action.children) nodes.push_back(std::move(node));
      return std::nullopt;
    }
    nodes.push_back(make(NodeType::array));
    return parse_slice(text, nodes.back());
  }

  Status parse_union(std::vector<Node>& nodes, std::string_view text) {
    Node node = make(NodeType::union_of);
    for (std::size_t at = 0; at <= text.size();) {
      const std::size_t comma = std::min(text.find(',', at), text.size());
      std::string_view part = text.substr(at, comma - at);
      while (part.starts_with(' ')) part.remove_prefix(1);
      while (part.ends_with(' ')) part.remove_suffix(1);
      Node& child = node.children.emplace_back();
      if (Status failed = parse_nested(fmt::format("[{}]", part), child)) return failed;
      at = comma + 1;
    }
    nodes.push_back(std::move(node));
    return std::nullopt;
  }

  Status parse_filter(std::vector<Node>& nodes) {
    at_ += 3;
    Node node;
    const auto body = filter_body(rest());
    if (dialect_ == Dialect::kinf && body && is_extended_filter(*body)) {
      at_ += body->size() + 1;
      if (Status failed = parse_condition(*body, node, depth_)) return failed;
    } else {
      const std::size_t start = at_;
      if (Status failed = skip_filter()) return failed;
      if (Status failed = parse_comparison(input_.substr(start, at_ - 1 - start), node)) {
        return failed;
      }
    }
    if (at_ == input_.size() || input_[at_++] != ']') return error("unclosed array expect ]");
    nodes.push_back(std::move(node));
    return std::nullopt;
  }

  /// Parses a filter of kinf's dialect. `!` binds tighter than `&&`, and `&&` tighter than `||`.
  Status parse_condition(std::string_view text, Node& node, int depth) {
    if (depth > limits::kExpressionDepth) return error("filters nested too deep");
    text = trimmed(text);
    node = make(NodeType::filter);
    for (const std::string_view word : {std::string_view("||"), std::string_view("&&")}) {
      const auto parts = split_filter(text, word);
      if (!parts) continue;
      node.text = word;
      node.children.resize(2);
      if (Status failed = parse_condition(parts->first, node.children[0], depth + 1)) return failed;
      return parse_condition(parts->second, node.children[1], depth + 1);
    }
    if (text.starts_with('!') && !text.starts_with("!=")) {
      node.text = "!";
      node.children.resize(1);
      return parse_condition(text.substr(1), node.children[0], depth + 1);
    }
    if (is_in_parentheses(text)) {
      return parse_condition(text.substr(1, text.size() - 2), node, depth + 1);
    }
    if (text.empty()) return error("a side of a filter's operator is empty");
    const auto sides = split_filter(text, "=~");
    return sides ? parse_match(sides->first, trimmed(sides->second), node)
                 : parse_comparison(text, node);
  }

  /// Parses `left =~ "pattern"` or `left =~ /pattern/i`.
  Status parse_match(std::string_view left, std::string_view right, Node& node) {
    const bool ignore_case = right.starts_with('/') && right.ends_with("/i");
    if (ignore_case) right.remove_suffix(1);
    const bool is_quoted = right.size() >= 2 && right.front() == right.back() &&
                           std::string_view("/\"'").find(right.front()) != std::string_view::npos;
    if (!is_quoted) {
      return error(fmt::format("=~ needs a regular expression in quotes, not {}", right));
    }
    Result<TextPattern> pattern =
        TextPattern::parse(right.substr(1, right.size() - 2), ignore_case);
    if (!pattern) return error(pattern.error().message);
    node.text = "=~";
    node.pattern = *std::move(pattern);
    node.children.resize(1);
    return parse_nested(left, node.children[0]);
  }

  Status parse_comparison(std::string_view text, Node& node) {
    node = make(NodeType::filter, "exists");
    node.children.resize(2);
    // The operator is the first sequence of the characters !<>= that has text on both sides.
    const std::size_t from = text.find_first_of("!<>=");
    std::size_t to = from == std::string_view::npos ? from : text.find_first_not_of("!<>=", from);
    if (from != std::string_view::npos && to == std::string_view::npos) to = text.size() - 1;
    if (from == std::string_view::npos || from == 0 || to <= from) {
      return parse_nested(text, node.children[0]);
    }
    node.text = text.substr(from, to - from);
    if (Status failed = parse_nested(text.substr(0, from), node.children[0])) return failed;
    return parse_nested(text.substr(to), node.children[1]);
  }

  /// Skips to the end of the filter. Ignores parentheses in quoted strings.
  Status skip_filter() {
    bool begun = false;
    bool ended = false;
    char pair = 0;
    while (at_ < input_.size() && input_[at_] != '\n') {
      const char c = input_[at_++];
      if (c == ')' && begun == ended) return std::nullopt;
      if (c != '"' && c != '\'') continue;
      if (!begun) {
        begun = true;
        pair = c;
      } else if (c == pair && input_[at_ - 2] != '\\') {
        ended = true;
      }
    }
    return error("unterminated filter");
  }

  /// Parses `text` as the contents of an action in braces, and stores the action in `action`.
  Status parse_nested(std::string_view text, Node& action) {
    std::vector<Node> top;
    const std::string wrapped = fmt::format("{{{}}}", text);
    if (Status failed = Parser(wrapped, depth_ + 1, dialect_).parse(top)) return failed;
    action = std::move(top.front());
    return std::nullopt;
  }

  std::string_view rest() const { return input_.substr(at_); }

  std::string_view input_;
  std::size_t at_ = 0;
  int depth_;
  Dialect dialect_;
};

}  // namespace

Result<std::vector<Node>> parse_jsonpath(std::string_view text, Dialect dialect) {
  std::vector<Node> top;
  if (Status failed = Parser(text, 0, dialect).parse(top)) {
    return fail(ErrorKind::usage, std::move(failed->message));
  }
  return top;
}

}  // namespace kinf::jsonpath
