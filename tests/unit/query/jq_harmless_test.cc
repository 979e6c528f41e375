// SPDX-License-Identifier: Apache-2.0
#include "kinf/query/jq/jq_harmless.h"

#include <doctest/doctest.h>

#include <string>

namespace kinf {
namespace {

TEST_CASE("common conditions and paths run in this process") {
  for (const char* text :
       {".",
        ".status.phase != \"Running\"",
        ".metadata.labels.app == \"web\" and .spec.replicas > 1",
        "$old == null or .status.phase != $old.status.phase",
        ".spec.replicas != $old.spec.replicas",
        "any(.status.containerStatuses[]; .restartCount > 3)",
        ".spec.containers[].image",
        "all(.status.conditions[]; .status == \"True\")",
        ".metadata.labels[\"a/b\"] // \"none\"",
        "[.spec.containers[].image] | length > 1",
        ".spec.containers[0].name, .spec.containers[-1]",
        ".items[] | .metadata.name + \" \" + .status.phase",
        "\"\\(.metadata.name) \\(.kind)\"",
        ".items[] | {name: .metadata.name, node: .spec.nodeName, kind}",
        "-1 < .a",
        "(.a | not)",
        "if .a then .b elif .c == 1 then .d else \"x\" end",
        ".a[]?.b?",
        ".a.\"b\"",
        ".a / 1024 - 1",
        ".items[] | [.metadata.name, .status.phase] | @tsv",
        "map(.name) | length > 2",
        ".items[] | [.a, .b, .c, .d, .e] | @tsv",
        ".a[] == \"x\"",
        ".metadata | tojson",
        ".metadata.name | startswith(\"web\")",
        ".metadata | has(\"labels\")",
        "1.5e3 != .a",
        ".metadata.labels | contains({app: \"web\"})",
        "select(.type == \"ADDED\") | .object.kind",
        ".status.conditions[] | select(.type == \"Ready\") | .status == \"True\""}) {
    INFO(text);
    const bool is_number_with_exponent = std::string(text).starts_with("1.5e3");
    CHECK(is_harmless_jq(text) != is_number_with_exponent);  // not understood
  }
}

TEST_CASE("what may crash, loop, or use much memory does not") {
  for (const char* text : {"def f: f; f",
                           "until(false; .)",
                           "last(range(1e12))",
                           "\"x\" * 2000000000",
                           ".a * .b",
                           ".a % .b",
                           "reduce range(1e7) as $i ([]; [.])",
                           ".a | todate",
                           ".a | strftime(\"%Y\")",
                           "now",
                           ".a | test(\"x\")",
                           ".a | tonumber",
                           ".a[1:2]",
                           ".a[.b]",
                           "..",
                           "recurse",
                           ". as $x | $x",
                           "try .a",
                           "env.HOME",
                           "$ENV",
                           "$__loc__",
                           "input",
                           "debug",
                           "stderr",
                           "halt_error",
                           "limit(1; .)",
                           ".a = 1",
                           ".a |= 1",
                           ".a += 1",
                           ".a //= 1",
                           "import \"a\" as a; .",
                           "a::b",
                           ".a - .b",
                           ".a / .b",
                           ".a / \"x\"",
                           ".a[] == .b[]",
                           ".a[] + .b",
                           "\"\\(.a[]) \\(.b)\"",
                           "{a: .a[]}",
                           "{a: (.b, .c)}",
                           "\"\\(.a, .b)\"",
                           "[.a[] | {b}]",
                           "map({b})",
                           "map([.])",
                           ".a[] | $old.b",
                           "any(.a[]; $old.b[] == .)",
                           "select(.a[])",
                           "if .a[] then . else . end",
                           "contains(.a)",
                           "startswith(.a)",
                           "map(.name) | join(\", \")",
                           "map(.name) | add",
                           ".a[] == .b",
                           ".a[] < .b",
                           ".a[] == $old",
                           ".a[] and (.b | contains(\"x\"))",
                           "tojson | tojson",
                           "map(\"a long literal text\")",
                           "[.a[] | \"a long literal text\"]",
                           "contains([1, 2, 3, 4, 5, 6, 7, 8])",
                           "split(\"x\")",
                           "to_entries",
                           "modulemeta",
                           "getpath([])",
                           "ltrimstr(.a)",
                           "@base64d",
                           "@base64 \"\\(.)\"",
                           "\"a\" as [$x] ?// $x | $x",
                           "# comment",
                           "",
                           ")",
                           "(",
                           "\"",
                           ".a ==",
                           ".a Failed",
                           "Failed"}) {
    INFO(text);
    CHECK_FALSE(is_harmless_jq(text));
  }
}

TEST_CASE("what multiplies is bounded") {
  std::string doubled = ".";
  std::string pairs = ".";
  for (int i = 0; i < 10; ++i) doubled += " | . + .";
  for (int i = 0; i < 10; ++i) pairs += " | [., .] | .[]";
  std::string nested = "false";
  std::string formats = ".";
  for (int i = 0; i < 6; ++i) nested = "any(., ., ., ., ., ., ., .; " + nested + ")";
  for (int i = 0; i < 6; ++i) formats += " | @base64";
  CHECK_FALSE(is_harmless_jq(nested));
  CHECK_FALSE(is_harmless_jq(formats));
  CHECK_FALSE(is_harmless_jq(doubled));
  CHECK_FALSE(is_harmless_jq(pairs));
  CHECK_FALSE(is_harmless_jq("(., .) + (., .) + (., .) + (., .) + (., .) + (., .) + (., .)"));
  CHECK_FALSE(is_harmless_jq(std::string(40, '(') + "." + std::string(40, ')')));
  CHECK_FALSE(is_harmless_jq(std::string(40, '[') + std::string(40, ']')));
  CHECK_FALSE(is_harmless_jq("." + std::string(5000, ' ')));
  CHECK(is_harmless_jq("." + std::string(4000, '?')));
}

}  // namespace
}  // namespace kinf
