// SPDX-License-Identifier: Apache-2.0
#include "kinf/client/paths.h"

#include <fmt/core.h>

#include <map>

#include "kinf/base/ascii.h"

namespace kinf {
namespace {

Result<void> check_segment(std::string_view what, std::string_view segment) {
  std::string_view flaw;
  if (segment.empty()) flaw = "may not be empty";
  if (segment == ".") flaw = "may not be '.'";
  if (segment == "..") flaw = "may not be '..'";
  if (segment.find('/') != std::string_view::npos) flaw = "may not contain '/'";
  if (segment.find('%') != std::string_view::npos) flaw = "may not contain '%'";
  if (flaw.empty()) return {};
  return fail(ErrorKind::usage, "invalid {} {:?}: {}", what, segment, flaw);
}

/// Query parameters by name. A parameter with an empty value is omitted.
using Query = std::map<std::string_view, std::string>;

Query common_query(const ListOptions& options, std::string_view include_object) {
  return {{"includeObject", std::string(include_object)},
          {"labelSelector", options.label_selector},
          {"fieldSelector", options.field_selector},
          {"resourceVersion", options.resource_version},
          {"resourceVersionMatch", options.resource_version_match},
          {"timeoutSeconds", options.timeout ? fmt::format("{}", options.timeout->count()) : ""}};
}

std::string query_text(const Query& query) {
  std::string joined;
  for (const auto& [name, value] : query) {
    if (value.empty()) continue;
    if (!joined.empty()) joined += '&';
    joined.append(name).append(1, '=').append(percent_encode(value));
  }
  return joined;
}

}  // namespace

std::string percent_encode(std::string_view text, std::string_view marks) {
  std::string encoded;
  encoded.reserve(text.size());
  for (const char c : text) {
    const bool plain = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || is_digit(c);
    if (plain || marks.contains(c)) {
      encoded += c;
    } else {
      encoded += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return encoded;
}

Result<std::string> group_version_path(std::string_view group, std::string_view version) {
  if (Result<void> valid = check_segment("version", version); !valid) return fail(valid);
  if (group.empty()) return "/api/" + percent_encode(version);
  if (Result<void> valid = check_segment("group", group); !valid) return fail(valid);
  return "/apis/" + percent_encode(group) + "/" + percent_encode(version);
}

Result<std::string> resource_path(const GroupVersionResource& gvr, std::string_view ns,
                                  std::string_view name) {
  Result<std::string> path = group_version_path(gvr.group, gvr.version);
  if (!path) return path;
  const auto append = [&](std::string_view what, std::string_view segment) -> Result<void> {
    if (Result<void> valid = check_segment(what, segment); !valid) return valid;
    path->append(1, '/').append(percent_encode(segment));
    return {};
  };
  Result<void> appended;
  if (!ns.empty()) {
    path->append("/namespaces");
    appended = append("namespace", ns);
  }
  if (appended) appended = append("resource", gvr.resource);
  if (appended && !name.empty()) appended = append("resource name", name);
  if (!appended) return fail(appended);
  return path;
}

std::string list_query(const ListOptions& options, std::string_view include_object) {
  Query query = common_query(options, include_object);
  if (options.limit > 0) query["limit"] = fmt::format("{}", options.limit);
  query["continue"] = options.continue_token;
  return query_text(query);
}

std::string watch_query(const ListOptions& options, std::string_view include_object) {
  Query query = common_query(options, include_object);
  query["watch"] = "true";
  if (options.allow_watch_bookmarks) query["allowWatchBookmarks"] = "true";
  if (options.send_initial_events) query["sendInitialEvents"] = "true";
  return query_text(query);
}

}  // namespace kinf
