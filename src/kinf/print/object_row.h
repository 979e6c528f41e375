// SPDX-License-Identifier: Apache-2.0
// Formats an object as a row of a table: the cells that the server sent, but with the current ages,
// and the colours of cells that need attention.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kinf/api/group_version_resource.h"
#include "kinf/api/object.h"
#include "kinf/base/clock.h"
#include "kinf/base/visible_text.h"

namespace kinf {

/// Returns the columns of the object; NAME and AGE if the server sent none.
const TableColumns& row_columns(const Object& object);

/// Returns whether row_cells() needs the document of the object, because a cell shows the time
/// since something other than the object's creation.
bool has_other_ages(const Object& object);

/// Returns the cells of an object, one per element of row_columns(). Computes the ages at the time
/// `now`, because those that the server sent become outdated. If the object has no document,
/// computes only the time since its creation.
std::vector<std::string> row_cells(const Object& object, Clock::Wall now);

/// Like row_cells(), but as data: times in RFC 3339 instead of ages, empty if they are unknown;
/// the duration of a Job in seconds until `now`; the number of restarts alone.
std::vector<std::string> data_cells(const Object& object, Clock::Wall now);

/// Returns the time at which the object was created, in RFC 3339; empty if it is unknown.
std::string created_text(const Object* object);

/// Returns the columns with names that fit data_cells(): CREATED instead of AGE.
std::vector<TableColumn> data_columns(std::vector<TableColumn> columns);

/// Returns the time since the object was created, such as `3d`. Returns `<unknown>` if the object
/// has no creation time or is null.
std::string age_text(const Object* object, Clock::Wall now);

/// Returns the cells except name and age, as in `Ready=1/1 Status=Running`. If `before` has the
/// same columns, returns only the changed cells, otherwise all non-empty cells. `wide` includes the
/// columns of `-o wide`. `cells_of` is row_cells() or data_cells(). Returns an empty string if
/// `object` is null.
using CellsOf = std::vector<std::string> (*)(const Object& object, Clock::Wall now);
std::string state_text(const Object* object, const Object* before, bool wide, Clock::Wall now,
                       CellsOf cells_of = row_cells);

/// Prepends the type, such as `deployment.apps/`, to the cell with the name.
void add_type_to_name(const ResourceType& type, const TableColumns& columns,
                      std::vector<std::string>& cells);

/// Returns the colour of each cell in the row of an object, so that a state that needs attention,
/// such as CrashLoopBackOff, stands out: red for failures, yellow for states that should not last,
/// `none` for the others. Recognizes columns by their names, even in custom resources. Status,
/// Phase, State and Health are coloured by their word. Ready, Available, Healthy and Synced are
/// coloured if the cell is `False` or a fraction such as `1/2`. Ready is also compared with the
/// column Desired, if there is one. The Type of an Event is coloured if it is `Warning`.
/// Threads: any.
std::vector<Colour> attention_colours(std::string_view kind,
                                      const std::vector<TableColumn>& columns,
                                      const std::vector<std::string>& cells);

/// Returns red if one of the colours is red, otherwise yellow if one is yellow, otherwise none.
Colour strongest(const std::vector<Colour>& colours);

}  // namespace kinf
