// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/json_tree.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "kinf/api/json_scan.h"
#include "kinf/base/json_string.h"
#include "kinf/base/limits.h"

namespace kinf {
namespace {

bool is_scalar_character(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
         c == '+' || c == '.';
}

bool is_scalar(std::string_view text) {
  if (text.empty()) return false;
  if (text == "true" || text == "false" || text == "null") return true;
  const char first = text.front() == '-' && text.size() > 1 ? text[1] : text.front();
  return first >= '0' && first <= '9';
}

constexpr std::size_t kIndent = 4;

}  // namespace

/// Parses the text in one pass, without recursion.
class JsonTree::Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Result<std::vector<Node>> run() {
    do {
      skip_blanks();
      if (open_.size() > limits::kPrintedDepth) return damaged("the nesting is too deep");
      if (const auto problem = open_.empty() ? value({}) : member()) return damaged(*problem);
    } while (!open_.empty());
    skip_blanks();
    if (at_ != text_.size()) return damaged("unexpected text after the document");
    return std::move(nodes_);
  }

 private:
  using Problem = std::optional<std::string_view>;

  std::unexpected<Error> damaged(std::string_view problem) const {
    return fail(ErrorKind::protocol, "invalid JSON at byte {}: {}", at_, problem);
  }

  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  void skip_blanks() {
    while (at_ < text_.size() && is_json_blank(text_[at_])) ++at_;
  }

  /// Parses one member or element of the innermost open container, or the end of the container.
  Problem member() {
    const bool in_object = nodes_[open_.back()].kind == Kind::object;
    if (peek() == (in_object ? '}' : ']')) {
      ++at_;
      return close();
    }
    if (nodes_.size() > open_.back() + 1) {
      if (peek() != ',') return "missing comma";
      ++at_;
      skip_blanks();
    }
    std::string_view key;
    if (in_object) {
      if (peek() != '"') return "missing key";
      if (const Problem problem = string(key)) return problem;
      skip_blanks();
      if (peek() != ':') return "missing colon";
      ++at_;
      skip_blanks();
    }
    return value(key);
  }

  Problem value(std::string_view key) {
    Node node;
    node.key = key;
    const std::size_t begin = at_;
    const char first = peek();
    if (first == '{' || first == '[') {
      node.kind = first == '{' ? Kind::object : Kind::array;
      node.text = text_.substr(begin);  // close() sets the correct length
      ++at_;
      open_.push_back(nodes_.size());
      nodes_.push_back(node);
      return {};
    }
    if (first == '"') {
      node.kind = Kind::string;
      if (const Problem problem = string(node.text)) return problem;
    } else {
      while (at_ < text_.size() && is_scalar_character(text_[at_])) ++at_;
      node.text = text_.substr(begin, at_ - begin);
      if (!is_scalar(node.text)) return "missing value";
    }
    node.end = static_cast<std::uint32_t>(nodes_.size() + 1);
    nodes_.push_back(node);
    return {};
  }

  Problem close() {
    Node& node = nodes_[open_.back()];
    const auto begin = static_cast<std::size_t>(node.text.data() - text_.data());
    node.text = text_.substr(begin, at_ - begin);
    node.end = static_cast<std::uint32_t>(nodes_.size());
    open_.pop_back();
    return {};
  }

  Problem string(std::string_view& out) {
    const std::size_t begin = at_;
    do {
      const std::size_t quote = text_.find('"', at_ + 1);
      if (quote == std::string_view::npos) {
        at_ = text_.size();
        return "unterminated string";
      }
      at_ = quote;
    } while (is_escaped(begin));
    ++at_;
    out = text_.substr(begin, at_ - begin);
    return {};
  }

  /// Returns whether the quote at `at_` is escaped, that is, whether it follows an odd number of
  /// backslashes. `begin` is the start of the string.
  bool is_escaped(std::size_t begin) const {
    std::size_t backslashes = 0;
    while (at_ - backslashes - 1 > begin && text_[at_ - backslashes - 1] == '\\') ++backslashes;
    return backslashes % 2 == 1;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<Node> nodes_;
  std::vector<std::size_t> open_;
};

Result<JsonTree> JsonTree::parse(std::string_view text) {
  if (text.size() >= UINT32_MAX)
    return fail(ErrorKind::protocol, "the JSON document is larger than 4 GiB");
  Result<std::vector<Node>> nodes = Parser(text).run();
  if (!nodes) return fail(nodes);
  JsonTree tree;
  tree.nodes_ = *std::move(nodes);
  return tree;
}

std::vector<const JsonTree::Node*> JsonTree::children(const Node& node) const {
  const std::uint32_t first = index_of(node) + 1;
  std::size_t count = 0;
  for (std::uint32_t at = first; at < node.end; at = nodes_[at].end) ++count;
  std::vector<const Node*> result;
  result.reserve(count);
  for (std::uint32_t at = first; at < node.end; at = nodes_[at].end) result.push_back(&nodes_[at]);
  return result;
}

std::vector<const JsonTree::Node*> JsonTree::sorted_children(const Node& node) const {
  std::vector<const Node*> result = children(node);
  if (node.kind == Kind::object) {
    // Members with equal keys stay in document order, which is the order of their addresses.
    std::ranges::sort(result, {}, [](const Node* child) {
      return std::pair(child->key.substr(1, child->key.size() - 2), child);
    });
  }
  return result;
}

void append_one_line(std::string& out, std::string_view json) {
  bool has_control = false;  // no early exit, so that the compiler vectorizes the loop
  for (const char c : json) has_control |= static_cast<unsigned char>(c) < 0x20;
  if (!has_control) {
    out += json;
    return;
  }
  bool in_string = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (in_string && c == '\\' && i + 1 < json.size()) {
      const char escaped = json[++i];
      out += c;
      if (static_cast<unsigned char>(escaped) >= 0x20) out += escaped;
    } else if (c == '"') {
      in_string = !in_string;
      out += c;
    } else if (in_string) {
      append_json_escaped(out, c);
    } else if (static_cast<unsigned char>(c) > 0x20) {
      out += c;
    }
  }
}

void append_indented(std::string& out, const JsonTree& tree, const JsonTree::Node& node,
                     std::size_t depth) {
  using Kind = JsonTree::Kind;
  if (node.kind == Kind::string || node.kind == Kind::scalar) {
    append_one_line(out, node.text);
    return;
  }
  const bool is_object = node.kind == Kind::object;
  if (tree.is_empty(node)) {
    out += is_object ? "{}" : "[]";
    return;
  }
  char separator = is_object ? '{' : '[';
  for (const JsonTree::Node* child : tree.sorted_children(node)) {
    out += separator;
    separator = ',';
    out += '\n';
    out.append((depth + 1) * kIndent, ' ');
    if (is_object) {
      append_one_line(out, child->key);
      out += ": ";
    }
    append_indented(out, tree, *child, depth + 1);
  }
  out += '\n';
  out.append(depth * kIndent, ' ');
  out += is_object ? '}' : ']';
}

}  // namespace kinf
