// SPDX-License-Identifier: Apache-2.0
// The deltas of a queue as short text: `Added a@1`, `Deleted? a@2` (a tombstone),
// `ReplacedAll 9 [a@1 b@2]`.
#pragma once

#include <string>
#include <vector>

#include "kinf/cache/queue.h"

namespace kinf::test {

/// Where the changes that tests put into a queue come from.
inline constexpr ChangeOrigin kWatch{};
inline constexpr ChangeOrigin kList{ChangeSource::list, {}};

inline std::string text_of(const ObjectPtr& object) {
  if (!object) return "none";
  return std::string(object->name()) + "@" + std::string(object->resource_version());
}

inline std::string text_of(const Delta& delta) {
  std::string text(to_string(delta.type));
  if (delta.is_tombstone) text += "?";
  if (delta.type == DeltaType::replaced_all) {
    text += " " + delta.resource_version + " [";
    for (const ObjectPtr& object : delta.objects) {
      if (text.back() != '[') text += " ";
      text += text_of(object);
    }
    return text + "]";
  }
  if (delta.type == DeltaType::sync_all) return text;
  if (delta.type == DeltaType::bookmark) return text + " " + delta.resource_version;
  return text + " " + text_of(delta.object);
}

inline std::string text_of(const Deltas& deltas) {
  std::string text;
  for (const Delta& delta : deltas) {
    if (!text.empty()) text += ", ";
    text += text_of(delta);
  }
  return text;
}

inline std::string text_of(const std::vector<Deltas>& units) {
  std::string text;
  for (const Deltas& deltas : units) text += (text.empty() ? "" : ", ") + text_of(deltas);
  return text;
}

/// Pops one unit without waiting; returns an empty text if there is none.
inline std::string pop_text(Queue& queue, bool* is_in_initial_list = nullptr) {
  std::string text;
  const Result<bool> popped = queue.try_pop([&](Popped& one) -> Result<void> {
    text = text_of(one.deltas);
    if (is_in_initial_list != nullptr) *is_in_initial_list = one.is_in_initial_list;
    return {};
  });
  return popped ? text : popped.error().message;
}

/// Pops everything, a batch at a time.
inline std::vector<std::string> pop_batches(Queue& queue) {
  std::vector<std::string> texts;
  const PopHandler note = [&](Popped& one) -> Result<void> {
    texts.push_back(text_of(one.deltas));
    return {};
  };
  while (queue.try_pop_batch(note).value_or(false)) {
  }
  return texts;
}

}  // namespace kinf::test
