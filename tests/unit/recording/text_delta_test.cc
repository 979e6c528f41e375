// SPDX-License-Identifier: Apache-2.0
#include "kinf/recording/text_delta.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "unit/recording/recording_noise.h"

namespace kinf::test {
namespace {

constexpr std::size_t kMost = 1 << 20;

std::string delta_of(const std::string& before, const std::string& text) {
  TextDelta differ;
  std::string delta;
  differ.make(before, text, delta);
  std::string again;
  CHECK(TextDelta::apply(before, delta, kMost, again));
  CHECK((again == text));
  return delta;
}

TEST_CASE("A delta has what is new, and where the rest was") {
  const std::string text = noise(300, 1);
  CHECK(delta_of(text, text).size() == 4);
  CHECK(delta_of(text, "").empty());
  CHECK(delta_of("", "new") == "\3new");
  CHECK(delta_of(text, text + "end").size() == 4 + 4);
  CHECK(delta_of(text, "begin" + text).size() < 12);
  std::string replaced = text;
  replaced.replace(100, 5, "#####");
  CHECK(delta_of(text, replaced).size() == 3 + 9);
  CHECK(delta_of(text, text.substr(0, 100) + text.substr(120)).size() < 9);
  CHECK(delta_of(text, text.substr(150) + text.substr(0, 150)).size() < 12);
  CHECK(delta_of(text, text + text).size() < 12);
}

TEST_CASE("A delta of any two texts gives the second one") {
  std::uint32_t seed = 7;
  for (std::size_t size = 0; size < 40; ++size) {
    for (std::size_t cut = 0; cut < 24; ++cut) {
      const std::string before = noise(size * 3, seed++);
      const std::string text = before.substr(std::min(cut, before.size())) + noise(cut, seed++) +
                               before.substr(0, before.size() / 2);
      delta_of(before, text);
      delta_of(std::string(size, 'a'), std::string(cut, 'a'));
    }
  }
}

TEST_CASE("The delta of a large text of one byte takes little time") {
  const std::string before(1'000'000, 'a');
  CHECK(delta_of(before, std::string(1'000'000, 'b') + before.substr(1'000'000 - 7)).size() > 0);
  CHECK(delta_of(before, before).size() < 10);
}

TEST_CASE("A damaged delta is an error, and never grows beyond the limit") {
  const std::string before = noise(200, 1);
  std::string text;
  const auto fails = [&](std::string_view delta) {
    return !TextDelta::apply(before, delta, 1000, text);
  };
  CHECK(fails("\5new"));                  // fewer bytes than it says
  CHECK(fails("\x80"));                   // half a number
  CHECK(fails(std::string(11, '\xff')));  // a number of more than 64 bits
  CHECK(fails({"\0\x10", 2}));            // nothing about the place
  CHECK(fails({"\0\x10\x90\x7f", 4}));    // a place behind the text before
  CHECK(fails({"\0\x10\x01", 3}));        // one before its begin
  CHECK(fails({"\0\xc9\x01\0", 4}));      // more than the text before has
  std::string large;
  for (int i = 0; i < 6; ++i) large.append({"\0\xc8\x01\x8f\x03", 5});
  CHECK(fails(large));  // more than the limit
  const std::string good = delta_of(before, before.substr(20) + "new" + before);
  for (std::size_t size = 0; size < good.size(); ++size) {
    if (TextDelta::apply(before, good.substr(0, size), kMost, text)) {
      CHECK(text.size() < before.size() * 2);
    }
  }
}

}  // namespace
}  // namespace kinf::test
