// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/store/ordered_json.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "kinf/base/json_string.h"
#include "kinf/base/limits.h"
#include "kinf/sandbox/store/json_index.h"

namespace kinf::sandbox {
namespace {

/// Returns whether `object` begins with the members named in `keys`, in the order of `keys`.
/// Ignores the keys that `object` lacks.
bool begins_with(const Json& object, std::initializer_list<const char*> keys) {
  if (!object.is_object()) return true;
  const auto& members = object.get_ref<const Json::object_t&>();
  auto next = members.begin();
  for (const char* key : keys) {
    if (next != members.end() && next->first == key) {
      ++next;
    } else if (object.contains(key)) {
      return false;
    }
  }
  return true;
}

/// Builds a document from the parser's events. Unlike Json::parse(), takes linear time for objects
/// with many members. If several members have the same key, keeps the last value at the position of
/// the first.
class DocumentBuilder {
 public:
  Json document;
  std::size_t error_at = 0;  ///< the number of bytes before the syntax error

  bool null() { return add(nullptr); }
  bool boolean(bool value) { return add(value); }
  bool number_integer(Json::number_integer_t value) { return add(value); }
  bool number_unsigned(Json::number_unsigned_t value) { return add(value); }
  bool number_float(Json::number_float_t value, const std::string& /*text*/) { return add(value); }
  bool string(std::string& value) { return add(std::move(value)); }
  bool binary(Json::binary_t& /*value*/) { return false; }  // does not occur in JSON text
  bool start_object(std::size_t /*size*/) {
    Json& object = place() = Json::object();
    open_.push_back({&object, MemberEditor(object)});
    return true;
  }
  bool start_array(std::size_t /*size*/) {
    Json& array = place() = Json::array();
    open_.push_back({&array, std::nullopt});
    return true;
  }
  bool key(std::string& name) {
    member_ = &(*open_.back().members)[name];
    return true;
  }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool parse_error(std::size_t position, const std::string& /*token*/,
                   const Json::exception& /*error*/) {
    error_at = position;
    return false;
  }

 private:
  struct Container {
    Json* json;
    std::optional<MemberEditor> members;  ///< set only if `json` is an object
  };

  /// Returns the place where the parser's next value is stored.
  Json& place() {
    if (open_.empty()) return document;
    if (open_.back().members) return *member_;
    open_.back().json->push_back(nullptr);
    return open_.back().json->back();
  }
  template <class Value>
  bool add(Value&& value) {
    place() = std::forward<Value>(value);
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  std::vector<Container> open_;
  Json* member_ = nullptr;  ///< the place of the value for the last key
};

}  // namespace

std::optional<Json> parse_json(std::string_view text) {
  if (json_depth(text) > limits::kRequestDepth) return std::nullopt;
  DocumentBuilder builder;
  if (!Json::sax_parse(text.begin(), text.end(), &builder)) return std::nullopt;
  return std::optional<Json>(std::in_place, std::move(builder.document));
}

std::string json_problem(std::string_view text) {
  if (json_depth(text) > limits::kRequestDepth) return "json: nested too deeply";
  DocumentBuilder builder;
  if (Json::sax_parse(text.begin(), text.end(), &builder)) return "json: syntax error";
  const std::size_t at = std::min(builder.error_at, text.size());
  const auto line =
      1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
  return "json: line " + std::to_string(line) + ": syntax error";
}

std::string to_text(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string name_of(const Json& object) { return text(field(object, "metadata", "name")); }

std::string uid_of(const Json& object) { return text(field(object, "metadata", "uid")); }

const Json& owners_of(const Json& object) {
  return elements(field(object, "metadata", "ownerReferences"));
}

const Json& at_path(const Json& json, std::string_view path) {
  const Json* at = &json;
  while (!path.empty()) {
    if (path.starts_with('.')) path.remove_prefix(1);
    const std::string_view name = path.substr(0, path.find('.'));
    at = &field(*at, name);
    path.remove_prefix(name.size());
  }
  return *at;
}

Json& object_at(Json& json, std::string_view key) {
  Json& member = json[std::string(key)];
  if (!member.is_object()) member = Json::object();
  return member;
}

Json& array_at(Json& json, std::string_view key) {
  Json& member = json[std::string(key)];
  if (!member.is_array()) member = Json::array();
  return member;
}

bool is_same(const Json& one, const Json& other) {
  if (one.type() != other.type() || !one.is_structured()) return one == other;
  if (one.size() != other.size()) return false;
  if (one.is_array()) return std::equal(one.begin(), one.end(), other.begin(), is_same);
  const MemberIndex members(other);
  return std::ranges::all_of(one.get_ref<const Json::object_t&>(), [&](const auto& member) {
    const Json* found = members.find(member.first);
    return found != nullptr && is_same(member.second, *found);
  });
}

bool has_members(const Json& object, const Json& members) {
  return std::ranges::all_of(members.items(), [&](const auto& member) {
    return field(object, member.key()) == member.value();
  });
}

void move_to_front(Json& object, std::initializer_list<const char*> keys) {
  if (begins_with(object, keys)) return;
  Json result = Json::object();
  for (const char* key : keys) {
    const auto found = object.find(key);
    if (found != object.end()) result[key] = std::move(*found);
  }
  for (auto& [key, value] : object.get_ref<Json::object_t&>()) {
    if (std::ranges::none_of(keys, [&](const char* each) { return key == each; })) {
      append_member(result, key, std::move(value));
    }
  }
  object = std::move(result);
}

}  // namespace kinf::sandbox
