// SPDX-License-Identifier: Apache-2.0
#include "kinf/query/diff_path.h"

#include <doctest/doctest.h>

namespace kinf {
namespace {

DiffStep member(std::string name) { return {DiffStep::Kind::member, std::move(name), 0, 0}; }
DiffStep item(std::string name, std::size_t old_index, std::size_t new_index) {
  return {DiffStep::Kind::item, std::move(name), old_index, new_index};
}

const DiffPath kReady = {member("status"), member("conditions"), item("Ready", 1, 2),
                         member("status")};

bool covers(std::string_view pattern, const DiffPath& path) {
  const Result<DiffPattern> parsed = DiffPattern::parse(pattern);
  REQUIRE_MESSAGE(parsed, pattern);
  return parsed->covers(path);
}

TEST_CASE("a pattern covers the place it names and what is below") {
  for (const char* pattern :
       {".status", ".status.conditions", ".status.conditions[Ready]", ".status.conditions[*]",
        ".status.conditions[*].status", ".status.conditions[2].status", ".status.conditions[1]",
        "['status'].conditions[\"Ready\"]", ".status.*", ".*.conditions"}) {
    CAPTURE(pattern);
    CHECK(covers(pattern, kReady));
  }
  for (const char* pattern :
       {".spec", ".status.condition", ".status.conditions[Initialized]", ".status.conditions[0]",
        ".status.conditions[*].reason", ".status.conditions[Ready].status.x"}) {
    CAPTURE(pattern);
    CHECK_FALSE(covers(pattern, kReady));
  }
}

TEST_CASE("a pattern reads back what a path is written as") {
  const DiffPath path = {member("metadata"), member("annotations"), member(R"(a.b/[c]'\*)"),
                         item("x]'y", 0, 0)};
  CHECK(path_text(path) == R"(.metadata.annotations.a\.b/\[c\]\'\\\*[x\]\'y])");
  CHECK(covers(path_text(path), path));
  CHECK_FALSE(covers(path_text(path),
                     {member("metadata"), member("annotations"), member("z"), item("x]'y", 0, 0)}));
}

TEST_CASE("a place can be below another") {
  const Result<DiffPattern> pattern = DiffPattern::parse(".status.conditions[Ready].status");
  REQUIRE(pattern);
  CHECK(pattern->is_below(std::span(kReady).first(3)));
  CHECK(pattern->is_below({}));
  CHECK_FALSE(pattern->is_below(kReady));
}

TEST_CASE("what is no path is refused") {
  for (const char* text : {"", ".", "spec", ".spec.", ".spec..x", ".spec[", ".spec[]", ".spec['a]",
                           ".spec['a'", ".spec[a]x", ".spec.*x"}) {
    CAPTURE(text);
    CHECK_FALSE(DiffPattern::parse(text));
  }
}

}  // namespace
}  // namespace kinf
