// SPDX-License-Identifier: Apache-2.0
#include "kinf/recording/version_codec.h"

#include <doctest/doctest.h>

#include <string>

namespace kinf {
namespace {

/// A text that does not compress well.
std::string noise(std::size_t bytes, std::uint32_t seed) {
  std::string text;
  while (text.size() < bytes) {
    seed = seed * 1664525 + 1013904223;
    text += static_cast<char>('!' + (seed >> 16) % 90);
  }
  return text;
}

TEST_CASE("A version is small against a similar one before it, and comes back unchanged") {
  for (const std::size_t bytes : {std::size_t{2}, std::size_t{7000}, std::size_t{3'000'000}}) {
    const std::string before = noise(bytes, 1);
    std::string text = before;
    text.insert(bytes / 2, "changed");
    VersionCodec codec;
    const std::string data(codec.encode(text, "", before).value());
    CHECK(data.size() < 60 + bytes / 5'000);
    std::string found;
    REQUIRE(codec.decode(data, "", before, found));
    CHECK((found == text));
  }
}

TEST_CASE("A version is small if a sample holds its new parts") {
  const std::string before = noise(2000, 1);
  const std::string added = noise(500, 2);
  VersionCodec codec;
  CHECK(codec.encode(before + added, "", before).value().size() > 400);
  const std::string data(codec.encode(before + added, added, before).value());
  CHECK(data.size() < 60);
  std::string found;
  REQUIRE(codec.decode(data, added, before, found));
  CHECK((found == before + added));
}

TEST_CASE("A whole version needs no other") {
  VersionCodec codec;
  const std::string data(codec.encode("text", "", "").value());
  std::string found;
  REQUIRE(codec.decode(data, "", "", found));
  CHECK(found == "text");
}

TEST_CASE("Damaged data is an error") {
  VersionCodec codec;
  const std::string text = noise(500, 3);
  const std::string data(codec.encode(text, "", "").value());
  std::string found;
  CHECK_FALSE(codec.decode("", "", "", found));
  CHECK_FALSE(codec.decode("no frame", "", "", found));
  for (std::size_t size = 0; size < data.size(); size += 7) {
    CHECK_FALSE(codec.decode(data.substr(0, size), "", "", found));
  }
}

}  // namespace
}  // namespace kinf
