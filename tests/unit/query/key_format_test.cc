// SPDX-License-Identifier: Apache-2.0
#include "kinf/query/key_format.h"

#include <doctest/doctest.h>

namespace kinf {
namespace {

TEST_CASE("a key has the requested format") {
  ObjectFacts facts;
  facts.ns = "default";
  facts.name = "web";
  facts.uid = "u-1";
  facts.json = "{}";
  const ObjectPtr pod = Object::create(facts);
  CHECK(KeyFormat().key(*pod) == "default/web");
  CHECK(KeyFormat::parse("{ns}---{name}").value().key(*pod) == "default---web");
  CHECK(KeyFormat::parse("{uid}").value().key(*pod) == "u-1");
  CHECK(KeyFormat::parse("<{name}>").value().key(*pod) == "<web>");
  CHECK(KeyFormat::parse("{name}{name}").value().key(*pod) == "webweb");
}

TEST_CASE("a key format without a name or uid, or with another field, is rejected") {
  for (const std::string_view text : {"", "{ns}", "{name", "{kind}/{name}"}) {
    CAPTURE(text);
    const Result<KeyFormat> format = KeyFormat::parse(text);
    REQUIRE_FALSE(format.has_value());
    CHECK(format.error().kind == ErrorKind::usage);
  }
}

}  // namespace
}  // namespace kinf
