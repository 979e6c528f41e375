// SPDX-License-Identifier: Apache-2.0
// Reads the values at paths of names and list elements directly from the bytes of the document.
// Other paths, such as those with a filter, are evaluated on the parsed document, which takes about
// twenty times as long.
#include "kinf/query/index_spec.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <nlohmann/json.hpp>
#include <unordered_set>

#include "kinf/base/ascii.h"
#include "kinf/base/hints.h"
#include "kinf/query/built_in_paths.h"

namespace kinf {
namespace {

using Source = IndexSpec::Source;

constexpr std::string_view kLabelPrefix = "label:";
constexpr std::string_view kAnnotationPrefix = "annotation:";
constexpr std::string_view kNamespace = "@namespace";
constexpr std::string_view kOwner = "@owner";
constexpr std::string_view kRoot = "@root";

/// Returns whether a label or annotation can have this key.
bool is_qualified_name(std::string_view key) {
  return !key.empty() && std::ranges::all_of(key, [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.' || c == '/';
  }) && std::isalnum(static_cast<unsigned char>(key.front())) != 0;
}

bool is_path(std::string_view text) {
  return !text.empty() && (text[0] == '.' || text[0] == '{' || text[0] == '[');
}

/// Returns the position of the `=` before the value. Ignores `=` inside the brackets and quotes of
/// a path.
std::size_t find_equals(std::string_view text) {
  if (!is_path(text)) return text.find('=');
  int depth = 0;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\') {
      ++i;
    } else if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (depth > 0 && (c == '\'' || c == '"')) {
      quote = c;
    } else if (c == '[' || c == '{' || c == '(') {
      ++depth;
    } else if (c == ']' || c == '}' || c == ')') {
      --depth;
    } else if (c == '=' && depth == 0) {
      return i;
    }
  }
  return std::string_view::npos;
}

std::unexpected<Error> refusal(std::string_view text, std::string_view why) {
  return fail(ErrorKind::usage, "{}{}: {}", hint_for("--by ", "the key of an index: "), text, why)
      .with_hint(fmt::format("{}KEY is a label, annotation:KEY, a path like .spec.nodeName, or one "
                             "of {}",
                             hint_for("--by KEY or KEY=VALUE; ", ""),
                             fmt::join(IndexSpec::built_in_names(), " ")));
}

/// Returns the last name of a path, such as `nodeName`.
std::string last_word(std::string_view path) {
  const auto is_part = [](unsigned char c) { return std::isalnum(c) != 0 || c == '-' || c == '_'; };
  std::size_t end = path.size();
  while (end > 0 && !is_part(static_cast<unsigned char>(path[end - 1]))) --end;
  std::size_t begin = end;
  while (begin > 0 && is_part(static_cast<unsigned char>(path[begin - 1]))) --begin;
  return begin == end ? "VALUE" : std::string(path.substr(begin, end - begin));
}

}  // namespace

std::optional<ObjectPath> as_object_path(const std::vector<jsonpath::Node>& nodes) {
  if (nodes.size() != 1 || nodes[0].type != jsonpath::NodeType::list) return std::nullopt;
  ObjectPath path;
  for (const jsonpath::Node& node : nodes[0].children) {
    if (node.type == jsonpath::NodeType::field) {
      path.push_back({PathStep::Kind::member, node.text, 0});
    } else if (node.type == jsonpath::NodeType::array && !node.slice[2].known) {
      const bool is_all = !node.slice[0].known && !node.slice[1].known;
      const bool is_one = node.slice[0].known && node.slice[1].derived && node.slice[0].value >= 0;
      if (!is_all && !is_one) return std::nullopt;
      path.push_back({is_all ? PathStep::Kind::each_element : PathStep::Kind::element, "",
                      is_one ? static_cast<std::size_t>(node.slice[0].value) : 0});
    } else {
      return std::nullopt;
    }
  }
  if (path.empty()) return std::nullopt;
  return path;
}

std::string owner_name(std::string_view api_version, std::string_view kind, std::string_view name) {
  std::string text = to_lower(kind);
  const std::size_t slash = api_version.find('/');
  if (slash != std::string_view::npos) text.append(".").append(api_version.substr(0, slash));
  return text.append("/").append(name);
}

std::vector<std::string> IndexSpec::built_in_names() {
  std::vector<std::string> names = {std::string(kNamespace), std::string(kOwner),
                                    std::string(kRoot)};
  for (const std::string_view name : names_with_paths()) names.emplace_back(name);
  std::ranges::sort(names);
  return names;
}

Result<IndexSpec> IndexSpec::parse(std::string_view text) {
  IndexSpec spec;
  const std::size_t equals = find_equals(text);
  std::string_view key = text.substr(0, equals);
  if (equals != std::string_view::npos) spec.value_ = ValuePattern(text.substr(equals + 1));
  if (key.starts_with('@')) {
    spec.text_ = key;
    spec.paths_ = built_in_paths(key);
    spec.source_ = key == kOwner ? Source::owner : key == kRoot ? Source::root : Source::built_in;
    if (spec.source_ == Source::built_in && spec.paths_.empty() && key != kNamespace) {
      return refusal(text, "unknown index");
    }
    return spec;
  }
  if (is_path(key)) {
    if (Result<void> taken = spec.take_path(key); !taken) {
      return refusal(text, taken.error().message);
    }
    return spec;
  }
  if (key.starts_with(kAnnotationPrefix)) {
    spec.source_ = Source::annotation;
    key.remove_prefix(kAnnotationPrefix.size());
    spec.paths_ = {{{PathStep::Kind::member, "metadata", 0},
                    {PathStep::Kind::member, "annotations", 0},
                    {PathStep::Kind::member, std::string(key), 0}}};
  } else if (key.starts_with(kLabelPrefix)) {
    key.remove_prefix(kLabelPrefix.size());
  }
  if (!is_qualified_name(key)) return refusal(text, "not a valid label key");
  spec.key_ = key;
  return spec;
}

Result<void> IndexSpec::take_path(std::string_view text) {
  source_ = Source::path;
  const std::string whole = text.starts_with('{') ? std::string(text) : fmt::format("{{{}}}", text);
  Result<std::vector<jsonpath::Node>> nodes = jsonpath::parse_jsonpath(whole);
  if (!nodes) return fail(nodes);
  text_ = text;
  if (auto path = as_object_path(*nodes)) {
    if (text_.starts_with('{')) text_ = text_.substr(1, text_.size() - 2);
    paths_ = {*std::move(path)};
    return {};
  }
  Result<JsonPath> expression = JsonPath::parse(whole);
  if (!expression) return fail(expression);
  expression_ = *std::move(expression);
  return {};
}

std::string IndexSpec::name() const {
  if (source_ == Source::label) return std::string(kLabelPrefix) + key_;
  if (source_ == Source::annotation) return std::string(kAnnotationPrefix) + key_;
  return text_;
}

bool IndexSpec::has_key_of(const IndexSpec& other) const {
  if (source_ == Source::built_in || other.source_ == Source::built_in) {
    return source_ == other.source_ && text_ == other.text_;
  }
  const auto paths_of = [](const IndexSpec& spec) {
    if (spec.source_ != Source::label) return spec.paths_;
    return std::vector<ObjectPath>{{{PathStep::Kind::member, "metadata", 0},
                                    {PathStep::Kind::member, "labels", 0},
                                    {PathStep::Kind::member, spec.key_, 0}}};
  };
  const std::vector<ObjectPath> paths = paths_of(*this);
  return paths.empty() ? name() == other.name() : paths == paths_of(other);
}

std::string IndexSpec::header() const {
  if (!key_.empty()) return to_upper(key_.substr(key_.rfind('/') + 1));
  return to_upper(source_ == Source::path ? last_word(text_) : text_.substr(1));
}

bool IndexSpec::needs_whole_object() const {
  return expression_.has_value() || std::ranges::any_of(paths_, [](const ObjectPath& path) {
           return path.front().name != "metadata";
         });
}

bool IndexSpec::follows_owners() const {
  return source_ == Source::root || (source_ == Source::owner && value_);
}

bool IndexSpec::may_show_secrets() const {
  constexpr std::string_view kCopy = "kubectl.kubernetes.io/last-applied-configuration";
  constexpr std::array<std::string_view, 5> kHarmless = {"metadata", "type", "immutable", "kind",
                                                         "apiVersion"};
  if (source_ == Source::annotation) return key_ == kCopy;
  if (source_ != Source::path) return false;
  if (expression_) return true;
  const ObjectPath& path = paths_.front();
  if (std::ranges::find(kHarmless, path[0].name) == kHarmless.end()) return true;
  if (path[0].name != "metadata") return false;
  return path.size() == 1 ||
         (path[1].name == "annotations" && (path.size() == 2 || path[2].name == kCopy));
}

std::vector<std::string> IndexSpec::values(const Object& object) const {
  std::vector<std::string> values = occurrences(object);
  if (values.size() < 2) return values;
  std::unordered_set<std::string> seen;
  std::erase_if(values, [&](const std::string& value) { return !seen.insert(value).second; });
  return values;
}

std::vector<std::string> IndexSpec::occurrences(const Object& object) const {
  if (source_ == Source::label) {
    const std::optional<std::string_view> value = object.label(key_);
    if (!value) return {};
    return {std::string(*value)};
  }
  if (source_ == Source::owner || source_ == Source::root) {
    std::vector<std::string> owners;
    for (std::size_t i = 0; i < object.owner_count(); ++i) {
      const OwnerReference owner = object.owner_at(i);
      owners.push_back(owner_name(owner.api_version, owner.kind, owner.name));
    }
    return owners;
  }
  if (!needs_document()) {
    if (object.ns().empty()) return {};
    return {std::string(object.ns())};
  }
  std::vector<std::string> values = document_values(object);
  if (source_ == Source::built_in) {
    // The address of a headless service is `None`.
    std::erase_if(values,
                  [](const std::string& value) { return value.empty() || value == "None"; });
  }
  return values;
}

std::vector<std::string> IndexSpec::document_values(const Object& object) const {
  if (!expression_) return object_values(object, paths_);
  Scratch scratch;
  const nlohmann::json document = parse_document(object.json(scratch));
  if (document.is_discarded()) return {};
  Result<std::vector<std::string>> found = expression_->values(document);
  if (!found) return {};  // for example, if an index is beyond the end of a list
  return *std::move(found);
}

}  // namespace kinf
