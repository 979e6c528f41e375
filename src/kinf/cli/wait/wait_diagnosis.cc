// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/wait/wait_diagnosis.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "kinf/api/lister_watcher.h"
#include "kinf/client/paths.h"
#include "kinf/client/type_names.h"
#include "kinf/columns/fields.h"
#include "kinf/columns/human_duration.h"
#include "kinf/print/event_note.h"
#include "kinf/query/jsonpath.h"

namespace kinf {
namespace {

/// The most objects that a request reads.
constexpr std::int64_t kMostRead = 500;
constexpr std::size_t kMostEvents = 3;

/// Returns whether an Event is about this object and not about an earlier one of the same name.
bool is_about(const EventNote& note, const Object& object) {
  // A kubelet uses the name of its node as the uid.
  return note.uid.empty() || note.uid == object.uid() || note.uid == note.name;
}

/// Returns the distance of a name that may be meant by `wanted`. The names of generated objects
/// begin with the name of their owner.
std::size_t distance(const std::string& wanted, const std::string& name) {
  return name.starts_with(wanted + "-") ? 1 : edit_distance(wanted, name);
}

}  // namespace

WaitDiagnosis::WaitDiagnosis(Connection& connection)
    : clock_(connection.clock()),
      timer_([this, deadline = connection.clock().now() + kPatience](const std::stop_token& stop) {
        if (sleep_until(clock_, deadline, stop)) limit_.request_stop();
      }) {
  if (Result<std::unique_ptr<ApiClient>> client = connection.new_client()) {
    client_ = *std::move(client);
  }
}

Result<std::string> WaitDiagnosis::get_list(const GroupVersionResource& gvr, const std::string& ns,
                                            const ListOptions& options, std::string_view accept) {
  if (client_ == nullptr) return fail(ErrorKind::internal, "no client");
  Result<std::string> path = resource_path(gvr, ns);
  if (!path) return path;
  ApiRequest request;
  request.path = *std::move(path);
  request.query = list_query(options);
  request.accept = accept;
  request.verb = "list";
  request.resource = gvr.group_resource();
  Result<ApiAnswer> answer = client_->get(std::move(request), limit_.get_token());
  if (!answer) return std::unexpected(std::move(answer).error());
  return std::move(answer->body);
}

std::vector<std::string> WaitDiagnosis::recent_events(const AwaitedObject& object) {
  if (!object.last) return {};
  ListOptions options;
  options.limit = kMostRead;
  options.field_selector = fmt::format("involvedObject.kind={},involvedObject.name={}",
                                       object.source->type->kind, object.name);
  const std::string ns = object.ns.empty() ? "default" : object.ns;
  const Result<std::string> list = get_list({"", "v1", "events"}, ns, options, "application/json");
  if (!list) return {};
  const nlohmann::json document = parse_document(*list);
  std::vector<EventNote> notes;
  for (const nlohmann::json& item : columns::elements(columns::field(document, "items"))) {
    const std::string json = item.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    ObjectFacts facts;
    facts.json = json;
    EventNote note = event_note(*Object::create(facts));
    if (is_about(note, *object.last)) notes.push_back(std::move(note));
  }
  std::ranges::stable_sort(notes, {}, &EventNote::last_seen);
  const std::size_t skipped = notes.size() - std::min(notes.size(), kMostEvents);
  std::vector<std::string> lines;
  for (std::size_t i = skipped; i < notes.size(); ++i) {
    const std::string when =
        notes[i].last_seen ? " " + human_age(*notes[i].last_seen, clock_.wall()) + " ago" : "";
    lines.push_back(fmt::format("event{}: {}", when, notes[i].text));
  }
  return lines;
}

std::vector<std::string> WaitDiagnosis::similar_names(const AwaitedObject& object) {
  ListOptions options;
  options.limit = kMostRead;
  const Result<std::string> list =
      get_list(object.source->type->gvr, object.ns, options, kMetadataListTypes);
  if (!list) return {};
  const nlohmann::json document = parse_document(*list);
  std::vector<std::pair<std::size_t, std::string>> names;
  for (const nlohmann::json& item : columns::elements(columns::field(document, "items"))) {
    std::string name = columns::text(columns::field(item, "metadata", "name"));
    const std::size_t far = distance(object.name, name);
    if (name != object.name) names.emplace_back(far, std::move(name));
  }
  return kinf::similar_names(object.name, std::move(names));
}

}  // namespace kinf
