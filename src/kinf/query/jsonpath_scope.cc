// SPDX-License-Identifier: Apache-2.0
// Evaluates a template without a document: computes in which part of a document the values are,
// instead of the values themselves.
#include "kinf/query/jsonpath_scope.h"

#include <algorithm>

namespace kinf::jsonpath {
namespace {

/// The place of a value in the document.
enum class Place {
  object,
  list,
  items,  ///< the items of a List
  event,
  harmless,  ///< in the metadata of an object, or outside of all objects
  elsewhere,
};

Place place_of(Document document) {
  if (document == Document::list) return Place::list;
  return document == Document::event ? Place::event : Place::object;
}

/// Walks through the actions of one template.
class Scope {
 public:
  explicit Scope(Place root) : roots_{root} {}

  bool allows(const std::vector<Node>& nodes) {
    return std::ranges::all_of(nodes, [&](const Node& node) { return allows_action(node); });
  }

  /// Returns whether an action names a field of an object outside its metadata.
  bool names_more(const std::vector<Node>& nodes) {
    for (const Node& node : nodes) allows_action(node);
    return names_more_;
  }

 private:
  /// Returns whether an action reads only metadata. The action may print values, begin a range over
  /// them, or end a range.
  bool allows_action(const Node& node) {
    begins_ = ends_ = false;
    const Place found = walk(roots_.back(), node);
    if (ends_) {
      if (begins_ || roots_.size() == 1) return false;
      roots_.pop_back();
      return true;
    }
    if (!begins_) return found == Place::harmless;
    roots_.push_back(found);
    return found != Place::elsewhere;
  }

  Place walk(Place from, const Node& node) {
    switch (node.type) {
      case NodeType::list:
        for (const Node& child : node.children) from = walk(from, child);
        return from;
      case NodeType::text:
      case NodeType::integer:
      case NodeType::number:
      case NodeType::boolean: return Place::harmless;
      case NodeType::field: return walk_field(from, node.text);
      case NodeType::array:
      case NodeType::wildcard: return item_of(from);
      case NodeType::filter:
        return allows_filter(item_of(from), node) ? item_of(from) : Place::elsewhere;
      case NodeType::recursive: return from == Place::harmless ? from : Place::elsewhere;
      case NodeType::union_of: return walk_union(from, node);
      case NodeType::identifier: (node.text == "range" ? begins_ : ends_) = true; return from;
    }
    return Place::elsewhere;
  }

  Place walk_field(Place from, const std::string& name) {
    switch (from) {
      case Place::object:
        // A template for a List can also be applied to an object, which has no `items`.
        names_more_ = names_more_ || (name != "metadata" && name != "kind" &&
                                      name != "apiVersion" && name != "items");
        return name == "metadata" ? Place::harmless : Place::elsewhere;
      case Place::list: return name == "items" ? Place::items : Place::harmless;
      case Place::event:
        if (name == "object" || name == "old") return Place::object;
        return name == "diff" || name == "patch" ? Place::elsewhere : Place::harmless;
      case Place::harmless: return Place::harmless;
      case Place::items:
      case Place::elsewhere: break;
    }
    return Place::elsewhere;
  }

  static Place item_of(Place from) {
    if (from == Place::items) return Place::object;
    return from == Place::harmless ? from : Place::elsewhere;
  }

  Place walk_union(Place from, const Node& node) {
    Place all = node.children.empty() ? Place::elsewhere : walk(from, node.children.front());
    for (const Node& child : node.children) {
      if (walk(from, child) != all) all = Place::elsewhere;
    }
    return all;
  }

  /// Returns whether a filter reads only metadata. Its children are operands, which are nodes of
  /// type `list`, or inner filters.
  bool allows_filter(Place item, const Node& filter) {
    return std::ranges::all_of(filter.children, [&](const Node& child) {
      if (child.type == NodeType::filter) return allows_filter(item, child);
      return walk(item, child) == Place::harmless;
    });
  }

  std::vector<Place> roots_;  ///< the places at which paths start: in the template, in each range
  bool begins_ = false;       ///< whether the action begins a range
  bool ends_ = false;         ///< whether the action ends a range, or has an unknown word
  bool names_more_ = false;   ///< see names_more()
};

}  // namespace

bool reads_only_metadata(const std::vector<Node>& nodes, Document document) {
  return Scope(place_of(document)).allows(nodes);
}

bool reads_beyond_metadata(const std::vector<Node>& nodes, Document document) {
  return Scope(place_of(document)).names_more(nodes);
}

}  // namespace kinf::jsonpath
