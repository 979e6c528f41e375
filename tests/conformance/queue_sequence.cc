// SPDX-License-Identifier: Apache-2.0
#include "conformance/queue_sequence.h"

#include "conformance/compact_object.h"
#include "conformance/deltas.h"
#include "conformance/results.h"

namespace kinf::conformance {
namespace {

constexpr ChangeOrigin kWatch{};
constexpr ChangeOrigin kList{ChangeSource::list, {}};
constexpr ChangeOrigin kResync{ChangeSource::resync, {}};

}  // namespace

std::vector<std::string> KnownMap::list_keys() const {
  std::set<std::string> keys = ghosts_;
  for (const auto& known : objects_) keys.insert(known.first);
  return {keys.begin(), keys.end()};
}

ObjectPtr KnownMap::get_by_key(std::string_view key) const {
  const auto found = objects_.find(key);
  return found == objects_.end() ? nullptr : found->second;
}

void KnownMap::set(const std::string& key, ObjectPtr object) {
  ghosts_.erase(key);
  objects_[key] = std::move(object);
}

void KnownMap::add_ghost(const std::string& key) {
  objects_.erase(key);
  ghosts_.insert(key);
}

Json KnownMap::json() const {
  Json refs = Json::object();
  for (const auto& [key, object] : objects_) refs[key] = ref_of(object);
  return refs;
}

Json QueueSequence::step(const std::string& op, Fields& args, const Json& /*expected*/) {
  if (op == "add") return error_result(queue().add(object_from(args.at("obj")), kWatch));
  if (op == "update") return error_result(queue().update(object_from(args.at("obj")), kWatch));
  if (op == "delete") return error_result(queue().remove(object_from(args.at("obj")), kWatch));
  if (op == "delete_tombstone") {
    const Json& object = args.at("obj");
    DeletedObject tombstone{args.text("key"), object.is_null() ? nullptr : object_from(object)};
    return error_result(queue().remove(std::move(tombstone), kWatch));
  }
  if (op == "replace") {
    return error_result(queue().replace(objects_from(args.at("items")), args.text("rv"), kList));
  }
  if (op == "resync") return error_result(queue().resync(kResync));
  if (op == "bookmark") return error_result(queue().bookmark(args.text("rv"), kWatch));
  if (op == "pop" || op == "pop_batch") return pop(args.text("handler"), op == "pop_batch");
  if (op == "has_synced") return {{"has_synced", queue().has_synced()}};
  if (op == "close") {
    queue().close();
    return nullptr;
  }
  if (change_known(op, args)) return nullptr;
  throw BadVector("unknown op " + op);
}

bool QueueSequence::change_known(const std::string& op, Fields& args) {
  if (op == "known_set") {
    ObjectPtr object = object_from(args.at("obj"));
    known_.set(object->key(), object);
  } else if (op == "known_delete") {
    known_.erase(args.text("key"));
  } else if (op == "known_ghost") {
    known_.add_ghost(args.text("key"));
  } else {
    return false;
  }
  return true;
}

Json QueueSequence::pop(const std::string& handler, bool batch) {
  if (handler != "ok" && handler != "error") throw BadVector("unknown handler " + handler);
  Json result = Json::object();
  const PopHandler handle = [&](Popped& popped) -> Result<void> {
    result["deltas"] = deltas_json(popped.deltas);
    result["is_in_initial_list"] = popped.is_in_initial_list;
    if (batch) result["mode"] = popped.is_batch ? "batch" : "single";
    if (handler == "error") return fail(ErrorKind::internal, "boom");
    if (!has_known_objects_) return {};
    for (const Delta& delta : popped.deltas) {
      if (delta.type == DeltaType::deleted) {
        known_.erase(delta.key);
      } else {
        known_.set(delta.key, delta.object);
      }
    }
    return {};
  };
  const Result<bool> popped = batch ? queue().try_pop_batch(handle) : queue().try_pop(handle);
  if (popped && !*popped) throw BadVector("a pop that would never return");
  result["error"] = popped ? Json() : Json(popped.error().message);
  return result;
}

Json QueueSequence::state() {
  Json state = {{"has_synced", queue().has_synced()}};
  auto [name, queued] = contents();
  state[name] = std::move(queued);
  if (queue().is_closed()) state["closed"] = true;
  if (has_known_objects_) state["known"] = known_.json();
  return state;
}

}  // namespace kinf::conformance
