// SPDX-License-Identifier: Apache-2.0
// Helpers to read objects and arrays with simdjson's on-demand parser. This header includes
// simdjson, so only .cc files may include it.
#pragma once

#include <simdjson.h>

#include <string>
#include <string_view>
#include <utility>

#include "kinf/api/object.h"

namespace kinf {

/// Threads: one owner.
class PaddedText {
 public:
  /// Copies `text` and appends Object::kPadding zero bytes. The result is valid until the next
  /// call.
  std::string_view copy(std::string_view text) {
    buffer_.clear();
    buffer_.reserve(text.size() + Object::kPadding);
    buffer_.append(text).append(Object::kPadding, '\0');
    return std::string_view(buffer_).substr(0, text.size());
  }

 private:
  std::string buffer_;
};

/// A member of an object. `name` is unescaped.
struct JsonMember {
  std::string_view name;
  const char* raw_name;  ///< the first byte of the name in the document, after the quote
  simdjson::ondemand::value value;
};

/// Calls `visit(JsonMember&)` for each member. Stops when `visit` returns an error.
template <class Visit>
simdjson::error_code for_each_member(simdjson::ondemand::object object, Visit visit) {
  for (auto entry : object) {
    simdjson::ondemand::field field;
    if (const auto error = std::move(entry).get(field)) return error;
    JsonMember member{{}, field.key().raw(), {}};
    if (const auto error = field.unescaped_key().get(member.name)) return error;
    member.value = field.value();
    if (const auto error = visit(member)) return error;
  }
  return simdjson::SUCCESS;
}

/// Like the overload above, for a value that must be an object. Treats null as an empty object.
template <class Visit>
simdjson::error_code for_each_member(simdjson::ondemand::value value, Visit visit) {
  bool null = false;
  if (const auto error = value.is_null().get(null)) return error;
  if (null) return simdjson::SUCCESS;
  simdjson::ondemand::object object;
  if (const auto error = value.get_object().get(object)) return error;
  return for_each_member(object, visit);
}

/// Calls `visit(value)` for each element. Stops when `visit` returns an error.
template <class Visit>
simdjson::error_code for_each_element(simdjson::ondemand::array array, Visit visit) {
  for (auto entry : array) {
    simdjson::ondemand::value element;
    if (const auto error = std::move(entry).get(element)) return error;
    if (const auto error = visit(element)) return error;
  }
  return simdjson::SUCCESS;
}

/// Like the overload above, for a value that must be an array. Treats null as an empty array.
template <class Visit>
simdjson::error_code for_each_element(simdjson::ondemand::value value, Visit visit) {
  bool null = false;
  if (const auto error = value.is_null().get(null)) return error;
  if (null) return simdjson::SUCCESS;
  simdjson::ondemand::array array;
  if (const auto error = value.get_array().get(array)) return error;
  return for_each_element(array, visit);
}

/// Visits the members of a document. Object::kPadding bytes must be readable after `json`. `parser`
/// and `document` must outlive any values and views that the visitor keeps.
template <class Visit>
simdjson::error_code for_each_member(simdjson::ondemand::parser& parser,
                                     simdjson::ondemand::document& document, std::string_view json,
                                     Visit visit) {
  const std::size_t readable = json.size() + simdjson::SIMDJSON_PADDING;
  if (const auto error = parser.iterate(json.data(), json.size(), readable).get(document)) {
    return error;
  }
  simdjson::ondemand::object root;
  if (const auto error = document.get_object().get(root)) return error;
  return for_each_member(root, visit);
}

/// Visits the members of a copy of `json`. The visitor must not keep views of the copy.
template <class Visit>
simdjson::error_code for_each_member(std::string_view json, Visit visit) {
  PaddedText padded;
  simdjson::ondemand::parser parser;
  simdjson::ondemand::document document;
  return for_each_member(parser, document, padded.copy(json), visit);
}

/// Reads an object or array as JSON text. `text` is empty for null.
inline simdjson::error_code read_raw(simdjson::ondemand::value value, std::string_view& text) {
  bool null = false;
  if (const auto error = value.is_null().get(null)) return error;
  text = {};
  if (null) return simdjson::SUCCESS;
  simdjson::ondemand::json_type type;
  if (const auto error = value.type().get(type)) return error;
  if (type == simdjson::ondemand::json_type::array) {
    simdjson::ondemand::array array;
    if (const auto error = value.get_array().get(array)) return error;
    return array.raw_json().get(text);
  }
  simdjson::ondemand::object object;
  if (const auto error = value.get_object().get(object)) return error;
  return object.raw_json().get(text);
}

/// Reads a string and removes its escapes. `text` is empty for null.
inline simdjson::error_code read_text(simdjson::ondemand::value value, std::string_view& text) {
  bool null = false;
  if (const auto error = value.is_null().get(null)) return error;
  text = {};
  return null ? simdjson::SUCCESS : value.get_string().get(text);
}

inline simdjson::error_code read_text(simdjson::ondemand::value value, std::string& text) {
  std::string_view view;
  const auto error = read_text(value, view);
  text = view;
  return error;
}

}  // namespace kinf
