// SPDX-License-Identifier: Apache-2.0
#include "kinf/client/list_choice.h"

namespace kinf {
namespace {

constexpr ServerVersion kConsistentReads{1, 31};
constexpr ServerVersion kSnapshots{1, 34};

}  // namespace

ListChoice cheapest_list(const std::optional<ServerVersion>& version,
                         Representation representation) {
  if (!version || *version >= kSnapshots) return {NewestFromMemory::pages, false};
  return {*version >= kConsistentReads ? NewestFromMemory::whole : NewestFromMemory::none,
          representation == Representation::object};
}

}  // namespace kinf
