// SPDX-License-Identifier: Apache-2.0
// Any YAML gives documents or a usage error. A JSON document that is printed as YAML is read as the
// same document again.
#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "fuzz/properties.h"
#include "kinf/base/yaml_document.h"
#include "kinf/print/yaml_text.h"

namespace kinf::fuzz {
namespace {

/// True if a number is too large for 64 bits, or has a fraction: the two readers may round these
/// differently.
bool has_inexact_number(const nlohmann::json& value) {
  if (value.is_number_float()) return true;
  return value.is_structured() && std::ranges::any_of(value, has_inexact_number);
}

void check_printing(std::string_view text) {
  const auto document = nlohmann::json::parse(text, nullptr, false);
  if (document.is_discarded() || has_inexact_number(document)) return;
  const std::string json = document.dump();
  const auto tree = JsonTree::parse(json);
  if (!tree) return;
  std::string yaml;
  append_yaml(yaml, *tree, tree->root(), 0, YamlPlace::document);
  const auto again = parse_yaml(yaml);
  // The reader has limits, for hostile files.
  if (!again) return demand(json.size() > 1000 || again.error().message.contains("nested"));
  demand(*again == document);
}

}  // namespace
}  // namespace kinf::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto documents = kinf::parse_yaml_documents(text);
  kinf::fuzz::demand(documents || documents.error().kind == kinf::ErrorKind::usage);
  kinf::fuzz::check_printing(text);
  return 0;
}
