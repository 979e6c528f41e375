// SPDX-License-Identifier: Apache-2.0
#include "kinf/recording/recording_reader.h"

#include <doctest/doctest.h>

#include "unit/recording/recording_rig.h"

namespace kinf::test {
namespace {

TEST_CASE("A recorded object keeps its document only if it is needed") {
  VersionParts parts;
  parts.decode.form = ObjectForm::metadata;
  parts.needs_document = [](const Object& object) { return object.name() == "a"; };
  VersionDecoder decoder(parts);
  Scratch scratch;
  const ObjectPtr needed = recorded_pod("a", "1");
  const ObjectPtr other = recorded_pod("b", "2");
  CHECK(decoder.decode(needed->json(scratch), {}).value()->form() == ObjectForm::raw);
  CHECK(decoder.decode(other->json(scratch), {}).value()->form() == ObjectForm::metadata);
}

}  // namespace
}  // namespace kinf::test
