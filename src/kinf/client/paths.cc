// SPDX-License-Identifier: Apache-2.0
#include "kinf/client/paths.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>
#include <vector>

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
  return fail(ErrorKind::usage, fmt::format("invalid {} {:?}: {}", what, segment, flaw));
}

/// Collects parameters and sorts them by name.
class Query {
 public:
  void add(std::string_view name, std::string_view value) {
    if (!value.empty()) parts_.emplace_back(name, value);
  }

  std::string text() {
    std::sort(parts_.begin(), parts_.end());
    std::string joined;
    for (const auto& [name, value] : parts_) {
      if (!joined.empty()) joined += '&';
      joined.append(name).append(1, '=').append(percent_encode(value));
    }
    return joined;
  }

 private:
  std::vector<std::pair<std::string_view, std::string>> parts_;
};

Query common_query(const ListOptions& options, std::string_view include_object) {
  Query query;
  query.add("includeObject", include_object);
  query.add("labelSelector", options.label_selector);
  query.add("fieldSelector", options.field_selector);
  query.add("resourceVersion", options.resource_version);
  query.add("resourceVersionMatch", options.resource_version_match);
  if (options.timeout) query.add("timeoutSeconds", fmt::format("{}", options.timeout->count()));
  return query;
}

}  // namespace

std::string percent_encode(std::string_view text) {
  std::string encoded;
  encoded.reserve(text.size());
  for (const char each : text) {
    const auto c = static_cast<unsigned char>(each);
    const bool unreserved = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
                            (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_' || c == '~';
    if (unreserved) {
      encoded += static_cast<char>(c);
    } else {
      encoded += fmt::format("%{:02X}", c);
    }
  }
  return encoded;
}

Result<std::string> group_version_path(std::string_view group, std::string_view version) {
  if (Result<void> valid = check_segment("version", version); !valid) {
    return std::unexpected(std::move(valid).error());
  }
  if (group.empty()) return "/api/" + percent_encode(version);
  if (Result<void> valid = check_segment("group", group); !valid) {
    return std::unexpected(std::move(valid).error());
  }
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
  if (!appended) return std::unexpected(std::move(appended).error());
  return path;
}

std::string list_query(const ListOptions& options, std::string_view include_object) {
  Query query = common_query(options, include_object);
  if (options.limit > 0) query.add("limit", fmt::format("{}", options.limit));
  query.add("continue", options.continue_token);
  return query.text();
}

std::string watch_query(const ListOptions& options, std::string_view include_object) {
  Query query = common_query(options, include_object);
  query.add("watch", "true");
  if (options.allow_watch_bookmarks) query.add("allowWatchBookmarks", "true");
  if (options.send_initial_events) query.add("sendInitialEvents", "true");
  return query.text();
}

}  // namespace kinf
