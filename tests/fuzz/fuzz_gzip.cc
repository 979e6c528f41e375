// SPDX-License-Identifier: Apache-2.0
// Compressed bytes give the same text, or fail, no matter how they are split. No piece of the text
// is larger than its limit.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "fuzz/properties.h"
#include "kinf/client/gzip_reader.h"

namespace kinf::fuzz {
namespace {

/// Returns nullopt for damaged data.
std::optional<std::string> inflated(std::string_view bytes, std::size_t piece) {
  GzipReader reader;
  std::string text;
  for (; !bytes.empty(); bytes.remove_prefix(std::min(piece, bytes.size()))) {
    reader.feed(bytes.substr(0, piece));
    while (reader.has_more()) {
      const auto next = reader.next();
      if (!next) {
        demand(next.error().kind == ErrorKind::protocol && !reader.next());
        return std::nullopt;
      }
      demand(next->size() <= GzipReader::kPiece);
      if (next->empty()) break;
      text += *next;
    }
  }
  return text;
}

}  // namespace
}  // namespace kinf::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto whole = kinf::fuzz::inflated(bytes, size + 1);
  kinf::fuzz::demand(kinf::fuzz::inflated(bytes, 1 + size % 13) == whole);
  return 0;
}
