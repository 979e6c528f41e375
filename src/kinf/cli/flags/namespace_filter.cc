// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/flags/namespace_filter.h"

#include <algorithm>

#include "kinf/cli/flags/type_args.h"

namespace kinf {
namespace {

bool matches_any(const std::vector<ValuePattern>& patterns, std::string_view ns) {
  return std::ranges::any_of(patterns, [&](const ValuePattern& one) { return one.matches(ns); });
}

}  // namespace

bool is_glob(std::string_view name) { return name.find_first_of("*?") != std::string_view::npos; }

Result<NamespaceFilter> NamespaceFilter::parse(std::string_view text) {
  NamespaceFilter choice;
  choice.text_ = text;
  std::vector<std::string> parts = split_commas(text);
  if (parts.empty()) parts.emplace_back("default");
  bool has_glob = false;
  for (const std::string& part : parts) {
    const bool excludes = part.starts_with('!');
    const std::string name = part.substr(excludes ? 1 : 0);
    if (name.empty() || name.find_first_of("!/\\ ") != std::string::npos) {
      return fail(ErrorKind::usage, "\"{}\" is not the name of a namespace", part)
          .with_hint("for example: -n shop,payments or -n 'team-*,!team-old'");
    }
    (excludes ? choice.excluded_ : choice.included_).emplace_back(name);
    if (excludes) continue;
    has_glob = has_glob || is_glob(name);
    const bool is_known = std::ranges::find(choice.names_, name) != choice.names_.end();
    if (!is_known) choice.names_.push_back(name);
  }
  std::erase_if(choice.names_,
                [&](const std::string& name) { return matches_any(choice.excluded_, name); });
  if (!has_glob && !choice.included_.empty() && choice.names_.empty()) {
    return fail(ErrorKind::usage, "-n {} excludes every namespace it names", text);
  }
  if (has_glob) choice.names_.clear();
  return choice;
}

bool NamespaceFilter::selects(std::string_view ns) const {
  return (included_.empty() || matches_any(included_, ns)) && !matches_any(excluded_, ns);
}

}  // namespace kinf
