// SPDX-License-Identifier: Apache-2.0
// A stream of JSON (--from -) gives the same items and the same changes, no matter how it is split.
// Each item is the only one of the event that kinf would print for it.
#include <algorithm>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "fuzz/properties.h"
#include "kinf/base/log.h"
#include "unit/recording/play/stream_rig.h"

namespace kinf::fuzz {
namespace {

std::deque<std::string> split(std::string_view text, std::size_t piece) {
  std::deque<std::string> pieces;
  for (; !text.empty(); text.remove_prefix(std::min(piece, text.size()))) {
    pieces.emplace_back(text.substr(0, piece));
  }
  return pieces;
}

struct Items {
  std::vector<StreamItem> items;
  bool has_failed = false;
};

Items decode(const std::deque<std::string>& pieces) {
  Items found;
  StreamDecoder decoder;
  const auto drain = [&] {
    for (;;) {
      Result<std::optional<StreamItem>> item = decoder.next();
      found.has_failed = !item.has_value();
      if (!item || !*item) return;
      found.items.push_back(**std::move(item));
    }
  };
  for (const std::string& piece : pieces) {
    decoder.feed(piece);
    drain();
  }
  decoder.finish();
  drain();
  return found;
}

bool is_same(const StreamItem& left, const StreamItem& right) {
  return left.type == right.type && left.json == right.json && left.kind == right.kind &&
         left.api_version == right.api_version && left.resource == right.resource &&
         left.manager == right.manager && left.source == right.source && left.time == right.time &&
         left.final_state_unknown == right.final_state_unknown;
}

void check_alone(const StreamItem& item) {
  if (item.type == StreamItemType::list_end) return;
  const Items again = decode({test::event_json("ADDED", item.json)});
  demand(!again.has_failed && again.items.size() == 1);
  demand(again.items.front().json == item.json);
}

void check_items(std::string_view text, std::size_t piece) {
  const Items whole = decode(split(text, text.size()));
  const Items parts = decode(split(text, piece));
  demand(whole.has_failed == parts.has_failed);
  demand(std::ranges::equal(whole.items, parts.items, [](const auto& left, const auto& right) {
    return is_same(left, right) && left.line == right.line && left.number == right.number;
  }));
  for (const StreamItem& item : whole.items) check_alone(item);
}

void check_changes(std::string_view text, std::size_t piece) {
  test::StreamRig whole;
  test::StreamRig parts;
  demand(whole.play(split(text, text.size())) == parts.play(split(text, piece)));
  demand(whole.error.empty() == parts.error.empty());
  demand(whole.end == parts.end);
}

}  // namespace
}  // namespace kinf::fuzz

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  (void)argc;
  (void)argv;
  kinf::log::set_sink([](std::string_view) {});
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  kinf::fuzz::check_items(text, 1 + size % 13);
  kinf::fuzz::check_changes(text, 1 + size % 13);
  return 0;
}
