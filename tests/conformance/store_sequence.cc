// SPDX-License-Identifier: Apache-2.0
#include "conformance/store_sequence.h"

#include "conformance/compact_object.h"
#include "conformance/results.h"
#include "kinf/cache/index_table.h"

namespace kinf::conformance {
namespace {

Json dump(const StoreReader& store) {
  Json objects = Json::object();
  Json indices = Json::object();
  store.with_read_lock([&](const IndexTable& table) {
    table.for_each(
        [&](const std::string& key, const ObjectPtr& object) { objects[key] = ref_of(object); });
    for (const std::string& name : table.index_names()) {
      Json& values = indices[name] = Json::object();
      table.for_each_value(name, [&](const std::string& value, std::size_t) {
        std::vector<std::string> keys;
        table.for_each_in_index(
            name, value, [&](const std::string& key, const ObjectPtr&) { keys.push_back(key); });
        values[value] = sorted_texts(std::move(keys));
      });
    }
  });
  return {{"objects", std::move(objects)}, {"indices", std::move(indices)}};
}

}  // namespace

std::optional<Json> read_step(const StoreReader& store, const std::string& op, Fields& args) {
  if (op == "get_by_key") {
    const ObjectPtr object = store.get_by_key(args.text("key"));
    return Json{{"exists", static_cast<bool>(object)}, {"obj", ref_of(object)}};
  }
  if (op == "list") return Json{{"objs", sorted_refs_of(store.list())}};
  if (op == "list_keys") return Json{{"keys", sorted_texts(store.list_keys())}};
  if (op == "index") {
    return value_result(store.index(args.text("name"), *object_from(args.at("obj"))), "objs",
                        sorted_refs_of);
  }
  if (op == "by_index") {
    return value_result(store.by_index(args.text("name"), args.text("value")), "objs",
                        sorted_refs_of);
  }
  if (op == "index_keys") {
    return value_result(store.index_keys(args.text("name"), args.text("value")), "keys",
                        [](const std::vector<std::string>& keys) { return Json(keys); });
  }
  if (op == "list_index_func_values") {
    return Json{{"values", sorted_texts(store.list_index_func_values(args.text("name")))}};
  }
  if (op == "get_indexers") {
    Json names = Json::array();
    for (const auto& indexer : store.get_indexers()) names.push_back(indexer.first);
    return Json{{"names", std::move(names)}};
  }
  if (op == "dump") return dump(store);
  return std::nullopt;
}

StoreWrite write_from(const Json& transaction) {
  Fields fields(&transaction, "transaction");
  const std::string type = fields.text("type");
  StoreWrite write;
  write.type = type == "Add"      ? StoreWrite::Type::add
               : type == "Update" ? StoreWrite::Type::update
                                  : StoreWrite::Type::remove;
  if (write.type == StoreWrite::Type::remove && type != "Delete") throw BadVector(type);
  write.key = fields.text_or("key", "");
  write.object = object_from(fields.at("obj"));
  fields.expect_all_read();
  return write;
}

Json store_state(const StoreReader& store) {
  return {{"n", store.size()}, {"rv", store.last_store_sync_resource_version()}};
}

Json write_result(const Result<void>& written, const Json& expected) {
  if (!written && expected.contains("panic")) return {{"panic", written.error().message}};
  return error_result(written);
}

}  // namespace kinf::conformance
