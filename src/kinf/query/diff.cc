// SPDX-License-Identifier: Apache-2.0
// Reads both documents side by side. If the next member has the same bytes in both, one comparison
// skips it; only members that differ are parsed further. Servers write members in a fixed order, so
// members are matched by name only from the first one that was added or removed.
#include "kinf/query/diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "kinf/base/limits.h"
#include "kinf/query/json_reader.h"

namespace kinf {
namespace {

/// Values below this depth are compared as a whole.
constexpr std::size_t kDeepestPath = 512;

/// A member with its name, or an item of a list with its merge key or position.
struct Named {
  std::string name;
  std::string_view value;
};

using Names = std::vector<std::pair<std::string_view, std::size_t>>;

/// Returns the names with their indexes, sorted by name.
Names sorted_names(const std::vector<Named>& values) {
  Names names;
  names.reserve(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) names.emplace_back(values[i].name, i);
  std::ranges::sort(names);
  return names;
}

std::size_t find_name(const Names& names, std::string_view name) {
  const auto found = std::ranges::lower_bound(names, name, {}, &Names::value_type::first);
  return found == names.end() || found->first != name ? kNoIndex : found->second;
}

bool is_unique(const std::vector<Named>& values) {
  const Names names = sorted_names(values);
  return std::ranges::adjacent_find(names, {}, &Names::value_type::first) == names.end();
}

/// Returns the text of a value that can identify an item, such as a string or number. Returns
/// nullopt for objects and lists.
std::optional<std::string> key_text(std::string_view value) {
  if (value.front() == '"') return json_string(value);
  if (value.front() == '{' || value.front() == '[') return std::nullopt;
  return std::string(value);
}

std::optional<std::string> item_name(std::string_view item, const MergeKey& key) {
  if (item.front() != '{') return std::nullopt;
  std::optional<std::string> first;
  std::optional<std::string> second;
  JsonReader reader(item);
  JsonReader::Piece piece;
  while ((!first || (!second && !key.second.empty())) && reader.next(piece)) {
    const std::string_view name = piece.key.substr(1, piece.key.size() - 2);
    if (name == key.first) first = key_text(piece.value);
    if (!key.second.empty() && name == key.second) second = key_text(piece.value);
  }
  if (first && second) *first += key.separator + *second;
  return first;
}

/// Sets the names of the items with `name_of`. Returns false if an item has no name, or if two have
/// the same.
template <class NameOf>
bool name_items(std::vector<Named>& items, NameOf name_of) {
  for (Named& item : items) {
    std::optional<std::string> name = name_of(item.value);
    if (!name) return false;
    item.name = *std::move(name);
  }
  return is_unique(items);
}

std::string member_name(std::string_view quoted) {
  std::optional<std::string> name = json_string(quoted);
  return name ? *std::move(name) : std::string(quoted);
}

bool read_rest(JsonReader& reader, std::vector<Named>& rest) {
  JsonReader::Piece piece;
  while (reader.next(piece)) {
    rest.push_back({reader.is_object() ? member_name(piece.key) : std::string(), piece.value});
  }
  return reader.is_at_end();
}

class DiffWalk {
 public:
  explicit DiffWalk(DiffPath path = {}) : path_(std::move(path)) {}

  bool compare(std::string_view old_value, std::string_view new_value) {
    if (old_value == new_value) return true;
    const char kind = old_value.front();
    if (kind == new_value.front() && path_.size() < kDeepestPath) {
      if (kind == '{') return compare_objects(old_value, new_value);
      if (kind == '[') return compare_lists(old_value, new_value);
      const bool escaped = old_value.find('\\') != std::string_view::npos ||
                           new_value.find('\\') != std::string_view::npos;
      if (kind == '"' && escaped && json_string(old_value) == json_string(new_value)) return true;
    }
    changed(old_value, new_value);
    return true;
  }
  ObjectDiff take() { return std::move(result_); }
  /// Returns whether the differences are incomplete, because their paths take too much memory.
  bool is_full() const { return path_bytes_ > limits::kDiffPathBytes; }

 private:
  bool compare_objects(std::string_view old_value, std::string_view new_value) {
    JsonReader olds(old_value);
    JsonReader news(new_value);
    std::vector<Named> old_rest;
    std::vector<Named> new_rest;
    JsonReader::Piece old_member;
    JsonReader::Piece new_member;
    while (olds.next(old_member)) {
      if (news.skip_same(olds.last_text())) continue;
      const bool both = news.next(new_member);
      if (both && old_member.key == new_member.key) {
        DiffStep step{DiffStep::Kind::member, member_name(old_member.key)};
        if (!compare_at(std::move(step), old_member.value, new_member.value)) return false;
        continue;
      }
      old_rest.push_back({member_name(old_member.key), old_member.value});
      if (both) new_rest.push_back({member_name(new_member.key), new_member.value});
      break;
    }
    if (!read_rest(olds, old_rest) || !read_rest(news, new_rest)) return false;
    if (old_rest.empty() && new_rest.empty()) return true;
    return compare_named(old_rest, new_rest, DiffStep::Kind::member);
  }
  bool compare_lists(std::string_view old_value, std::string_view new_value) {
    std::vector<Named> olds;
    std::vector<Named> news;
    JsonReader old_items(old_value);
    JsonReader new_items(new_value);
    if (!read_rest(old_items, olds) || !read_rest(new_items, news)) return false;
    const MergeKey* key = nullptr;
    if (name_all(olds, news, key)) return compare_named(olds, news, DiffStep::Kind::item, key);
    for (auto* items : {&olds, &news}) {
      for (std::size_t i = 0; i < items->size(); ++i) (*items)[i].name = fmt::format_int(i).str();
    }
    return compare_named(olds, news, DiffStep::Kind::position);
  }
  bool compare_named(const std::vector<Named>& olds, const std::vector<Named>& news,
                     DiffStep::Kind kind, const MergeKey* key = nullptr) {
    std::vector<std::size_t> old_of_new(news.size(), kNoIndex);
    std::vector<bool> kept(olds.size(), false);
    const Names names = sorted_names(olds);
    bool in_order = olds.size() == news.size();
    for (std::size_t i = 0; i < news.size(); ++i) {
      const std::size_t old_index = find_name(names, news[i].name);
      in_order = in_order && old_index == i;
      if (old_index == kNoIndex || kept[old_index]) continue;
      old_of_new[i] = old_index;
      kept[old_index] = true;
    }
    if (kind != DiffStep::Kind::member && !in_order && has_room(news.size())) {
      ListOrder order{path_, olds.size(), {}};
      for (std::size_t i = 0; i < news.size(); ++i) {
        const bool added = old_of_new[i] == kNoIndex;
        order.items.push_back({old_of_new[i], added ? news[i].value : std::string_view()});
      }
      result_.lists.push_back(std::move(order));
    }
    std::size_t old_index = 0;
    const auto pass_removed = [&] {
      for (; old_index < olds.size() && !kept[old_index]; ++old_index) {
        const Named& removed = olds[old_index];
        compare_at({kind, removed.name, old_index, kNoIndex, key}, removed.value, {});
      }
    };
    for (std::size_t i = 0; i < news.size(); ++i) {
      pass_removed();
      const std::size_t match = old_of_new[i];
      const bool added = match == kNoIndex;
      if (!added) ++old_index;
      if (!compare_at({kind, news[i].name, match, i, key},
                      added ? std::string_view() : olds[match].value, news[i].value)) {
        return false;
      }
    }
    pass_removed();
    return true;
  }
  /// Names the items of a list by the first of its merge keys that gives all of them different
  /// names. Returns false if no merge key does. Sets `key` to that merge key, or to null if the
  /// items are strings.
  bool name_all(std::vector<Named>& olds, std::vector<Named>& news, const MergeKey*& key) const {
    if (path_.empty() || path_.back().kind != DiffStep::Kind::member) return false;
    const MergeKey* tried = nullptr;
    for (const ListField& list : lists_named(path_.back().name)) {
      if (list.key == std::exchange(tried, list.key)) continue;
      const auto name_of = [&](std::string_view item) {
        return tried->first.empty() ? json_string(item) : item_name(item, *tried);
      };
      key = tried->first.empty() ? nullptr : tried;
      if (name_items(olds, name_of) && name_items(news, name_of)) return true;
    }
    return false;
  }
  /// Compares the values at `step` below the current path. A value is empty if its document does
  /// not have this step.
  bool compare_at(DiffStep step, std::string_view old_value, std::string_view new_value) {
    path_.push_back(std::move(step));
    bool read = true;
    if (old_value.empty() || new_value.empty()) {
      changed(old_value, new_value);
    } else {
      read = compare(old_value, new_value);
    }
    path_.pop_back();
    return read;
  }
  void changed(std::string_view old_value, std::string_view new_value) {
    if (has_room(1)) result_.changes.push_back({path_, old_value, new_value});
  }
  /// Returns whether there is memory for `copies` of the path, and counts them.
  bool has_room(std::size_t copies) {
    std::size_t bytes = sizeof(Difference);
    for (const DiffStep& step : path_) bytes += sizeof(DiffStep) + step.name.size();
    path_bytes_ += copies * bytes;
    return !is_full();
  }

  DiffPath path_;
  std::size_t path_bytes_ = 0;
  ObjectDiff result_;
};

}  // namespace

Result<ObjectDiff> diff(std::string_view old_json, std::string_view new_json) {
  const std::string_view old_value = trim_json(old_json);
  const std::string_view new_value = trim_json(new_json);
  DiffWalk walk;
  if (old_value.empty() || new_value.empty() || !walk.compare(old_value, new_value)) {
    return fail(ErrorKind::protocol, "a document that cannot be read");
  }
  if (walk.is_full()) {
    ObjectDiff whole;
    whole.changes.push_back({{}, old_value, new_value});
    return whole;
  }
  return walk.take();
}

std::vector<Difference> expanded(const Difference& change) {
  const bool added = change.old_value.empty();
  const std::string_view value = added ? change.new_value : change.old_value;
  if (value.starts_with('[') && added != change.new_value.empty()) {
    DiffWalk walk(change.path);
    const bool read = added ? walk.compare("[]", value) : walk.compare(value, "[]");
    std::vector<Difference> items = walk.take().changes;
    if (read && !walk.is_full() && !items.empty() &&
        items[0].path.back().kind == DiffStep::Kind::item)
      return items;
  }
  return {change};
}

namespace {

// The characters that path_text() escapes with a backslash: first those in a name after a dot, then
// those in a name in brackets.
constexpr std::string_view kSpecialInName = ".[]\\'\"*";
constexpr std::string_view kSpecialInBrackets = "]\\'\"*";

void append_escaped(std::string& out, std::string_view name, std::string_view special) {
  for (const char c : name) {
    if (special.find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
}

std::unexpected<Error> refusal(std::string_view text) {
  return fail(ErrorKind::usage, "{}: not a path such as .status.conditions[Ready].status", text);
}

}  // namespace

std::string path_text(std::span<const DiffStep> path) {
  std::string text;
  for (const DiffStep& step : path) {
    switch (step.kind) {
      case DiffStep::Kind::member:
        text += '.';
        append_escaped(text, step.name, kSpecialInName);
        break;
      case DiffStep::Kind::item:
        text += '[';
        append_escaped(text, step.name, kSpecialInBrackets);
        text += ']';
        break;
      case DiffStep::Kind::position:
        text += fmt::format("[{}]", step.new_index == kNoIndex ? step.old_index : step.new_index);
        break;
    }
  }
  return text.empty() ? "." : text;
}

Result<DiffPattern> DiffPattern::parse(std::string_view text) {
  DiffPattern pattern;
  std::size_t at = 0;
  // Takes characters up to one of `ends`. A backslash escapes the next character.
  const auto name_until = [&](std::string_view ends) {
    std::string name;
    for (; at < text.size() && ends.find(text[at]) == std::string_view::npos; ++at) {
      if (text[at] == '\\' && at + 1 < text.size()) ++at;
      name += text[at];
    }
    return name;
  };
  while (at < text.size()) {
    Step step;
    if (text[at] == '.') {
      ++at;
      step.is_any = text.substr(at, 1) == "*";
      step.name = name_until(".[");
      if (step.is_any && step.name != "*") return refusal(text);
    } else if (text[at] == '[') {
      ++at;
      const char quote = at < text.size() ? text[at] : '\0';
      if (quote == '\'' || quote == '"') {
        ++at;
        step.name = name_until(std::string_view(&quote, 1));
        ++at;
      } else {
        step.is_any = text.substr(at, 2) == "*]";
        step.name = name_until("]");
      }
      if (at >= text.size() || text[at] != ']') return refusal(text);
      ++at;
    } else {
      return refusal(text);
    }
    if (step.name.empty()) return refusal(text);
    pattern.steps_.push_back(std::move(step));
  }
  if (pattern.steps_.empty()) return refusal(text);
  return pattern;
}

bool DiffPattern::matches(const Step& step, const DiffStep& at) {
  if (step.is_any) return true;
  if (at.kind == DiffStep::Kind::member) return step.name == at.name;
  if (at.kind == DiffStep::Kind::item && step.name == at.name) return true;
  const auto is_number = [&](std::size_t index) {
    return index != kNoIndex && step.name == fmt::format_int(index).c_str();
  };
  return is_number(at.old_index) || is_number(at.new_index);
}

bool DiffPattern::covers(std::span<const DiffStep> path) const {
  return steps_.size() <= path.size() &&
         std::equal(steps_.begin(), steps_.end(), path.begin(), matches);
}

bool DiffPattern::is_below(std::span<const DiffStep> path) const {
  return steps_.size() > path.size() &&
         std::equal(path.begin(), path.end(), steps_.begin(),
                    [](const DiffStep& at, const Step& step) { return matches(step, at); });
}

}  // namespace kinf
