// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/flags/type_args.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "kinf/api/json_splitter.h"
#include "kinf/base/limits.h"
#include "kinf/base/visible_text.h"
#include "kinf/base/yaml_document.h"
#include "kinf/cli/flags/namespace_filter.h"
#include "kinf/kubernetes/manifest_files.h"

namespace kinf {
namespace {

RequestedType& entry_of(std::vector<RequestedType>& types, std::string_view type) {
  const auto found = std::ranges::find(types, type, &RequestedType::type);
  if (found != types.end()) return *found;
  return types.emplace_back(RequestedType{std::string(type), {}});
}

void add_once(std::vector<std::string>& names, std::string_view name) {
  if (std::ranges::find(names, name) == names.end()) names.emplace_back(name);
}

/// Parses arguments of the form TYPE/NAME. Fails if one of them has another form.
Result<std::vector<RequestedType>> parse_pairs(const std::vector<std::string>& args) {
  std::vector<RequestedType> types;
  for (const std::string& arg : args) {
    const std::size_t slash = arg.find('/');
    if (slash == std::string::npos) {
      return fail(ErrorKind::usage,
                  "there is no need to specify a resource type as a separate argument when passing "
                  "arguments in resource/name form");
    }
    if (arg.find('/', slash + 1) != std::string::npos) {
      return fail(ErrorKind::usage,
                  "arguments in resource/name form may not have more than one slash");
    }
    if (slash == 0 || slash + 1 == arg.size()) {
      return fail(ErrorKind::usage,
                  "arguments in resource/name form must have a single resource and name");
    }
    add_once(entry_of(types, std::string_view(arg).substr(0, slash)).names,
             std::string_view(arg).substr(slash + 1));
  }
  return types;
}

/// Fails if names are given for all types.
Result<std::vector<RequestedType>> without_names_of_all(Result<std::vector<RequestedType>> types) {
  if (!types || std::ranges::none_of(*types, [](const RequestedType& type) {
        return type.is_all() && !type.names.empty();
      })) {
    return types;
  }
  return fail(ErrorKind::usage, "'*' stands for all types and takes no name")
      .with_hint("--field-selector metadata.name=NAME selects the objects with one name");
}

Result<std::vector<RequestedType>> parse_words(const std::vector<std::string>& args) {
  if (args.empty()) {
    return fail(ErrorKind::usage, "You must specify the type of resource to get")
        .with_hint("name a type, such as pods, deploy,rs,po or pod/web-1");
  }
  if (std::ranges::find(args.begin() + 1, args.end(), "") != args.end()) {
    return fail(ErrorKind::usage, "resource name may not be empty")
        .with_hint("leave it out to select all objects");
  }
  if (args.front().find('/') != std::string::npos) return parse_pairs(args);
  std::vector<RequestedType> types;
  for (const std::string& type : split_commas(args.front())) entry_of(types, type);
  if (types.empty()) return fail(ErrorKind::usage, "the resource type is empty");
  for (std::size_t i = 1; i < args.size(); ++i) {
    if (args[i].find('/') != std::string::npos) return parse_pairs(args);
    for (RequestedType& type : types) add_once(type.names, args[i]);
  }
  return types;
}

}  // namespace

bool RequestedType::has_exact_name() const { return !std::ranges::all_of(names, is_glob); }

std::vector<std::string> split_commas(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    if (comma > 0) parts.emplace_back(text.substr(0, comma));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return parts;
}

Result<std::vector<RequestedType>> parse_type_args(const std::vector<std::string>& args) {
  return without_names_of_all(parse_words(args));
}

// The objects that manifests name (-f). Only their type, name and namespace are read.

namespace {

using Json = nlohmann::json;
using fields::field;
using fields::text;

/// Drops the members of a JSON document that do not say which object it is, to save memory.
bool keeps_member(int /*depth*/, Json::parse_event_t event, Json& parsed) {
  static constexpr std::array<std::string_view, 6> kKept = {"apiVersion", "kind",      "metadata",
                                                            "name",       "namespace", "items"};
  return event != Json::parse_event_t::key ||
         std::ranges::find(kKept, parsed.get_ref<const std::string&>()) != kKept.end();
}

/// Returns the JSON documents of `content`, or an error if it is not JSON.
Result<std::vector<Json>> json_documents(std::string_view content) {
  std::vector<Json> documents;
  JsonSplitter splitter;
  const Result<void> done = splitter.feed_to(
      content, [] { return false; },
      [&](JsonSplitter::Found) -> Result<void> {
        documents.push_back(Json::parse(splitter.text(), keeps_member, false));
        return documents.back().is_discarded() ? fail(ErrorKind::usage, "invalid JSON")
                                               : Result<void>();
      });
  if (!done) return fail(done);
  if (!splitter.between_values()) return fail(ErrorKind::usage, "the JSON is incomplete");
  return documents;
}

Result<std::vector<Json>> documents_in(std::string_view content) {
  const std::size_t begin = content.find_first_not_of(" \t\r\n");
  if (begin != std::string_view::npos && content[begin] == '{') {
    Result<std::vector<Json>> documents = json_documents(content);
    if (documents) return documents;  // otherwise it may be YAML with braces
  }
  return parse_yaml_documents(content);
}

/// Returns the type of an object as KIND.VERSION.GROUP.
std::string type_word(const Json& object) {
  const std::string version = text(field(object, "apiVersion"));
  const std::size_t slash = version.find('/');
  const bool has_group = slash != std::string::npos;
  return fmt::format("{}.{}.{}", text(field(object, "kind")),
                     has_group ? version.substr(slash + 1) : version,
                     has_group ? version.substr(0, slash) : "");
}

Result<RequestedType> named_object(const Json& object) {
  const Json& ns = field(object, "metadata", "namespace");
  const std::string name = text(field(object, "metadata", "name"));
  const bool is_object = !text(field(object, "apiVersion")).empty() &&
                         !text(field(object, "kind")).empty() && !name.empty();
  if (!is_object) {
    return fail(ErrorKind::usage, "not an object: apiVersion, kind and metadata.name are required");
  }
  if (!ns.is_null() && !ns.is_string()) {
    return fail(ErrorKind::usage, "metadata.namespace is not a string; put it in quotes");
  }
  for (const std::string& word : {name, text(ns)}) {
    if (is_glob(word) || word.contains('/')) {
      return fail(ErrorKind::usage, "\"{}\" is not a name", visible_line(word));
    }
  }
  RequestedType requested{type_word(object), {name}};
  if (!text(ns).empty()) requested.ns = text(ns);
  return requested;
}

Result<void> add_document(const Json& document, const std::string& origin,
                          std::vector<RequestedType>& types) {
  const bool is_whole_list = is_list(document);
  const std::size_t count = is_whole_list ? document["items"].size() : 1;
  for (std::size_t i = 0; i < count; ++i) {
    Result<RequestedType> object =
        named_object(is_whole_list ? list_item(document, document["items"][i]) : document);
    if (!object) {
      const std::string item = is_whole_list ? fmt::format(": item {}", i + 1) : "";
      return fail(std::move(object).error().within(origin + item));
    }
    if (std::ranges::find(types, *object) != types.end()) continue;
    if (types.size() >= limits::kManifestObjects) {
      return fail(ErrorKind::usage, "-f: more than {} objects", limits::kManifestObjects);
    }
    types.push_back(*std::move(object));
  }
  return {};
}

Result<std::vector<std::string>> all_files(const ManifestFlags& manifests) {
  std::vector<std::string> all;
  for (const std::string& path : manifests.files) {
    if (path.starts_with("http://") || path.starts_with("https://")) {
      return fail(ErrorKind::usage, "-f {}: kinf reads only files", path)
          .with_hint("for example: curl -s URL | kinf get -f -");
    }
    Result<std::vector<std::string>> files = manifest_files(path, manifests.recursive);
    if (!files) return files;
    all.insert(all.end(), files->begin(), files->end());
  }
  return all;
}

}  // namespace

Result<std::vector<RequestedType>> read_manifest_args(const ManifestFlags& manifests) {
  const Result<std::vector<std::string>> files = all_files(manifests);
  if (!files) return fail(files);
  std::vector<RequestedType> types;
  for (const std::string& file : *files) {
    const Result<std::string> content = read_manifest_file(file);
    if (!content) return fail(content);
    const std::string name = file == "-" ? "standard input" : file;
    const Result<std::vector<Json>> documents = documents_in(*content);
    if (!documents) return fail(documents.error().within(name));
    for (std::size_t number = 0; const Json& document : *documents) {
      const std::string origin = fmt::format("{}: document {}", name, ++number);
      if (document.is_null()) continue;
      Result<void> added = add_document(document, origin, types);
      if (!added) return fail(added);
    }
  }
  if (!types.empty()) return types;
  return fail(ErrorKind::usage, "-f {}: no objects", fmt::join(manifests.files, ","));
}

Result<bool> may_be_one_object(const ManifestFlags& manifests) {
  if (manifests.files.size() != 1 || manifests.files.front() == "-") return false;
  const Result<std::vector<std::string>> files = all_files(manifests);
  if (!files) return fail(files);
  return files->size() == 1;
}

}  // namespace kinf
