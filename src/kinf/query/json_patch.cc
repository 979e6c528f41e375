// SPDX-License-Identifier: Apache-2.0
// The first operations put the lists in their new order, outer lists before inner ones. After that,
// every item has its new index, which all other operations use.
#include "kinf/query/json_patch.h"

#include <fmt/format.h>

#include <algorithm>

namespace kinf {
namespace {

using Kind = PatchOperation::Kind;

std::string pointer_to(std::span<const DiffStep> path) {
  std::string pointer;
  for (const DiffStep& step : path) {
    pointer += '/';
    if (step.kind != DiffStep::Kind::member) {
      pointer += fmt::format_int(step.new_index).c_str();
      continue;
    }
    for (const char c : step.name) {
      pointer += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
    }
  }
  return pointer;
}

/// The items that remain in their old order behind those already in place. A Fenwick tree, because
/// a list may have 100,000 items in reverse. Threads: one owner.
class RemainingItems {
 public:
  explicit RemainingItems(const std::vector<bool>& kept) : sums_(kept.size() + 1) {
    for (std::size_t i = 1; i < sums_.size(); ++i) {
      sums_[i] += kept[i - 1] ? 1 : 0;
      if (const std::size_t next = i + lowest_bit(i); next < sums_.size()) sums_[next] += sums_[i];
    }
  }
  /// Returns how many remaining items are before the one with this old index.
  std::size_t before(std::size_t old_index) const {
    std::size_t sum = 0;
    for (std::size_t i = old_index; i > 0; i -= lowest_bit(i)) sum += sums_[i];
    return sum;
  }
  void remove(std::size_t old_index) {
    for (std::size_t i = old_index + 1; i < sums_.size(); i += lowest_bit(i)) --sums_[i];
  }

 private:
  static std::size_t lowest_bit(std::size_t i) { return i & (~i + 1); }

  std::vector<std::size_t> sums_;
};

void put_in_order(const ListOrder& list, std::vector<PatchOperation>& patch) {
  const std::string pointer = pointer_to(list.path);
  const auto item = [&](std::size_t index) { return fmt::format("{}/{}", pointer, index); };
  std::vector<bool> kept(list.old_size, false);
  for (const ListOrder::Item& known : list.items) {
    if (known.old_index != kNoIndex) kept[known.old_index] = true;
  }
  for (std::size_t i = list.old_size; i-- > 0;) {
    if (!kept[i]) patch.push_back({Kind::remove, item(i), "", {}, list.path});
  }
  RemainingItems remaining(kept);
  for (std::size_t i = 0; i < list.items.size(); ++i) {
    const ListOrder::Item& wanted = list.items[i];
    if (wanted.old_index == kNoIndex) {
      patch.push_back({Kind::add, item(i), "", wanted.added, list.path});
      continue;
    }
    const std::size_t from = i + remaining.before(wanted.old_index);
    if (from != i) patch.push_back({Kind::move, item(i), item(from), {}, list.path});
    remaining.remove(wanted.old_index);
  }
}

}  // namespace

std::string_view operation_word(PatchOperation::Kind kind) {
  // The words are in the order of Kind.
  constexpr std::string_view kWords[] = {"add", "remove", "replace", "move"};
  static_assert(std::size(kWords) == static_cast<std::size_t>(PatchOperation::Kind::move) + 1);
  return kWords[static_cast<std::size_t>(kind)];
}

std::vector<PatchOperation> json_patch(const ObjectDiff& diff) {
  std::vector<PatchOperation> patch;
  for (const ListOrder& list : diff.lists) put_in_order(list, patch);
  for (const Difference& change : diff.changes) {
    const bool in_list = !change.path.empty() && change.path.back().kind != DiffStep::Kind::member;
    const bool added = change.old_value.empty();
    const bool removed = change.new_value.empty();
    if (in_list && (added || removed)) continue;  // put_in_order() added or removed the item
    const Kind kind = added ? Kind::add : removed ? Kind::remove : Kind::replace;
    patch.push_back({kind, pointer_to(change.path), "", change.new_value, change.path});
  }
  return patch;
}

}  // namespace kinf
