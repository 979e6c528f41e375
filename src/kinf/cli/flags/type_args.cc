// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/flags/type_args.h"

#include <algorithm>

#include "kinf/cli/flags/namespace_filter.h"

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

}  // namespace kinf
