// SPDX-License-Identifier: Apache-2.0
// Two documents, one a line. The JSON patch between them makes the second of the first. The second,
// taken as a patch of each kind, changes the first or is refused.
#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "fuzz/properties.h"
#include "kinf/query/json_patch.h"
#include "kinf/sandbox/api/patch.h"

namespace kinf::fuzz {
namespace {

using nlohmann::json;

json as_json(const std::vector<PatchOperation>& patch) {
  json result = json::array();
  for (const PatchOperation& operation : patch) {
    json entry = {{"op", operation_word(operation.kind)}, {"path", operation.pointer}};
    if (operation.kind == PatchOperation::Kind::move) entry["from"] = operation.from;
    if (!operation.value.empty()) entry["value"] = json::parse(operation.value);
    result.push_back(std::move(entry));
  }
  return result;
}

void check_difference(const json& before, const json& after) {
  const std::string old_text = before.dump();
  const std::string new_text = after.dump();
  const auto found = diff(old_text, new_text);
  if (!found) return demand(!found.error().message.empty());
  demand(before.patch(as_json(json_patch(*found))) == after);
}

void check_sandbox(std::string_view old_text, std::string_view new_text) {
  const auto target = sandbox::parse_json(old_text);
  const auto patch = sandbox::parse_json(new_text);
  if (!target || !patch || !target->is_object()) return;
  if (patch->is_object()) {
    sandbox::Json merged = *target;
    sandbox::apply_merge_patch(merged, *patch);
    sandbox::Json strategic = *target;
    sandbox::apply_strategic_patch(strategic, *patch);
    demand(merged.is_object() && strategic.is_object());
  }
  const auto changed = sandbox::apply_json_patch(*target, *patch);
  demand(changed || !changed.error().empty());
}

}  // namespace
}  // namespace kinf::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto line = text.substr(0, text.find('\n'));
  const auto rest = text.substr(std::min(text.size(), line.size() + 1));
  const auto before = nlohmann::json::parse(line, nullptr, false);
  const auto after = nlohmann::json::parse(rest, nullptr, false);
  if (before.is_object() && after.is_object()) kinf::fuzz::check_difference(before, after);
  kinf::fuzz::check_sandbox(line, rest);
  return 0;
}
