// SPDX-License-Identifier: Apache-2.0
// An object as a row of a table: the cells that the server sent, with the age counted up to now.
#pragma once

#include <string>
#include <vector>

#include "kinf/api/group_version_resource.h"
#include "kinf/api/object.h"
#include "kinf/api/table_columns.h"
#include "kinf/base/clock.h"

namespace kinf {

/// Returns the columns of the object's cells; NAME and AGE if the server sent none.
const TableColumns& row_columns(const Object& object);

/// Returns the cells of an object, as many as row_columns() has. A column Age that shows the
/// creation time is counted up to `now`, because the server's answer gets old.
std::vector<std::string> row_cells(const Object& object, Clock::Wall now);

/// Returns the time since the object was created: `3d`; `<unknown>` if that is not known or
/// `object` is null.
std::string age_text(const Object* object, Clock::Wall now);

/// Returns the cells other than name and age: `Ready=1/1 Status=Running`. If `before` has the same
/// columns, only the cells that changed; otherwise all that are not empty. `wide` includes the
/// columns of `-o wide`. Empty if `object` is null.
std::string state_text(const Object* object, const Object* before, bool wide, Clock::Wall now);

/// Puts `deployment.apps/` in front of the cell with the name.
void add_type_to_name(const ResourceType& type, const TableColumns& columns,
                      std::vector<std::string>& cells);

}  // namespace kinf
