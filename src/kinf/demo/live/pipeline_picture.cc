// SPDX-License-Identifier: Apache-2.0
#include "kinf/demo/live/pipeline_picture.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

#include "kinf/base/number_text.h"
#include "kinf/demo/live/live_server.h"
#include "kinf/demo/stages/stage.h"

namespace kinf {
namespace {

/// Returns a sort key that puts pod-10 after pod-9.
std::pair<std::size_t, std::string_view> by_number(std::string_view name) {
  return {name.size(), name};
}

std::string delta_in_short(const Delta& delta) {
  std::string text = fmt::format("{}{}", to_string(delta.type), delta.is_tombstone ? "?" : "");
  if (delta.type == DeltaType::replaced_all) text += " " + counted(delta.objects.size(), "pod");
  if (delta.object) text += fmt::format(" v{}", delta.object->resource_version());
  return text;
}

using Json = nlohmann::ordered_json;

/// The names of the parts in JSON, in the order of PicturePart.
constexpr std::string_view kPartNames[] = {"server",   "reflector",  "queue",
                                           "store",    "controller", "handler1",
                                           "handler2", "client1",    "client2"};
static_assert(std::size(kPartNames) == static_cast<std::size_t>(PicturePart::client2) + 1);

Json server_json(const PipelinePicture::Server& server) {
  return {{"version", server.version},
          {"oldest", server.oldest},
          {"pods", server.pods},
          {"requests", server.requests}};
}

Json reflector_json(const PipelinePicture::Reflector& reflector) {
  return {{"activity", reflector.activity},    {"version", reflector.version},
          {"lastError", reflector.last_error}, {"backOff", reflector.back_off},
          {"lists", reflector.lists},          {"watches", reflector.watches},
          {"events", reflector.events}};
}

Json handler_json(const PipelinePicture::Handler& handler) {
  return {{"title", handler.title},
          {"activity", handler.activity},
          {"last", handler.last},
          {"waiting", handler.waiting.value_or(std::vector<std::string>())}};
}

}  // namespace

std::string short_text(const Change& change) {
  std::string_view verb = "update";
  if (change.type == ChangeType::added) verb = "add";
  if (change.type == ChangeType::deleted) verb = "delete";
  if (change.type == ChangeType::resync) verb = "resync";
  std::string text = fmt::format("{} {}", verb, change.object->name());
  if (change.folded > 0) text += fmt::format(" ({} merged)", change.folded);
  return text;
}

std::vector<std::string> short_texts(const Deltas& deltas) {
  std::vector<std::string> texts;
  for (const Delta& delta : deltas) texts.push_back(delta_in_short(delta));
  return texts;
}

std::string entry_name(const Deltas& entry) {
  if (!entry.front().key.empty()) return entry.front().key;
  if (entry.front().type == DeltaType::sync_all) return "the store";
  return entry.front().type == DeltaType::bookmark ? "bookmark" : "the list";
}

std::vector<PipelinePicture::QueuedKey> queue_rows(const std::vector<Deltas>& queue) {
  std::vector<PipelinePicture::QueuedKey> rows;
  for (const Deltas& deltas : queue) rows.push_back({entry_name(deltas), short_texts(deltas)});
  return rows;
}

std::vector<PipelinePicture::StoredPod> store_rows(const StoreReader& store) {
  std::vector<ObjectPtr> pods = store.list();
  std::ranges::sort(pods, {}, [](const ObjectPtr& pod) { return by_number(pod->name()); });
  std::vector<PipelinePicture::StoredPod> rows;
  for (const ObjectPtr& pod : pods) {
    rows.push_back({std::string(pod->name()), std::string(pod->resource_version()),
                    phase_of(*pod) + (has_checked_label(*pod) ? " checked=yes" : "")});
  }
  return rows;
}

std::vector<PipelinePicture::IndexValue> index_rows(const StoreReader& store,
                                                    const std::string& index) {
  std::vector<std::string> values = store.list_index_func_values(index);
  std::ranges::sort(values);
  std::vector<PipelinePicture::IndexValue> rows;
  for (const std::string& value : values) {
    std::vector<std::string> names;
    for (const ObjectPtr& pod : store.by_index(index, value).value()) {
      names.emplace_back(pod->name());
    }
    std::ranges::sort(names, {}, by_number);
    rows.push_back({value, std::move(names)});
  }
  return rows;
}

std::string in_seconds(Clock::Duration duration) {
  return fmt::format("{:.1f} s", std::chrono::duration<double>(duration).count());
}

std::string picture_json(const PipelinePicture& picture, const std::string& key) {
  Json queue = Json::array();
  for (const auto& [queued, deltas] : picture.queue) {
    queue.push_back(Json{{"key", queued}, {"deltas", deltas}});
  }
  Json store = Json::array();
  for (const auto& [name, version, phase] : picture.store) {
    store.push_back(Json{{"name", name}, {"version", version}, {"phase", phase}});
  }
  Json index = Json::object();
  for (const auto& [value, keys] : picture.index) index[value] = keys;
  Json moved = Json::array();
  for (const PicturePart part : picture.moved)
    moved.push_back(kPartNames[static_cast<std::size_t>(part)]);
  return Json{{"key", key},
              {"step", picture.step},
              {"time", picture.time},
              {"news", picture.news},
              {"moved", std::move(moved)},
              {"server", server_json(picture.server)},
              {"reflector", reflector_json(picture.reflector)},
              {"queue", std::move(queue)},
              {"store", std::move(store)},
              {"index", std::move(index)},
              {"controller", picture.controller},
              {"handler1", handler_json(picture.handler1)},
              {"handler2", handler_json(picture.handler2)}}
      .dump();
}

}  // namespace kinf
