// SPDX-License-Identifier: Apache-2.0
// JsonCheck accepts what nlohmann's parser accepts, except for zero bytes, a byte order mark, and
// documents nested deeper than 1,024 levels.
#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "fuzz/properties.h"
#include "kinf/print/object_document.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  static kinf::JsonCheck check;
  const bool fine = check.check(text).has_value();
  const bool accepted = nlohmann::json::accept(text);
  if (fine) {
    kinf::fuzz::demand(accepted && !text.contains('\0'));
  } else if (accepted) {
    const auto opens = std::ranges::count_if(text, [](char c) { return c == '[' || c == '{'; });
    kinf::fuzz::demand(text.contains('\0') || text.starts_with("\xef\xbb\xbf") || opens > 1000);
  }
  return 0;
}
