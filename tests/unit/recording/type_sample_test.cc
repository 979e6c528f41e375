// SPDX-License-Identifier: Apache-2.0
#include "kinf/recording/type_sample.h"

#include <doctest/doctest.h>

#include <string>

#include "unit/recording/recording_noise.h"

namespace kinf::test {
namespace {

/// A change of an object: `shared` is what the changes of all objects have, and 20 bytes are new.
std::string change_of(std::uint32_t number, const std::string& shared) {
  return shared + noise(20, number) + shared.substr(0, 50);
}

/// Notes `count` changes. Returns how many samples were made.
int note(TypeSample& sample, VersionCodec& codec, std::uint32_t count, const std::string& shared) {
  int made = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    sample.note_change(change_of(i, shared));
    if (auto better = sample.improve(codec).value()) sample.use(*std::move(better), ++made);
  }
  return made;
}

TEST_CASE("A type has no sample before one saves more than it takes") {
  TypeSample sample;
  VersionCodec codec;
  sample.note_whole(noise(3000, 1));
  CHECK_FALSE(sample.improve(codec).value());
  SUBCASE("and none if its objects have nothing in common") {
    for (std::uint32_t i = 0; i < 100; ++i) {
      sample.note_whole(noise(500, i + 10));
      CHECK_FALSE(sample.improve(codec).value());
    }
  }
  SUBCASE("and one as soon as a second object is like the first") {
    sample.note_whole(noise(3000, 1) + "x");
    CHECK(sample.improve(codec).value());
  }
}

TEST_CASE("A sample is replaced when other changes follow, and not while they stay alike") {
  TypeSample sample;
  VersionCodec codec;
  const std::string first = noise(300, 1);
  const std::string second = noise(300, 2);
  CHECK(note(sample, codec, 500, first) >= 1);
  CHECK(note(sample, codec, 5000, first) <= 1);
  const std::size_t before =
      codec.encode(change_of(9, second), sample.content(), {}).value().size();
  CHECK(note(sample, codec, 5000, second) >= 1);
  const std::size_t after = codec.encode(change_of(9, second), sample.content(), {}).value().size();
  CHECK(after < before / 3);
}

}  // namespace
}  // namespace kinf::test
