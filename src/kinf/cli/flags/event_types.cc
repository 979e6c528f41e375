// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/flags/event_types.h"

#include <algorithm>
#include <utility>

#include "kinf/base/ascii.h"
#include "kinf/cli/flags/type_args.h"

namespace kinf {
namespace {

constexpr std::pair<std::string_view, ChangeType> kWords[] = {{"added", ChangeType::added},
                                                              {"updated", ChangeType::updated},
                                                              {"modified", ChangeType::updated},
                                                              {"deleted", ChangeType::deleted},
                                                              {"resync", ChangeType::resync}};

}  // namespace

Result<EventTypes> EventTypes::parse(std::string_view text) {
  EventTypes types;
  bool is_fine = true;
  for (const std::string& part : split_commas(text)) {
    const std::string word = to_lower(part);
    const auto* const found =
        std::ranges::find(kWords, word, &std::pair<std::string_view, ChangeType>::first);
    is_fine = is_fine && found != std::end(kWords);
    if (is_fine) types.bits_ |= bit(found->second);
  }
  if (is_fine && types.bits_ != 0) return types;
  return fail(ErrorKind::usage, "it must be a list of added, updated, deleted and resync");
}

}  // namespace kinf
