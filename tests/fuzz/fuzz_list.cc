// SPDX-License-Identifier: Apache-2.0
// A list body gives the same items and the same result, no matter how it is split. Only the text of
// an error may depend on the split: simdjson looks at the byte after a damaged document.
#include <algorithm>
#include <cstdint>

#include "fuzz/properties.h"
#include "fuzz/reference.h"
#include "kinf/api/list_decoder.h"

namespace kinf::fuzz {
namespace {

struct Outcome : ListSink {
  void item(ObjectPtr object) override {
    check(*object);
    compare_with_reference(*object);
    Scratch scratch;
    text.append(object->json(scratch)).append(object->cells()).append("\n");
  }
  std::string text;
};

std::string decode(std::string_view body, std::size_t piece) {
  Outcome outcome;
  ListDecoder decoder(options(), outcome);
  for (; !body.empty(); body.remove_prefix(std::min(piece, body.size()))) {
    if (const auto fed = decoder.feed(body.substr(0, piece)); !fed) {
      return outcome.text + "error";
    }
  }
  const auto page = decoder.finish();
  return outcome.text + (page ? page->resource_version + page->continue_token : "error");
}

}  // namespace
}  // namespace kinf::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view body(reinterpret_cast<const char*>(data), size);
  const std::string whole = kinf::fuzz::decode(body, size + 1);
  kinf::fuzz::demand(kinf::fuzz::decode(body, 1 + size % 13) == whole);
  return 0;
}
