// SPDX-License-Identifier: Apache-2.0
#include "kinf/api/object_trim.h"

#include <algorithm>

#include "kinf/api/json_scan.h"

namespace kinf {

/// Follows the paths of an ObjectTrim through a document. Skips all other values without parsing
/// them.
class ObjectTrim::Walk {
 public:
  Walk(std::string_view json, JsonCutter::Cuts& cuts)
      : at_(json.data()), end_(json.data() + json.size()), cutter_(json, cuts) {}

  /// Reads the value at the current position. If `keep` is null, keeps the whole value. If `drop`
  /// is null, drops nothing.
  bool read(const Node* keep, const Node* drop) {
    skip_blanks();
    if (at_ == end_) return false;
    if (keep == nullptr && drop == nullptr) return skip_value();
    if (*at_ == '{') return read_items('}', keep, drop);
    if (*at_ == '[') return read_items(']', keep, drop);
    return skip_value();
  }

 private:
  /// Reads the members of an object or the elements of a list.
  bool read_items(char close, const Node* keep, const Node* drop) {
    ++at_;
    if (take(close)) return true;
    do {
      skip_blanks();
      const char* const item = at_;
      PathStep::Kind kind = PathStep::Kind::each_element;
      std::string_view name;
      if (close == '}') {
        kind = PathStep::Kind::member;
        if (!read_name(name) || !take(':')) return false;
      }
      const Node* const kept = find(keep, kind, name);
      const Node* const dropped = find(drop, kind, name);
      const bool is_cut =
          (keep != nullptr && kept == nullptr) || (dropped != nullptr && dropped->is_end);
      if (!read(is_cut || kept == nullptr || kept->is_end ? nullptr : kept,
                is_cut ? nullptr : dropped)) {
        return false;
      }
      skip_blanks();
      if (at_ == end_ || (*at_ != ',' && *at_ != close)) return false;
      if (is_cut) cutter_.cut(item, at_);
    } while (take(','));
    return take(close);
  }

  bool read_name(std::string_view& name) {
    const char* const begin = at_;
    if (at_ == end_ || *at_ != '"' || !skip_value()) return false;
    name = {begin + 1, static_cast<std::size_t>(at_ - begin) - 2};
    return true;
  }

  bool skip_value() {
    if (*at_ == '"' || *at_ == '{' || *at_ == '[') {
      const char* const behind = end_of_value(at_, end_);
      if (behind != nullptr) at_ = behind;
      return behind != nullptr;
    }
    const char* const begin = at_;
    constexpr std::string_view kEnds = ",]} \t\r\n";
    while (at_ != end_ && !kEnds.contains(*at_)) ++at_;
    return at_ != begin;
  }

  bool take(char c) {
    skip_blanks();
    if (at_ == end_ || *at_ != c) return false;
    ++at_;
    return true;
  }

  void skip_blanks() {
    while (at_ != end_ && is_json_blank(*at_)) ++at_;
  }

  const char* at_;
  const char* const end_;
  JsonCutter cutter_;
};

ObjectTrim::ObjectTrim(const std::vector<ObjectPath>& drop, const std::vector<ObjectPath>& keep) {
  const auto member = [](const char* name) { return PathStep{PathStep::Kind::member, name, 0}; };
  for (const ObjectPath& path : drop) add(drop_, path);
  if (keep.empty()) return;
  for (const ObjectPath& path : keep) add(keep_, path);
  for (const char* name : {"apiVersion", "kind"}) add(keep_, {member(name)});
  for (const char* name :
       {"name", "namespace", "uid", "resourceVersion", "creationTimestamp", "deletionTimestamp"}) {
    add(keep_, {member("metadata"), member(name)});
  }
}

void ObjectTrim::add(Node& root, const ObjectPath& path) {
  Node* node = &root;
  for (const PathStep& step : path) {
    auto next = std::ranges::find(node->next, step, &Node::step);
    if (next == node->next.end()) next = node->next.insert(next, Node{step, false, {}});
    node = &*next;
  }
  node->is_end = true;
}

const ObjectTrim::Node* ObjectTrim::find(const Node* node, PathStep::Kind kind,
                                         std::string_view name) {
  if (node == nullptr) return nullptr;
  const auto next = std::ranges::find_if(node->next, [&](const Node& each) {
    return each.step.kind == kind && each.step.name == name;
  });
  return next == node->next.end() ? nullptr : &*next;
}

bool ObjectTrim::cut(std::string_view json, JsonCutter::Cuts& cuts) const {
  if (!json.starts_with('{')) return false;
  return Walk(json, cuts)
      .read(keep_.next.empty() ? nullptr : &keep_, drop_.next.empty() ? nullptr : &drop_);
}

}  // namespace kinf
