// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/controllers/cluster.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "kinf/base/log.h"
#include "kinf/base/timestamp.h"

namespace kinf::sandbox {
namespace {

template <class Answer>
bool is_done(const Answer& answer, std::string_view what, const ObjectId& id) {
  if (answer) return true;
  log::verbose(2, "sandbox: cannot {} {} {}: {}", what, id.first, to_string(id.second),
               answer.error().message);
  return false;
}

}  // namespace

Cluster::Cluster(ResourceStore& store, ObjectService& objects, const ApiTypes& types, Clock& clock,
                 double speed, IsScripted is_scripted)
    : objects_(objects),
      types_(types),
      clock_(clock),
      began_(clock.now()),
      speed_(speed),
      is_scripted_(std::move(is_scripted)),
      mirror_(store),
      next_event_(static_cast<std::uint64_t>(clock.wall().time_since_epoch().count())) {}

std::string Cluster::timestamp() const {
  return timestamp_text(std::chrono::floor<std::chrono::seconds>(clock_.wall()));
}

Clock::Wall Cluster::scheduled_wall(Clock::Mono at) const {
  const Seconds gained = Seconds(at - began_) * (speed_ - 1);
  return wall() + (at - now()) + std::chrono::duration_cast<Clock::Duration>(gained);
}

Clock::Mono Cluster::mono_time(const Json& timestamp) const {
  const auto time = parse_timestamp(text(timestamp));
  return time ? now() - (wall() - wall_time(*time)) : now();
}

Clock::Duration Cluster::scaled(Seconds delay) const {
  return std::chrono::duration_cast<Clock::Duration>(delay / speed_);
}

bool Cluster::is_scripted(const std::string& type, const Json& object) const {
  return is_scripted_ && is_scripted_({type, key_of(object)}, uid_of(object));
}

StoredPtr Cluster::create(Json object) {
  const ApiTypePtr type = types_.find_for(object);
  if (type == nullptr) return nullptr;
  const ObjectId id{type->storage_key(), key_of(object)};
  ApiResult<StoredPtr> created =
      objects_.create(*type, id.second.ns, std::move(object), false, {kControllerManager});
  return is_done(created, "create", id) ? *created : nullptr;
}

bool Cluster::write(const FieldManager& by, const std::string& type, const Json& object,
                    const std::function<void(Json&)>& change) {
  const ApiTypePtr found = types_.find_stored(type);
  if (found == nullptr) return false;
  const ObjectId id{type, key_of(object)};
  const auto edit = [&](const Json& current) -> ApiResult<Json> {
    if (uid_of(current) != uid_of(object)) {
      return std::unexpected(not_found(found->gvr, id.second.name));
    }
    Json result = current;
    change(result);
    return result;
  };
  return is_done(objects_.modify(*found, id.second, Part::everything, edit, false, by), "change",
                 id);
}

bool Cluster::remove(const std::string& type, const Json& object, std::optional<std::int64_t> grace,
                     Propagation propagation) {
  const ApiTypePtr found = types_.find_stored(type);
  if (found == nullptr) return false;
  const ObjectId id{type, key_of(object)};
  const DeleteOptions options{.grace_seconds = grace,
                              .uid = uid_of(object),
                              .resource_version = {},
                              .propagation = propagation};
  return is_done(objects_.remove(*found, id.second, options), "delete", id);
}

StoredPtr Cluster::stored(const ObjectId& id) const {
  return objects_.get(*types_.find_stored(id.first), id.second).value_or(nullptr);
}

void Cluster::erase(const ObjectId& id) {
  objects_.erase(*types_.find_stored(id.first), id.second);
}

/// Returns the entry of an Event in events_. From the tenth different message on, Events of an
/// object with the same component, type and reason share one entry, and `message` gets a prefix.
/// Source: client-go tools/record.
Cluster::Written& Cluster::written_of(const std::string& uid, const EventDetails& note,
                                      std::string& message) {
  constexpr std::size_t kSimilar = 9;
  const std::string similar = fmt::format("{}\n{}\n{}\n", note.component, note.type, note.reason);
  auto& events = events_[uid];
  const std::string key = similar + note.field_path + "\n" + message;
  const auto found = events.find(key);
  if (found != events.end()) return found->second;
  const auto first = events.lower_bound(similar);
  const auto last = std::find_if(
      first, events.end(), [&](const auto& each) { return !each.first.starts_with(similar); });
  if (static_cast<std::size_t>(std::distance(first, last)) < kSimilar) return events[key];
  message = "(combined from similar events): " + message;
  return events["combined\n" + similar];
}

void Cluster::report(const Json& about, const EventDetails& note) {
  const std::string uid = uid_of(about);
  std::string message = note.message;
  Written& written = written_of(uid, note, message);
  const ApiTypePtr type = types_.find_kind("v1", "Event");
  const std::string now = timestamp();
  if (++written.count > 1) {
    const auto repeat = [&](const Json& current) -> ApiResult<Json> {
      Json event = current;
      event["count"] = written.count;
      event["lastTimestamp"] = now;
      event["message"] = message;
      return event;
    };
    if (objects_.modify(*type, written.key, Part::everything, repeat, false)) return;
    written.count = 1;  // the Event was deleted, so create it again
  }
  const auto& [ns, name] = key_of(about);
  written.key = {ns.empty() ? "default" : ns, fmt::format("{}.{:x}", name, next_event_++)};
  Json subject = {{"kind", field(about, "kind")}};
  if (!ns.empty()) subject["namespace"] = ns;
  subject["name"] = name;
  subject["uid"] = uid;
  subject["apiVersion"] = field(about, "apiVersion");
  subject["resourceVersion"] = field(about, "metadata", "resourceVersion");
  if (!note.field_path.empty()) subject["fieldPath"] = note.field_path;
  Json source = {{"component", note.component}};
  if (!note.host.empty()) source["host"] = note.host;
  Json event = {{"kind", "Event"},
                {"apiVersion", "v1"},
                {"metadata", {{"name", written.key.name}, {"namespace", written.key.ns}}},
                {"involvedObject", std::move(subject)},
                {"reason", note.reason},
                {"message", message},
                {"source", std::move(source)},
                {"firstTimestamp", now},
                {"lastTimestamp", now},
                {"count", 1},
                {"type", note.type},
                {"eventTime", nullptr},
                {"reportingComponent", note.component},
                {"reportingInstance", note.host}};
  (void)is_done(objects_.create(*type, written.key.ns, std::move(event), false), "write",
                {"events", written.key});
}

}  // namespace kinf::sandbox
