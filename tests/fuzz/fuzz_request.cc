// SPDX-License-Identifier: Apache-2.0
// The bytes of a connection to a server give the same requests and the same refusal, no matter
// how they are split.
#include <algorithm>
#include <cstdint>
#include <string>

#include "fuzz/properties.h"
#include "kinf/base/limits.h"
#include "kinf/http/request_reader.h"

namespace kinf::fuzz {
namespace {

void append(std::string& text, const RequestReader::Request& request) {
  text.append(request.head.method).append(" ").append(request.head.target).append("\n");
  for (const auto& [name, value] : request.head.fields) {
    text.append(name).append(": ").append(value).append("\n");
  }
  text.append(request.body).append("\n--\n");
  demand(request.body.size() <= limits::kRequestBodyBytes);
}

std::string read(std::string_view bytes, std::size_t piece) {
  RequestReader reader;
  std::string text;
  for (; !bytes.empty(); bytes.remove_prefix(std::min(piece, bytes.size()))) {
    reader.add(bytes.substr(0, piece));
    for (;;) {
      const auto next = reader.next();
      if (!next) return text + "refused";  // for which of several reasons depends on the pieces
      if (!*next) break;
      append(text, **next);
    }
  }
  return text + (reader.is_idle() ? "idle" : "waiting");
}

}  // namespace
}  // namespace kinf::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::string whole = kinf::fuzz::read(bytes, size + 1);
  kinf::fuzz::demand(kinf::fuzz::read(bytes, 1 + size % 13) == whole);
  kinf::percent_decoded(bytes, size % 2 == 0);
  return 0;
}
