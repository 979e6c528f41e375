// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/selection/failing.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "kinf/base/timestamp.h"
#include "kinf/columns/fields.h"
#include "kinf/print/object_row.h"
#include "kinf/query/jsonpath.h"

namespace kinf {
namespace {

using columns::field;

/// Returns when the state of an object last changed, as far as the object says so.
Clock::Wall last_transition(const Object& object) {
  Scratch scratch;
  const nlohmann::json document = parse_document(object.json(scratch));
  std::optional<Clock::Wall> last = columns::time(field(document, "metadata", "deletionTimestamp"));
  for (const auto& condition : columns::elements(field(document, "status", "conditions"))) {
    for (const char* const name : {"lastTransitionTime", "lastUpdateTime"}) {
      const std::optional<Clock::Wall> time = columns::time(field(condition, name));
      if (time && (!last || *time > *last)) last = time;
    }
  }
  if (last) return *last;
  const auto created = object.creation_time();
  return created ? wall_time(*created) : Clock::Wall::min();
}

}  // namespace

std::optional<Clock::Wall> failing_from(const Object& object, Clock::Wall seen) {
  const Colour mark = strongest(attention_colours(object.kind(), row_columns(object).columns,
                                                  row_cells(object, Clock::Wall())));
  if (mark == Colour::none) return std::nullopt;
  if (mark == Colour::red || object.kind() == "Event") return Clock::Wall::min();
  const Clock::Wall since = std::max(last_transition(object), seen);
  return std::min(since, Clock::Wall::max() - kPassingTime) + kPassingTime;
}

}  // namespace kinf
