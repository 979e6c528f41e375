// SPDX-License-Identifier: Apache-2.0
#include "kinf/demo/picture_json.h"

#include <nlohmann/json.hpp>

namespace kinf {
namespace {

using Json = nlohmann::ordered_json;

std::string part_name(PicturePart part) {
  switch (part) {
    case PicturePart::server:
      return "server";
    case PicturePart::reflector:
      return "reflector";
    case PicturePart::queue:
      return "queue";
    case PicturePart::store:
      return "store";
    case PicturePart::handler1:
      return "handler1";
    case PicturePart::handler2:
      return "handler2";
    case PicturePart::client1:
      return "client1";
    case PicturePart::client2:
      return "client2";
  }
  return "";
}

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
  for (const PicturePart part : picture.moved) moved.push_back(part_name(part));
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
              {"handler1", handler_json(picture.handler1)},
              {"handler2", handler_json(picture.handler2)}}
      .dump();
}

}  // namespace kinf
