// SPDX-License-Identifier: Apache-2.0
#include "kinf/recording/version_codec.h"

#include <doctest/doctest.h>

#include <random>
#include <string>
#include <vector>

#include "unit/recording/recording_noise.h"

namespace kinf::test {
namespace {

TEST_CASE("A version is small against a similar one before it, and comes back unchanged") {
  for (const std::size_t bytes : {std::size_t{2}, std::size_t{7000}, std::size_t{3'000'000}}) {
    const std::string before = noise(bytes, 1);
    std::string text = before;
    text.insert(bytes / 2, "changed");
    VersionCodec codec;
    const std::string data(codec.encode(text, {}, before).value());
    CHECK(data.size() < 40);
    std::string found;
    REQUIRE(codec.decode(data, {}, before, found));
    CHECK((found == text));
  }
}

TEST_CASE("A version is small if a sample holds its new parts") {
  const std::string before = noise(2000, 1);
  const std::string added = noise(500, 2);
  VersionCodec codec;
  CHECK(codec.encode(before + added, {}, before).value().size() > 400);
  const std::string data(codec.encode(before + added, CodecSample(added), before).value());
  CHECK(data.size() < 40);
  std::string found;
  REQUIRE(codec.decode(data, CodecSample(added), before, found));
  CHECK((found == before + added));
}

TEST_CASE("A version is smaller if a sample holds the same difference") {
  const auto change = [](std::string text) {
    for (std::uint32_t at = 100; at < text.size(); at += 100) text.replace(at, 6, noise(6, at));
    return text;
  };
  const std::string before = noise(4000, 1);
  VersionCodec codec;
  const std::size_t alone = codec.encode(change(before), {}, before).value().size();
  const CodecSample sample(std::string(codec.delta()));
  const std::string other = noise(4000, 2);
  const std::string data(codec.encode(change(other), sample, other).value());
  CHECK(data.size() < alone / 4);
  std::string found;
  REQUIRE(codec.decode(data, sample, other, found));
  CHECK((found == change(other)));
}

TEST_CASE("A version is smaller if its sample has the statistics of others") {
  const auto update = [](std::uint32_t number) {
    std::string digits;
    std::mt19937 random(number);
    while (digits.size() < 40) digits += "0123456789abcdef"[random() & 15];
    return R"("containerID":"containerd://)" + digits + R"(","ready":true)";
  };
  std::vector<std::string> typical;
  for (std::uint32_t i = 10; i < 30; ++i) typical.push_back(update(i));
  const std::string content = update(1) + noise(300, 2) + update(3);
  const CodecSample plain(content);
  const CodecSample better(CodecSample::with_statistics(content, typical));
  VersionCodec codec;
  const std::size_t without = codec.encode(update(4), plain, {}).value().size();
  const std::string data(codec.encode(update(4), better, {}).value());
  CHECK(data.size() < without * 4 / 5);
  const CodecSample reading(better.text(), CodecSample::Use::decode);
  std::string found;
  REQUIRE(codec.decode(data, reading, {}, found));
  CHECK(found == update(4));
  REQUIRE(codec.decode(data, CodecSample(better.text()), {}, found));
  CHECK(found == update(4));
  CHECK_FALSE(codec.decode(data, CodecSample(content, CodecSample::Use::decode), {}, found));
}

TEST_CASE("A sample without enough typical versions has no statistics") {
  const std::vector<std::string> typical(3, "typical");
  CHECK(CodecSample::with_statistics(noise(500, 1), typical) == noise(500, 1));
  // Nothing to count in versions that are all the same.
  const std::string content = noise(500, 1);
  const std::string made = CodecSample::with_statistics(content, std::vector<std::string>(20, "x"));
  VersionCodec codec;
  std::string found;
  const std::string data(codec.encode(content, CodecSample(made), {}).value());
  REQUIRE(codec.decode(data, CodecSample(made, CodecSample::Use::decode), {}, found));
  CHECK(found == content);
}

TEST_CASE("A whole version needs no other") {
  VersionCodec codec;
  const std::string data(codec.encode("text", {}, "").value());
  std::string found;
  REQUIRE(codec.decode(data, {}, "", found));
  CHECK(found == "text");
}

TEST_CASE("A flipped bit of a sample is an error") {
  VersionCodec codec;
  const std::string text =
      "the content of a sample, as it is repeated: a sample, as it is repeated";
  const std::string data{codec.encode_sample(text).value()};
  for (std::size_t bit = 0; bit < 8 * data.size(); ++bit) {
    std::string damaged = data;
    damaged[bit / 8] =
        static_cast<char>(static_cast<unsigned char>(damaged[bit / 8]) ^ (1U << bit % 8));
    std::string decoded;
    CAPTURE(bit);
    const bool is_read = codec.decode(damaged, {}, {}, decoded).has_value();
    CHECK((!is_read || decoded == text));
  }
}

TEST_CASE("Damaged data is an error") {
  VersionCodec codec;
  const std::string text = noise(500, 3);
  const std::string data(codec.encode(text, {}, "").value());
  std::string found;
  CHECK_FALSE(codec.decode("", {}, "", found));
  CHECK_FALSE(codec.decode("no frame", {}, "", found));
  for (std::size_t size = 0; size < data.size(); size += 7) {
    CHECK_FALSE(codec.decode(data.substr(0, size), {}, "", found));
  }
  CHECK_FALSE(codec.decode(data, {}, "a whole version has none before it", found));
}

}  // namespace
}  // namespace kinf::test
