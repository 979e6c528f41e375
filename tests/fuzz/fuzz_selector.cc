// SPDX-License-Identifier: Apache-2.0
// A selector that parses prints as text that parses to the same selector. The order of field
// requirements may differ: they are printed in the order of their texts, with `=` for `==`.
#include <algorithm>
#include <cstdint>

#include "fuzz/properties.h"
#include "kinf/api/selectors.h"

namespace kinf::fuzz {
namespace {

template <class Selector>
void check_printing(std::string_view text) {
  const auto selector = Selector::parse(text);
  if (!selector) {
    demand(selector.error().kind == ErrorKind::usage && !selector.error().message.empty());
    return;
  }
  const auto again = Selector::parse(selector->to_string());
  demand(again.has_value());
  demand(std::ranges::is_permutation(again->requirements(), selector->requirements()));
  demand(again->empty() == selector->empty());
}

}  // namespace
}  // namespace kinf::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  kinf::fuzz::check_printing<kinf::LabelSelector>(text);
  kinf::fuzz::check_printing<kinf::FieldSelector>(text);
  return 0;
}
