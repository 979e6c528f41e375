// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/flags/namespace_filter.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace kinf {
namespace {

using Names = std::vector<std::string>;

/// Those of six namespaces that the text of -n selects.
Names selected(const std::string& text) {
  const NamespaceFilter filter = NamespaceFilter::parse(text).value();
  Names result;
  for (const char* name : {"default", "shop", "team-a", "team-b", "kube-system", "kube-dns"}) {
    if (filter.selects(name)) result.emplace_back(name);
  }
  return result;
}

TEST_CASE("-n takes names, globs and exclusions") {
  CHECK(selected("") == Names{"default"});
  CHECK(selected("shop,team-a") == Names{"shop", "team-a"});
  CHECK(selected("team-*") == Names{"team-a", "team-b"});
  CHECK(selected("shop,team-?") == Names{"shop", "team-a", "team-b"});
  CHECK(selected("!kube-*") == Names{"default", "shop", "team-a", "team-b"});
  CHECK(selected("!kube-*,!default") == Names{"shop", "team-a", "team-b"});
  CHECK(selected("*,!*-a") == Names{"default", "shop", "team-b", "kube-system", "kube-dns"});
  CHECK(selected("shop,!kube-*") == Names{"shop"});
}

TEST_CASE("a filter of names only is exact, and needs no list of all namespaces") {
  struct Case {
    std::string text;
    Names names;
  };
  for (const Case& one :
       {Case{"b,a", {"b", "a"}}, Case{"a,b,!b", {"a"}}, Case{"b,a,b", {"b", "a"}},
        Case{"", {"default"}}, Case{"a*", {}}, Case{"a,b*", {}}, Case{"!a", {}}}) {
    CAPTURE(one.text);
    const NamespaceFilter filter = NamespaceFilter::parse(one.text).value();
    CHECK(filter.names() == one.names);
    CHECK(filter.is_exact() == !one.names.empty());
    CHECK_FALSE(filter.is_all());
  }
  CHECK(NamespaceFilter::all().is_all());
  CHECK(NamespaceFilter::all().selects("anything"));
}

TEST_CASE("invalid namespaces are usage errors") {
  for (const char* text : {"!", "a/b", "a b", "!!a", "a,!a"}) {
    CAPTURE(text);
    const auto filter = NamespaceFilter::parse(text);
    REQUIRE_FALSE(filter.has_value());
    CHECK(filter.error().kind == ErrorKind::usage);
  }
}

}  // namespace
}  // namespace kinf
