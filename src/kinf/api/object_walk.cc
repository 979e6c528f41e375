// SPDX-License-Identifier: Apache-2.0
// Reads strings 16 bytes at a time, in the members that it extracts. Skips everything else (spec,
// status, most of managedFields) with JsonScan, which processes blocks of 64 bytes.
#include "kinf/api/object_walk.h"

#include <simdjson.h>

#include "kinf/api/object_trim.h"
#include "kinf/base/timestamp.h"

namespace kinf {
bool ObjectWalk::run() {
  const std::string_view json(at_, static_cast<std::size_t>(end_ - at_));
  if (!members([&](std::string_view name, const char*) { return document_member(name); }) ||
      at_ != end_ || seen_.control) {
    return false;
  }
  return !seen_.beyond_ascii || simdjson::validate_utf8(json.data(), json.size());
}

/// Calls `visit(name, opening quote of the name)` for each member of the object at the current
/// position. Stops when `visit` returns false.
template <class Visit>
bool ObjectWalk::members(Visit visit) {
  if (!take('{')) return false;
  if (take('}')) return true;
  do {
    skip_blanks();
    const char* const member = at_;
    std::string_view name;
    if (!read_string(name) || !take(':')) return false;
    skip_blanks();
    if (at_ == end_ || !visit(name, member)) return false;
  } while (take(','));
  return take('}');
}

template <class Visit>
bool ObjectWalk::elements(Visit visit) {
  if (!take('[')) return false;
  if (take(']')) return true;
  do {
    skip_blanks();
    if (!visit()) return false;
  } while (take(','));
  return take(']');
}

bool ObjectWalk::document_member(std::string_view name) {
  if (name == "kind") return read_new(facts_.kind);
  if (name == "apiVersion") return read_new(facts_.api_version);
  if (name != "metadata") return skip_value();
  if (std::exchange(seen_metadata_, true)) return false;
  return members([&](std::string_view inner, const char* member) {
           return metadata_member(inner, member);
         }) &&
         !is_held();
}

bool ObjectWalk::metadata_member(std::string_view name, const char* member) {
  switch (name.size()) {
    case 3:
      if (name == "uid") return read_identity(facts_.uid);
      break;
    case 4:
      if (name == "name") return read_identity(facts_.name);
      break;
    case 6:
      if (name == "labels") return read_labels();
      break;
    case 9:
      if (name == "namespace") return read_identity(facts_.ns);
      break;
    case 13:
      if (name == "managedFields") return read_managed_fields(member);
      break;
    case 15:
      if (name == "resourceVersion") return read_identity(facts_.resource_version);
      if (name == "ownerReferences") {
        return facts_.owners.empty() && elements([&] { return read_owner(); });
      }
      break;
    case 17:
      if (name == "creationTimestamp") {
        std::string_view text;
        if (!read_string(text)) return false;
        facts_.creation_time = parse_timestamp(text);
        return true;
      }
      if (name == "deletionTimestamp") {
        std::string_view text;
        facts_.deleting = true;
        return read_string(text);
      }
      break;
  }
  return skip_value();
}

bool ObjectWalk::read_labels() {
  if (!facts_.labels.empty()) return false;
  return members([&](std::string_view name, const char*) {
    return read_string(facts_.labels.emplace_back(name, std::string_view()).second);
  });
}

bool ObjectWalk::read_owner() {
  OwnerReference& owner = facts_.owners.emplace_back();
  return members([&](std::string_view name, const char*) {
    if (name == "apiVersion") return read_new(owner.api_version);
    if (name == "kind") return read_new(owner.kind);
    if (name == "name") return read_new(owner.name);
    if (name == "uid") return read_new(owner.uid);
    if (name != "controller") return skip_value();
    const char* const value = at_;
    if (!skip_scalar()) return false;
    const std::string_view text(value, static_cast<std::size_t>(at_ - value));
    owner.controller = text == "true";
    return text == "true" || text == "false";
  });
}

/// Reads the entries of managedFields if they are asked for. Cuts managedFields out unless
/// keep_managed_fields_ is set.
bool ObjectWalk::read_managed_fields(const char* member) {
  if (std::exchange(seen_managed_fields_, true)) return false;
  if (writers_ == nullptr ? !skip_value() : !elements([&] { return read_writer(); })) return false;
  skip_blanks();
  if (at_ == end_ || (*at_ != ',' && *at_ != '}')) return false;
  if (!keep_managed_fields_) JsonCutter(facts_.json, facts_.cuts).cut(member, at_);
  return true;
}

bool ObjectWalk::read_writer() {
  ManagedFieldsEntry entry;
  const bool read = members([&](std::string_view name, const char*) {
    if (std::string_view* const text = entry.text(name)) return read_new(*text);
    const char* const value = at_;
    if (!skip_value()) return false;
    if (name == "fieldsV1") entry.fields = {value, static_cast<std::size_t>(at_ - value)};
    return true;
  });
  if (read) writers_->add(entry);
  return read;
}

/// Reads a string into `text`. Returns false if `text` is already set.
bool ObjectWalk::read_new(std::string_view& text) {
  return text.data() == nullptr && read_string(text);
}

/// Reads name, namespace, uid or resourceVersion. Returns false, which ends the walk, if all four
/// are known and the store holds the object in the same version. For objects without a namespace,
/// document_member() checks this at the end of the metadata.
bool ObjectWalk::read_identity(std::string_view& text) {
  return read_new(text) && (facts_.ns.empty() || !is_held());
}

/// Returns whether the store holds the object in the same version. Calls `known_` at most once.
bool ObjectWalk::is_held() {
  if (!known_ || asked_ || facts_.name.empty() || facts_.uid.empty() ||
      facts_.resource_version.empty()) {
    return false;
  }
  asked_ = true;
  held_ = known_(facts_);
  return static_cast<bool>(held_);
}

bool ObjectWalk::read_string(std::string_view& text) {
  if (at_ == end_ || *at_ != '"') return false;
  const char* const begin = at_ + 1;
  const char* const quote = find_in_string(begin, end_, seen_);
  if (quote == end_ || *quote != '"') return false;
  text = {begin, static_cast<std::size_t>(quote - begin)};
  at_ = quote + 1;
  return true;
}

bool ObjectWalk::skip_value() {
  switch (*at_) {
    case '"': return skip_string();
    case '{':
    case '[': return skip_nested();
    default: return skip_scalar();
  }
}

bool ObjectWalk::skip_string() {
  const char* at = at_ + 1;
  for (;;) {
    at = find_in_string(at, end_, seen_);
    if (at == end_) return false;
    if (*at == '"') break;
    if (end_ - at < 2) return false;
    note_byte(at[1], seen_);
    at += 2;
  }
  at_ = at + 1;
  return true;
}

bool ObjectWalk::skip_nested() {
  JsonScan scan;
  scan.start(*at_);
  const char* const behind = scan.run(at_ + 1, end_);
  if (behind == nullptr || scan.seen().control) return false;
  seen_.beyond_ascii = seen_.beyond_ascii || scan.seen().beyond_ascii;
  at_ = behind;
  return true;
}

bool ObjectWalk::skip_scalar() {
  const char* const begin = at_;
  while (at_ != end_ && is_scalar_byte(*at_)) ++at_;
  return at_ != begin;
}

bool ObjectWalk::take(char c) {
  skip_blanks();
  if (at_ == end_ || *at_ != c) return false;
  ++at_;
  return true;
}

void ObjectWalk::skip_blanks() {
  while (at_ != end_ && *at_ == ' ') ++at_;
}

}  // namespace kinf
