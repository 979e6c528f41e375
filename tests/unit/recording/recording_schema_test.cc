// SPDX-License-Identifier: Apache-2.0
#include "kinf/recording/recording_schema.h"

#include <doctest/doctest.h>

#include "unit/recording/recording_rig.h"

namespace kinf::test {
namespace {

TEST_CASE("The flags of a scope are safe to paste into a shell") {
  CHECK(RecordedScope{pod_type(), "", "", "", ""}.flags_text() == "-A");
  CHECK(RecordedScope{pod_type(), "shop", "web", "app=web", ""}.flags_text() ==
        "-n shop web -l app=web");
  CHECK(RecordedScope{pod_type(), "a;b", "$(c)", "x'; touch y; echo '", "z=`w`"}.flags_text() ==
        R"(-n 'a;b' '$(c)' -l 'x'\''; touch y; echo '\''' --field-selector 'z=`w`')");
}

}  // namespace
}  // namespace kinf::test
