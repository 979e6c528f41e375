// SPDX-License-Identifier: Apache-2.0
// A watch stream gives the same events and the same result, no matter how it is split. Only the
// text of an error may depend on the split: simdjson looks at the byte after a damaged document.
#include <algorithm>
#include <cstdint>

#include "fuzz/properties.h"
#include "fuzz/reference.h"
#include "kinf/api/watch_decoder.h"

namespace kinf::fuzz {
namespace {

void append(std::string& text, const WatchEvent& event) {
  text += static_cast<char>('0' + static_cast<int>(event.type));
  text += event.resource_version;
  if (event.initial_events_end) text += " end";
  if (event.error) text += event.error->message;
  if (event.object) {
    check(*event.object);
    compare_with_reference(*event.object);
    Scratch scratch;
    text.append(event.object->json(scratch)).append(event.object->cells());
  }
  text += '\n';
}

std::string decode(std::string_view body, std::size_t piece) {
  std::string text;
  WatchDecoder decoder(options());
  for (; !body.empty(); body.remove_prefix(std::min(piece, body.size()))) {
    decoder.feed(body.substr(0, piece));
    for (;;) {
      const auto next = decoder.next();
      if (!next) return text + "error";
      if (!*next) break;
      append(text, **next);
    }
  }
  return text + (decoder.mid_event() ? "cut" : "");
}

}  // namespace
}  // namespace kinf::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view body(reinterpret_cast<const char*>(data), size);
  const std::string whole = kinf::fuzz::decode(body, size + 1);
  kinf::fuzz::demand(kinf::fuzz::decode(body, 1 + size % 13) == whole);
  return 0;
}
