// SPDX-License-Identifier: Apache-2.0
#include "kinf/query/index_spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "kinf/api/object_field.h"

namespace kinf {
namespace {

using Source = IndexSpec::Source;

struct BuiltIn {
  std::string_view name;
  Source source;
};

constexpr std::array<BuiltIn, 3> kBuiltIns = {
    {{"@namespace", Source::ns}, {"@node", Source::node}, {"@owner", Source::owner}}};

constexpr std::string_view kLabelPrefix = "label:";
constexpr std::string_view kAnnotationPrefix = "annotation:";

/// Whether a label or annotation can have this key.
bool is_qualified_name(std::string_view key) {
  return !key.empty() && std::ranges::all_of(key, [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.' || c == '/';
  }) && std::isalnum(static_cast<unsigned char>(key.front())) != 0;
}

/// As `kubectl -o name` writes it; the version says nothing about who it is.
std::string owner_name(const OwnerReference& owner) {
  std::string text(owner.kind);
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const std::size_t slash = owner.api_version.find('/');
  if (slash != std::string_view::npos) text.append(".").append(owner.api_version.substr(0, slash));
  return text.append("/").append(owner.name);
}

}  // namespace

Result<IndexSpec> IndexSpec::parse(std::string_view text) {
  IndexSpec spec;
  const std::size_t equals = text.find('=');
  std::string_view key = text.substr(0, equals);
  if (equals != std::string_view::npos) spec.value_ = text.substr(equals + 1);
  if (key.starts_with('@')) {
    const auto found = std::ranges::find(kBuiltIns, key, &BuiltIn::name);
    if (found == kBuiltIns.end()) {
      Error error(ErrorKind::usage, fmt::format("--by {}: no such index", text));
      error.hint = "built in are @namespace, @node and @owner; a label needs no mark";
      return std::unexpected(std::move(error));
    }
    spec.source_ = found->source;
    return spec;
  }
  if (key.starts_with(kAnnotationPrefix)) {
    spec.source_ = Source::annotation;
    key.remove_prefix(kAnnotationPrefix.size());
  } else if (key.starts_with(kLabelPrefix)) {
    key.remove_prefix(kLabelPrefix.size());
  }
  if (!is_qualified_name(key)) {
    Error error(ErrorKind::usage, fmt::format("--by {}: not the key of a label", text));
    error.hint =
        "--by KEY or KEY=VALUE; KEY is a label, annotation:KEY, @namespace, @node or @owner";
    return std::unexpected(std::move(error));
  }
  spec.key_ = key;
  return spec;
}

std::string IndexSpec::name() const {
  if (source_ == Source::label) return std::string(kLabelPrefix) + key_;
  if (source_ == Source::annotation) return std::string(kAnnotationPrefix) + key_;
  return std::string(std::ranges::find(kBuiltIns, source_, &BuiltIn::source)->name);
}

std::string IndexSpec::header() const {
  std::string text = key_.empty() ? name().substr(1) : key_.substr(key_.rfind('/') + 1);
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

std::vector<std::string> IndexSpec::values(const Object& object) const {
  std::optional<std::string> value;
  switch (source_) {
    case Source::label:
      value = object.label(key_);
      break;
    case Source::annotation:
      value =
          object_field(object, std::array<std::string_view, 3>{"metadata", "annotations", key_});
      break;
    case Source::node:
      value = object_field(object, std::array<std::string_view, 2>{"spec", "nodeName"});
      if (value && value->empty()) value.reset();
      break;
    case Source::ns:
      if (!object.ns().empty()) value = object.ns();
      break;
    case Source::owner: {
      std::vector<std::string> owners;
      for (std::size_t i = 0; i < object.owner_count(); ++i) {
        owners.push_back(owner_name(object.owner_at(i)));
      }
      return owners;
    }
  }
  if (!value) return {};
  return {*std::move(value)};
}

}  // namespace kinf
