// SPDX-License-Identifier: Apache-2.0
#include "sim/documents.h"

#include <fmt/format.h>

#include <charconv>

#include "kinf/api/api_status.h"

namespace kinf::sim {
namespace {

std::string members(std::size_t object, const Version& version, std::uint32_t revision) {
  return fmt::format(
      R"("metadata":{{"name":"o{}","namespace":"{}","uid":"u{}","resourceVersion":"{}",)"
      R"("labels":{{"color":"{}"}}}},"data":{{"value":"{}"}}}})",
      object, namespace_of(object), version.uid, revision, version.is_red() ? "red" : "blue",
      version.value);
}

}  // namespace

std::uint32_t number_of(std::string_view text) {
  std::uint32_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

std::uint32_t value_of(std::string_view document) {
  constexpr std::string_view kStart = R"("value":")";
  const std::size_t at = document.find(kStart);
  return at == std::string_view::npos ? 0 : number_of(document.substr(at + kStart.size()));
}

std::string name_of(std::size_t object) { return fmt::format("o{}", object); }

std::string namespace_of(std::size_t object) { return object % 2 == 0 ? "a" : "b"; }

std::string key_of(std::size_t object) { return namespace_of(object) + "/" + name_of(object); }

std::size_t object_of(std::string_view name) {
  const bool is_known = name.size() == 2 && name[0] == 'o' && name[1] >= '0' &&
                        name[1] < static_cast<char>('0' + kObjects);
  return is_known ? static_cast<std::size_t>(name[1] - '0') : kObjects;
}

std::string object_document(std::size_t object, const Version& version, std::uint32_t revision) {
  return R"({"kind":"ConfigMap","apiVersion":"v1",)" + members(object, version, revision);
}

std::string item_document(std::size_t object, const Version& version) {
  return "{" + members(object, version, version.revision);
}

std::string list_document(std::uint32_t revision, std::string_view token, std::string_view items) {
  return fmt::format(
      R"({{"kind":"ConfigMapList","apiVersion":"v1","metadata":{{"resourceVersion":"{}")"
      R"({}{}{}}},"items":[{}]}})",
      revision, token.empty() ? "" : R"(,"continue":")", token, token.empty() ? "" : R"(")", items);
}

std::string event_document(std::string_view type, std::string_view object) {
  return fmt::format("{{\"type\":\"{}\",\"object\":{}}}\n", type, object);
}

std::string bookmark_document(std::uint32_t revision, bool initial_events_end) {
  const std::string_view mark =
      initial_events_end ? R"(,"annotations":{"k8s.io/initial-events-end":"true"})" : "";
  return event_document(
      "BOOKMARK",
      fmt::format(
          R"({{"kind":"ConfigMap","apiVersion":"v1","metadata":{{"resourceVersion":"{}"{}}}}})",
          revision, mark));
}

std::optional<std::string> event_of(const Etcd& etcd, std::uint32_t revision, bool red_only) {
  const std::size_t object = etcd.changed_at(revision);
  if (object == kObjects) return std::nullopt;
  const Version& before = etcd.state_at(revision - 1).at(object);
  const Version& after = etcd.state_at(revision).at(object);
  const bool was_seen = before.is_selected(red_only);
  if (!after.is_selected(red_only)) {
    if (!was_seen) return std::nullopt;
    return event_document("DELETED", object_document(object, before, revision));
  }
  return event_document(was_seen ? "MODIFIED" : "ADDED", object_document(object, after, revision));
}

std::string status_document(int code) {
  const std::string_view reason = code == 410 ? "Expired" : code == 504 ? "Timeout" : "";
  const std::string_view message =
      code == 504 ? "Too large resource version: 9, current: 1" : "the simulation says no";
  return fmt::format(
      R"({{"kind":"Status","apiVersion":"v1","metadata":{{}},"status":"Failure","message":"{}",)"
      R"("reason":"{}","details":{{"retryAfterSeconds":{}}},"code":{}}})",
      message, reason, code == 429 || code == 504 ? 1 : 0, code);
}

Error status_failure(int code) {
  const Result<ApiStatus> status = parse_api_status(status_document(code));
  return status ? to_error(*status) : status.error();
}

}  // namespace kinf::sim
