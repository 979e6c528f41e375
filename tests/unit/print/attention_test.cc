// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/attention.h"

#include <doctest/doctest.h>

namespace kinf {
namespace {

TableColumn named(const char* name) { return {name, "string", "", "", 0}; }

/// Returns the colour of a cell in a row that has only this one.
Colour colour_of(const char* kind, const char* column, const char* cell) {
  return attention_colours(kind, {named(column)}, {cell}).at(0);
}

TEST_CASE("states that need attention have a colour, the others have none") {
  struct Case {
    const char* kind;
    const char* column;
    const char* cell;
    Colour colour;
  };
  for (const Case& one : {
           Case{"Pod", "Status", "CrashLoopBackOff", Colour::red},
           Case{"Pod", "Status", "ImagePullBackOff", Colour::red},
           Case{"Pod", "Status", "ErrImagePull", Colour::red},
           Case{"Pod", "Status", "ErrImageNeverPull", Colour::red},
           Case{"Pod", "Status", "CreateContainerConfigError", Colour::red},
           Case{"Pod", "Status", "Error", Colour::red},
           Case{"Pod", "Status", "Evicted", Colour::red},
           Case{"Pod", "Status", "OOMKilled", Colour::red},
           Case{"Pod", "Status", "Failed", Colour::red},
           Case{"Pod", "Status", "Init:Error", Colour::red},
           Case{"Pod", "Status", "Init:CrashLoopBackOff", Colour::red},
           Case{"Pod", "Status", "ExitCode:1", Colour::red},
           Case{"Pod", "Status", "ExitCode:0", Colour::none},
           Case{"Pod", "Status", "Signal:9", Colour::red},
           Case{"Pod", "Status", "Unknown", Colour::red},
           Case{"Pod", "Status", "Pending", Colour::yellow},
           Case{"Pod", "Status", "Terminating", Colour::yellow},
           Case{"Pod", "Status", "SchedulingGated", Colour::yellow},
           Case{"Pod", "Status", "NotReady", Colour::yellow},
           Case{"Pod", "Status", "Running", Colour::none},
           Case{"Pod", "Status", "ContainerCreating", Colour::none},
           Case{"Pod", "Status", "Init:0/1", Colour::none},
           Case{"Pod", "Status", "Completed", Colour::none},
           Case{"Pod", "Ready", "0/1", Colour::yellow},
           Case{"Pod", "Ready", "1/1", Colour::none},
           Case{"Pod", "Name", "Error", Colour::none},
           Case{"Deployment", "Ready", "2/3", Colour::yellow},
           Case{"Node", "Status", "NotReady", Colour::red},
           Case{"Node", "Status", "Ready,SchedulingDisabled", Colour::yellow},
           Case{"Node", "Status", "NotReady,SchedulingDisabled", Colour::red},
           Case{"Node", "Status", "Ready", Colour::none},
           Case{"Job", "Status", "Failed", Colour::red},
           Case{"Job", "Status", "Suspended", Colour::yellow},
           Case{"Namespace", "Status", "Terminating", Colour::yellow},
           Case{"PersistentVolumeClaim", "Status", "Lost", Colour::red},
           Case{"Certificate", "Ready", "False", Colour::red},
           Case{"Certificate", "Ready", "True", Colour::none},
           Case{"Application", "Health", "Degraded", Colour::red},
           Case{"Event", "Type", "Warning", Colour::yellow},
           Case{"Event", "Type", "Normal", Colour::none},
           Case{"Event", "Reason", "Failed", Colour::none},
           Case{"Service", "Type", "Warning", Colour::none},
       }) {
    CAPTURE(one.kind);
    CAPTURE(one.column);
    CAPTURE(one.cell);
    CHECK(colour_of(one.kind, one.column, one.cell) == one.colour);
  }
}

TEST_CASE("other columns of the row decide about Ready") {
  const std::vector<TableColumn> pod = {named("Name"), named("Ready"), named("Status")};
  using Colours = std::vector<Colour>;
  CHECK(attention_colours("Pod", pod, {"a", "0/1", "Completed"}) ==
        Colours{Colour::none, Colour::none, Colour::none});
  CHECK(attention_colours("Pod", pod, {"a", "0/1", "Error"}) ==
        Colours{Colour::none, Colour::yellow, Colour::red});
  const std::vector<TableColumn> set = {named("Name"), named("Desired"), named("Ready")};
  CHECK(attention_colours("ReplicaSet", set, {"a", "3", "1"}).at(2) == Colour::yellow);
  CHECK(attention_colours("ReplicaSet", set, {"a", "3", "3"}).at(2) == Colour::none);
  // A row may be shorter than the columns.
  CHECK(attention_colours("ReplicaSet", set, {"a"}).size() == 1);
}

}  // namespace
}  // namespace kinf
