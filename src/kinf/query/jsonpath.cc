// SPDX-License-Identifier: Apache-2.0
// Evaluates a template. Each node maps a list of values to a list of values. A failed node returns
// values, too, because an existence filter such as `[?(@.x)]` uses them despite the error.
#include "kinf/query/jsonpath.h"

#include <fmt/format.h>

#include <compare>
#include <deque>
#include <nlohmann/json.hpp>
#include <optional>

#include "kinf/base/limits.h"
#include "kinf/query/go_text.h"
#include "kinf/query/jsonpath_scope.h"

namespace kinf {
namespace {

using Json = nlohmann::json;
using jsonpath::Node;
using jsonpath::NodeType;

/// Pointers to values of the document or to literals. A null pointer means "no value", as in the
/// body of an empty range.
using Values = std::vector<const Json*>;

/// The maximum depth to which `..` descends in a document.
constexpr int kDeepest = 1000;

struct Walked {
  Values values;
  std::optional<std::string> error;
};

Walked failed(Values values, std::string error) { return {std::move(values), std::move(error)}; }

bool is_null(const Json* value) { return value == nullptr || value->is_null(); }

class Walk {
 public:
  Walk(const std::vector<Node>& nodes, const JsonPathOptions& options)
      : nodes_(nodes), options_(options) {}

  Result<std::string> run(const Json& document) {
    std::vector<Values> results;
    if (const auto error = find(0, &document, results)) return fail(ErrorKind::usage, *error);
    std::string out;
    for (const Values& values : results) print(values, out);
    return out;
  }

  Result<std::vector<Json>> copies(const Json& document) {
    const Result<Values> values = all(document);
    if (!values) return fail(values);
    std::vector<Json> copies;
    for (const Json* value : *values) copies.push_back(value == nullptr ? Json() : *value);
    return copies;
  }

  Result<std::vector<std::string>> texts(const Json& document, JsonPath::Structured structured) {
    const Result<Values> values = all(document);
    if (!values) return fail(values);
    std::vector<std::string> texts;
    for (const Json* value : *values) {
      if (structured == JsonPath::Structured::as_go) {
        texts.push_back(value == nullptr ? "<nil>" : go_text(*value));
      } else if (!is_null(value)) {
        texts.push_back(text_of(*value));
      }
    }
    return texts;
  }

 private:
  using Failure = std::optional<std::string>;

  /// Returns the values of all actions, one after the other.
  Result<Values> all(const Json& document) {
    std::vector<Values> results;
    if (const auto error = find(0, &document, results)) return fail(ErrorKind::usage, *error);
    Values values;
    for (const Values& some : results) values.insert(values.end(), some.begin(), some.end());
    return values;
  }

  /// Applies the nodes from index `begin` on, up to the end of the enclosing range, to `root`.
  Failure find(std::size_t begin, const Json* root, std::vector<Values>& results) {
    for (std::size_t i = begin; i < nodes_.size(); ++i) {
      Walked walked = walk({root}, nodes_[i]);
      if (walked.error) return walked.error;
      if (ends_ > 0 && ends_ <= ranges_) {
        --ends_;
        last_end_ = i;
        return std::nullopt;
      }
      if (begins_ == 0) {
        results.push_back(std::move(walked.values));
        continue;
      }
      --begins_;
      if (Failure error = repeat(i + 1, walked.values, results)) return error;
      if (last_end_ > i) i = last_end_;
    }
    return std::nullopt;
  }

  /// Runs the body of a range once per value. If there are no values, runs it once without output
  /// to find the end of the range. As in Go, null is "no value" inside the body.
  Failure repeat(std::size_t body, const Values& values, std::vector<Values>& results) {
    if (++ranges_ > limits::kExpressionDepth) return "ranges nested too deep";
    for (const Json* value : values) {
      const Json* root = is_null(value) ? nullptr : value;
      if (Failure error = find(body, root, results)) return error;
    }
    if (values.empty()) {
      std::vector<Values> unseen;
      if (Failure error = find(body, nullptr, unseen)) return error;
    }
    --ranges_;
    return std::nullopt;
  }

  Walked walk(const Values& input, const Node& node) {
    switch (node.type) {
      case NodeType::list: return walk_list(input, node);
      case NodeType::text: return {{literal(node.text)}, {}};
      case NodeType::field: return walk_field(input, node);
      case NodeType::array: return walk_array(input, node);
      case NodeType::filter: return walk_filter(input, node);
      case NodeType::integer: return literals(input, node.integer);
      case NodeType::number: return literals(input, node.number);
      case NodeType::boolean: return literals(input, node.integer != 0);
      case NodeType::wildcard: return walk_wildcard(input);
      case NodeType::recursive: return walk_recursive(input, 0);
      case NodeType::union_of: return walk_union(input, node);
      case NodeType::identifier: return walk_identifier(input, node);
    }
    return {};
  }

  const Json* literal(Json value) { return &literals_.emplace_back(std::move(value)); }

  Walked literals(const Values& input, const Json& value) {
    return {Values(input.size(), literal(value)), {}};
  }

  Walked walk_list(const Values& input, const Node& node) {
    Walked current{input, {}};
    for (const Node& child : node.children) {
      current = walk(current.values, child);
      if (current.error) break;
    }
    return current;
  }

  Walked walk_identifier(const Values& input, const Node& node) {
    if (node.text == "range") {
      ++begins_;
      return {input, {}};
    }
    if (node.text != "end") return failed(input, "unrecognized identifier " + node.text);
    if (ranges_ == 0) return failed({}, "not in range, nothing to end");
    ++ends_;
    return {};
  }

  Walked walk_field(const Values& input, const Node& node) {
    Values results;
    for (const Json* value : input) {
      if (value == nullptr || !value->is_object()) continue;
      const auto member = value->find(node.text);
      if (member != value->end()) results.push_back(&*member);
    }
    if (results.empty() && !input.empty() && !options_.allow_missing_keys) {
      return failed({}, node.text + " is not found");
    }
    return {std::move(results), {}};
  }

  /// Computes the bounds of a slice of a list with `length` elements. Fails if they are out of
  /// range.
  static Failure resolve(const Node& node, std::int64_t length, std::int64_t& from,
                         std::int64_t& to) {
    from = node.slice[0].known ? node.slice[0].value : 0;
    if (from < 0) from += length;
    to = node.slice[1].known ? node.slice[1].value : length;
    if (to < 0 || (to == 0 && node.slice[1].derived)) to += length;
    if (from == to) return std::nullopt;
    const auto out_of_bounds = [&](std::int64_t index) {
      return fmt::format("array index out of bounds: index {}, length {}", index, length);
    };
    if (from < 0 || from >= length) return out_of_bounds(from);
    if (to < 0 || to > length) return out_of_bounds(to - 1);
    if (from > to) {
      return fmt::format("starting index {} is greater than ending index {}", from, to);
    }
    return std::nullopt;
  }

  static Walked walk_array(const Values& input, const Node& node) {
    Values results;
    for (const Json* value : input) {
      if (is_null(value)) continue;
      if (!value->is_array()) return failed(input, go_type(*value) + " is not array or slice");
      std::int64_t from = 0;
      std::int64_t to = 0;
      if (Failure error = resolve(node, static_cast<std::int64_t>(value->size()), from, to)) {
        return failed(input, std::move(*error));
      }
      if (from == to) return {std::move(results), {}};
      const std::int64_t step = node.slice[2].known ? node.slice[2].value : 1;
      if (step <= 0) return failed(input, "step must be > 0");
      for (std::int64_t i = from; i < to; i += step) {
        results.push_back(&(*value)[static_cast<std::size_t>(i)]);
        if (step > to) break;  // the next `i` would be beyond `to`, and could overflow
      }
    }
    return {std::move(results), {}};
  }

  Walked walk_union(const Values& input, const Node& node) {
    Values results;
    for (const Node& child : node.children) {
      Walked part = walk_list(input, child);
      if (part.error) return failed(input, std::move(*part.error));
      results.insert(results.end(), part.values.begin(), part.values.end());
    }
    return {std::move(results), {}};
  }

  /// Adds the children of a value: members, elements and, as in Go, the bytes of a string.
  void add_inside(const Json& value, Values& results) {
    if (value.is_string()) {
      for (const char byte : value.get_ref<const std::string&>()) {
        results.push_back(literal(static_cast<unsigned char>(byte)));
      }
    } else if (value.is_structured()) {
      for (const Json& inside : value) results.push_back(&inside);
    }
  }

  Walked walk_wildcard(const Values& input) {
    Walked walked;
    for (const Json* value : input) {
      if (!is_null(value)) add_inside(*value, walked.values);
    }
    return walked;
  }

  Walked walk_recursive(const Values& input, int depth) {
    Values results;
    for (const Json* value : input) {
      if (is_null(value)) continue;
      Values inside;
      add_inside(*value, inside);
      if (inside.empty()) continue;
      results.push_back(value);
      if (depth == kDeepest) return failed(results, "document nested too deep for ..");
      Walked below = walk_recursive(inside, depth + 1);
      results.insert(results.end(), below.values.begin(), below.values.end());
      if (below.error) return failed(std::move(results), std::move(*below.error));
    }
    return {std::move(results), {}};
  }

  Walked walk_filter(const Values& input, const Node& node) {
    Values results;
    for (const Json* list : input) {
      if (list == nullptr || !list->is_array()) {
        const std::string text = list == nullptr ? "<nil>" : go_text(*list);
        return failed(input, text + " is not array or slice and cannot be filtered");
      }
      for (const Json& item : *list) {
        Tested tested = test(node, item);
        if (tested.error) {
          return failed(tested.compared ? results : input, std::move(*tested.error));
        }
        if (tested.holds) results.push_back(&item);
      }
    }
    return {std::move(results), {}};
  }

  struct Tested {
    bool holds = false;
    Failure error;
    bool compared = false;  ///< true if `error` is from comparing values, not from finding them
  };

  static Tested held(bool holds) { return {holds, std::nullopt, false}; }
  static Tested failed_test(Failure error) { return {false, std::move(error), false}; }

  /// Tests whether `item` satisfies a filter.
  Tested test(const Node& filter, const Json& item) {
    const std::vector<Node>& parts = filter.children;
    if (filter.text == "&&" || filter.text == "||") {
      Tested left = test(parts[0], item);
      return left.error || left.holds != (filter.text == "&&") ? left : test(parts[1], item);
    }
    if (filter.text == "!" && parts.size() == 1) {  // `a ! b` has two parts and is an error
      Tested inner = test(parts[0], item);
      inner.holds = !inner.holds;
      return inner;
    }
    const Walked left = walk_list({&item}, parts[0]);
    if (filter.text == "exists") return held(!left.values.empty());
    if (left.error) return failed_test(left.error);
    return filter.pattern ? matches(*filter.pattern, left.values)
                          : test_values(filter, left.values, item);
  }

  static Tested matches(const TextPattern& pattern, const Values& values) {
    for (const Json* const value : values) {
      if (value == nullptr || !value->is_string()) continue;
      const Result<bool> found = pattern.is_in(value->get_ref<const std::string&>());
      if (!found) return failed_test(found.error().message);
      if (*found) return held(true);
    }
    return held(false);
  }

  Tested test_values(const Node& filter, const Values& left, const Json& item) {
    if (left.empty()) return {};
    if (left.size() > 1) return failed_test("can only compare one element at a time");
    const Walked right = walk_list({&item}, filter.children[1]);
    if (right.error) return failed_test(right.error);
    if (right.values.empty()) return {};
    if (right.values.size() > 1) return failed_test("can only compare one element at a time");
    Tested tested;
    tested.compared = true;
    tested.error = compare(filter.text, left[0], right.values[0], tested.holds);
    return tested;
  }

  enum class Kind { boolean, integer, number, string, other };

  static Kind kind_of(const Json* value) {
    if (value == nullptr) return Kind::other;
    if (value->is_boolean()) return Kind::boolean;
    if (value->is_string()) return Kind::string;
    if (!value->is_number()) return Kind::other;
    return go_type(*value) == "int64" ? Kind::integer : Kind::number;
  }

  /// Compares two values of the same type, booleans only for equality. Fails for other values.
  static Failure compare(const std::string& op, const Json* left, const Json* right, bool& holds) {
    const bool equality = op == "==" || op == "!=";
    if (!equality && op != "<" && op != ">" && op != "<=" && op != ">=") {
      return "unrecognized filter operator " + op;
    }
    const Kind kind = kind_of(left);
    const Kind other = kind_of(right);
    if (kind == Kind::other || other == Kind::other) return "invalid type for comparison";
    if (kind != other) return "incompatible types for comparison";
    if (kind == Kind::boolean && !equality) return "invalid type for comparison";
    const std::partial_ordering order =
        kind == Kind::boolean   ? left->get<bool>() <=> right->get<bool>()
        : kind == Kind::integer ? left->get<std::int64_t>() <=> right->get<std::int64_t>()
        : kind == Kind::number
            ? left->get<double>() <=> right->get<double>()
            : left->get_ref<const std::string&>() <=> right->get_ref<const std::string&>();
    if (equality) {
      holds = (order == 0) == (op == "==");
    } else {
      holds = order == 0 ? op.size() == 2 : (order < 0) == (op[0] == '<');
    }
    return std::nullopt;
  }

  void print(const Values& values, std::string& out) const {
    if (options_.json_output) {
      Json list = Json::array();
      for (const Json* value : values) list.push_back(value == nullptr ? Json() : *value);
      out += go_json(list, true) + "\n";
      return;
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i > 0) out += ' ';
      const Json* value = values[i];
      out += value == nullptr ? "<no value>" : value->is_null() ? "null" : text_of(*value);
    }
  }

  static std::string text_of(const Json& value) {
    return value.is_structured() ? go_json(value) : go_text(value);
  }

  const std::vector<Node>& nodes_;
  const JsonPathOptions& options_;
  std::deque<Json> literals_;
  int begins_ = 0;            ///< the number of `range` nodes that were read but not yet entered
  int ranges_ = 0;            ///< the number of nested ranges whose body is running
  int ends_ = 0;              ///< the number of `end` nodes that were read but not yet applied
  std::size_t last_end_ = 0;  ///< the index of the last `end` node that was applied
};

/// Builds a document from the events of Json::sax_parse(), because Json::parse() with a callback,
/// which could also limit the depth, takes quadratic time for a list of objects. If several members
/// have the same key, keeps the last.
class DocumentParser {
 public:
  Json document;

  bool null() { return add(nullptr); }
  bool boolean(bool value) { return add(value); }
  bool number_integer(Json::number_integer_t value) { return add(value); }
  bool number_unsigned(Json::number_unsigned_t value) { return add(value); }
  bool number_float(Json::number_float_t value, const std::string& /*text*/) { return add(value); }
  bool string(std::string& value) { return add(std::move(value)); }
  bool binary(Json::binary_t& /*value*/) { return false; }  // does not occur in JSON text
  bool start_object(std::size_t /*size*/) { return open(Json::value_t::object); }
  bool start_array(std::size_t /*size*/) { return open(Json::value_t::array); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool key(std::string& name) {
    key_ = std::move(name);
    return true;
  }
  bool parse_error(std::size_t /*position*/, const std::string& /*token*/,
                   const Json::exception& /*error*/) {
    return false;
  }

 private:
  /// Returns the place of the next value; null if the value is too deep.
  Json* place() {
    if (open_.empty()) return &document;
    if (open_.size() == limits::kPrintedDepth) return nullptr;
    Json& outer = *open_.back();
    return outer.is_object() ? &outer[std::move(key_)] : &outer.emplace_back();
  }
  template <class Value>
  bool add(Value&& value) {
    if (Json* const here = place()) *here = std::forward<Value>(value);
    return true;
  }
  bool open(Json::value_t type) {
    Json* const here = place();
    if (here == nullptr) {
      ++omitted_;
      return true;
    }
    *here = Json(type);
    open_.push_back(here);
    return true;
  }
  bool close() {
    if (omitted_ > 0) {
      --omitted_;
    } else {
      open_.pop_back();
    }
    return true;
  }

  std::vector<Json*> open_;
  std::size_t omitted_ = 0;  ///< the number of open objects and lists that are too deep
  std::string key_;
};

}  // namespace

std::string in_braces(std::string_view expression) {
  if (expression.starts_with('{')) return std::string(expression);
  return fmt::format("{{{}{}}}", expression.starts_with('.') ? "" : ".", expression);
}

Json parse_document(std::string_view text) {
  DocumentParser parser;
  if (!Json::sax_parse(text.begin(), text.end(), &parser)) return Json::value_t::discarded;
  return std::move(parser.document);
}

Result<JsonPath> JsonPath::parse(std::string_view text, jsonpath::Dialect dialect) {
  auto nodes = jsonpath::parse_jsonpath(text, dialect);
  if (!nodes) return fail(nodes);
  return JsonPath(std::move(*nodes));
}

Result<JsonPath> JsonPath::parse_path(std::string_view text) {
  const bool in_braces = text.size() >= 2 && text.starts_with('{') && text.ends_with('}');
  std::string_view path = in_braces ? text.substr(1, text.size() - 2) : text;
  if (path.size() > 1 && path.starts_with('.')) path.remove_prefix(1);
  if (path.empty() || path.find_first_of("{}") != std::string_view::npos) {
    return fail(ErrorKind::usage,
                "unexpected path string, expected a 'name1.name2' or '.name1.name2' or "
                "'{name1.name2}' or '{.name1.name2}'");
  }
  return parse(fmt::format("{{.{}}}", path));
}

Result<std::vector<Json>> JsonPath::find(const Json& document) const {
  const JsonPathOptions options;
  return Walk(nodes_, options).copies(document);
}

bool JsonPath::reads_only_metadata(jsonpath::Document document) const {
  return jsonpath::reads_only_metadata(nodes_, document);
}

bool JsonPath::reads_beyond_metadata(jsonpath::Document document) const {
  return jsonpath::reads_beyond_metadata(nodes_, document);
}

Result<std::string> JsonPath::print(const Json& document, const JsonPathOptions& options) const {
  return Walk(nodes_, options).run(document);
}

Result<std::vector<std::string>> JsonPath::values(const Json& document,
                                                  Structured structured) const {
  const JsonPathOptions options;
  return Walk(nodes_, options).texts(document, structured);
}

}  // namespace kinf
