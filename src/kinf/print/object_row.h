// SPDX-License-Identifier: Apache-2.0
// An object as a row: the cells the server sent, with the age counted to now.
#pragma once

#include <string>
#include <vector>

#include "kinf/api/group_version_resource.h"
#include "kinf/api/object.h"
#include "kinf/api/table_columns.h"
#include "kinf/base/clock.h"

namespace kinf {

/// The columns of an object: those of its cells, or NAME and AGE if it came without.
const TableColumns& row_columns(const Object& object);

/// The cells of an object, as many as row_columns(). A column Age that shows the creation time is
/// computed anew, since the server's answer gets old.
std::vector<std::string> row_cells(const Object& object, Clock::Wall now);

/// How long ago the object was made: `3d`; `<unknown>` if it does not say, or is null.
std::string age_text(const Object* object, Clock::Wall now);

/// The cells that are neither name nor age, as `Ready=1/1 Status=Running`. Given the state before,
/// only those that changed; else those that say something. Empty if there is no object.
std::string state_text(const Object* object, const Object* before, bool wide, Clock::Wall now);

/// Puts TYPE/ before the cell that holds the name.
void add_type_to_name(const ResourceType& type, const TableColumns& columns,
                      std::vector<std::string>& cells);

}  // namespace kinf
